import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { echoAgent, installViva, jsonl, type Line, project, results, viva } from './support/viva.ts'

/** Top-level code of a module that takes longer to load than any timeout here. */
const slow = 'await new Promise((resolve) => setTimeout(resolve, 2500))\n'
/** Keeps a thread busy, so that the next case needs another one. */
const busy = 'await new Promise((resolve) => setTimeout(resolve, 300))\n'
const busyAgent = `export default async (input) => { ${busy} return input }\n`
const endless = 'setInterval(() => {}, 1000)\nawait new Promise(() => {})\n'
/** Only the first thread that loads the module finishes loading. */
const endlessOnce = `import { existsSync, writeFileSync } from 'node:fs'
const isFirst = !existsSync('loaded')
writeFileSync('loaded', '')
if (!isFirst) { ${endless} }
`

const ids = ['a', 'b']
const quick = { type: 'latency', max: '2s' }
const suite = `import { createEvalSuite } from 'vivavoce'
const agent = { name: 'echo', async execute(input: string) { ${busy} return input } }
export default createEvalSuite<string, string>({ agent })
`

async function run(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await viva(['test', '-o', 'x.jsonl', ...args], { cwd })
  const lines: Line[] = exitCode === 2 ? [] : results(join(cwd, 'x.jsonl'))
  const outcomes = lines.map(({ status, error }) => error ?? status)
  return { exitCode, output: stdout + stderr, lines, outcomes }
}

describe('time to load a module', () => {
  it('loading an agent in any thread does not count for the timeout or the latency', async () => {
    const cwd = project({
      'agent.mjs': `${slow}${busyAgent}`,
      'cases.jsonl': jsonl(...ids.map((id) => ({ id, input: 'hello', assert: quick }))),
    })
    const args = ['-i', 'cases.jsonl', '-n', './agent.mjs', '--parallel', '2', '--timeout', '2s']
    const { exitCode, outcomes } = await run(cwd, ...args)
    expect(outcomes).toEqual(ids.map(() => 'passed'))
    expect(exitCode).toBe(0)
  })

  it('loading hooks, checks, before, after and generators does not count for the timeout or the latency', async () => {
    const app = {
      'app.yao': '{}',
      'assistants/desk/package.yao': JSON.stringify({ connector: 'mind' }),
      'assistants/desk/prompts.yml': '- {role: system, content: Be kind.}',
      'assistants/desk/src/index.ts': `${slow}async function Create(ctx) {
        ${busy}
        ctx.agent.Call('other', [{ role: 'user', content: 'hello' }])
        return Process('scripts.asked.Answer')
      }`,
      'assistants/other/package.yao': JSON.stringify({ connector: 'mind' }),
      'assistants/other/prompts.yml': '- {role: system, content: Be kind.}',
      'assistants/other/src/index.ts': `${slow}function Next() { return null }`,
      'connectors/mind.conn.yao': JSON.stringify({ type: 'scripted', options: { rules: [{ reply: 'hi' }] } }),
      'scripts/asked.ts': `${slow}function Answer() { return null }`,
      'scripts/check.ts': `${slow}async function Check() { ${busy} return true }`,
      'scripts/around.ts': `${slow}async function Before() { ${busy} }\nasync function After() { ${busy} }`,
      'scripts/cases.ts': `${slow}function Give() {
        return ${JSON.stringify(ids)}.map((id) => ({ id, input: 'hello', assert: ${JSON.stringify(quick)} }))
      }`,
    }
    const scripts = {
      before: 'scripts.around.Before',
      after: 'scripts.around.After',
      assert: [quick, { type: 'script', script: 'scripts.check.Check' }],
    }
    const cases = { 'cases.jsonl': jsonl(...ids.map((id) => ({ id, input: 'hello', ...scripts }))) }
    const common = ['-n', 'desk', '--parallel', '2', '--timeout', '2s']
    const [written, generated] = await Promise.all([
      run(project({ ...app, ...cases }), '-i', 'cases.jsonl', ...common),
      run(project(app), '-i', 'scripts:cases.Give', ...common),
    ])
    for (const { exitCode, outcomes } of [written, generated]) {
      expect(outcomes).toEqual(ids.map(() => 'passed'))
      expect(exitCode).toBe(0)
    }
  })

  it('loading a suite and its cases does not count for the timeout', async () => {
    const cases = ids.map((id) => ({ id, input: 'hello', expectedOutput: 'hello' }))
    const cwd = project({
      'a.suite.ts': `${suite}${slow}
        export const cases = async () => { ${slow} return ${JSON.stringify(cases)} }`,
    })
    installViva(cwd)
    const { exitCode, outcomes } = await run(cwd, '-i', 'a.suite.ts', '--parallel', '2', '--timeout', '2s')
    expect(outcomes).toEqual(ids.map(() => 'passed'))
    expect(exitCode).toBe(0)
  })

  it('loading a file of script tests does not count for their timeout', async () => {
    const cwd = project({ 'a_test.ts': `${slow}function TestA(t) { t.assert.True(true) }` })
    const { exitCode, outcomes } = await run(cwd, 'a_test.ts', '--runs', '2', '--timeout', '2s')
    expect(outcomes).toEqual(['passed', 'passed'])
    expect(exitCode).toBe(0)
  })
})

describe('modules that never finish loading', () => {
  it('a module that is not loaded within 30s is named and given up, whatever the timeout', async () => {
    const one = jsonl({ id: 'a', input: 'hello' })
    const agent = { 'agent.mjs': echoAgent }
    const inputs: [string, Record<string, string>, string[]][] = [
      ['agent.mjs', { 'agent.mjs': endless, 'cases.jsonl': one }, ['-i', 'cases.jsonl', '-n', './agent.mjs']],
      ['cases.mjs', { ...agent, 'cases.mjs': endless }, ['-i', 'cases.mjs', '-n', './agent.mjs']],
      ['a_test.ts:2', { 'a_test.ts': `${endless}function TestA() {}` }, ['a_test.ts']],
      ['a.suite.ts', { 'a.suite.ts': endless }, ['-i', 'a.suite.ts']],
      ['viva.config.mjs', { ...agent, 'viva.config.mjs': endless }, ['-i', 'hello', '-n', './agent.mjs']],
    ]
    // It is loaded again for the case, after it was found to be an agent.
    const isolated = { 'viva.config.json': '{"isolate": "case"}' }
    const later = project({ ...isolated, 'agent.mjs': `${endlessOnce}${busyAgent}`, 'cases.jsonl': one })
    const playing = run(later, '-i', 'cases.jsonl', '-n', './agent.mjs', '--timeout', '2s')
    const refused = inputs.map(([, files, args]) => run(project(files), ...args, '--timeout', '2s'))
    for (const [index, { exitCode, output }] of (await Promise.all(refused)).entries()) {
      expect(output).toContain(inputs[index]?.[0])
      expect(output).toContain('it was not loaded within 30s')
      expect(exitCode).toBe(2)
    }
    const { lines, exitCode } = await playing
    expect(lines).toMatchObject([{ fault: 'agent', error_kind: 'agent_error' }])
    expect(lines[0]?.error).toMatch(/agent\.mjs: it was not loaded within 30s/)
    expect(exitCode).toBe(1)
  }, 120_000)
})
