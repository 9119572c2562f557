import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installViva, project, results, viva } from './support/viva.ts'

const talk = `import { afterTurns, agentReply, aiUser, createEvalSuite, createScriptedProvider } from 'vivavoce'

const agent = {
  name: 'waiter',
  execute: async (text: string, { history }: { history: readonly { input: string }[] }) =>
    agentReply(
      { reply: 'You said ' + text, heard: history.map(({ input }) => input) },
      { toolCalls: /book/.test(text) ? [{ name: 'book', arguments: { guests: 4 } }] : [] },
    ),
}
const user = () =>
  aiUser({ provider: createScriptedProvider(['A table, please', 'Then book it']), systemPrompt: 'You want a table.' })

export default createEvalSuite({ agent })
export const cases = () => [
  {
    id: 'talk',
    messages: [
      { role: 'user' as const, content: 'Hello' },
      { role: 'assistant' as const, content: { reply: 'Welcome!', heard: [] } },
    ],
    input: user(),
    assert: [
      { type: 'tool_called' as const, name: 'book', arguments: { guests: 4 } },
      { type: 'json_path' as const, path: 'heard[0]', value: 'Hello', turn: 1 },
    ],
    multiTurn: {
      followUpInputs: [{ input: 'And tomorrow?', assert: { type: 'contains' as const, value: 'tomorrow' } }, { input: 'So book it' }],
      terminateWhen: [afterTurns(3)],
      onMaxTurnsReached: 'pass' as const,
    },
  },
  { id: 'single', input: 'Hi', assert: { type: 'tool_not_called' as const, name: 'book' } },
]
`

function suiteProject(text: string): string {
  const cwd = project({ 'talk.suite.ts': text })
  installViva(cwd)
  return cwd
}

describe('the cases of a suite with viva test', () => {
  it('are reported together where several are wrong', async () => {
    const wrong = talk.replace("input: 'Hi'", "inputt: 'Hi'").replace('terminateWhen: [', 'terminateWhenn: [')
    const { exitCode, stderr } = await viva(['test', '-i', 'talk.suite.ts'], { cwd: suiteProject(wrong) })
    expect(stderr).toContain('✗ talk.suite.ts:1: talk: multiTurn.terminateWhen is missing')
    expect(stderr).toContain('✗ talk.suite.ts:1: single: input is missing')
    expect(stderr).toContain('4 errors. Nothing was run.')
    expect(exitCode).toBe(2)
  })

  it('are counted as they are, also with line breaks in their ids', async () => {
    const wrong = talk.replace("id: 'single', input: 'Hi'", "id: 'sin\\ngle', inputt: 'Hi'")
    const { exitCode, stderr } = await viva(['test', '-i', 'talk.suite.ts'], { cwd: suiteProject(wrong) })
    expect(stderr.split('✗')).toHaveLength(3)
    expect(stderr).toContain('2 errors. Nothing was run.')
    expect(exitCode).toBe(2)
  })

  it('have assertions, earlier messages and a simulated opening', async () => {
    const cwd = suiteProject(talk)
    const { exitCode, stdout } = await viva(['test', '-i', 'talk.suite.ts', '-o', 'out.jsonl'], { cwd })
    expect(exitCode, stdout).toBe(0)
    const [line] = results(join(cwd, 'out.jsonl')).filter(({ id }) => id === 'talk')
    expect(line).toMatchObject({
      turns: [
        { input: 'A table, please', output: { heard: ['Hello'] } },
        { assertions: [{ type: 'contains', status: 'passed' }] },
        { input: 'So book it' },
      ],
      final_assertions: [
        { type: 'tool_called', status: 'passed' },
        { type: 'json_path', status: 'passed' },
      ],
    })
  })

  it('are graded with the assertions that they have now, those of follow-ups included', async () => {
    const cwd = suiteProject(talk)
    await viva(['test', '-i', 'talk.suite.ts', '-o', 'out.jsonl'], { cwd })
    const same = await viva(['grade', 'out.jsonl', '-i', 'talk.suite.ts', '-o', 'same.jsonl'], { cwd })
    expect(same.exitCode, same.stdout + same.stderr).toBe(0)
    writeFileSync(join(cwd, 'talk.suite.ts'), talk.replace("value: 'tomorrow'", "value: 'never said'"))
    const other = await viva(['grade', 'out.jsonl', '-i', 'talk.suite.ts', '-o', 'other.jsonl'], { cwd })
    expect(other.exitCode, other.stdout + other.stderr).toBe(1)
    expect(other.stdout).toContain('never said')
  })

  it('are refused with the place of the mistake before anything is played', async () => {
    const cwd = suiteProject(
      talk.replace("{ type: 'contains' as const, value", "{ type: 'contain' as const, value"),
    )
    const { exitCode, stderr } = await viva(['test', '-i', 'talk.suite.ts'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'talk: multiTurn.followUpInputs[0].assert.type: unknown assertion type "contain"',
    )
  })
})

const clerk = `import { createEvalSuite } from 'vivavoce'
const agent = {
  name: 'clerk',
  async execute(id: string, context: { tools<T>(tools: T): T }) {
    const { lookUp } = context.tools({ lookUp: async (given: { id: string }) => ({ ...given, status: 'shipped' }) })
    return (await lookUp({ id })).status
  },
}
export default createEvalSuite({ agent })
export const cases = [
  { id: 'real', input: 'A1', expectedOutput: 'shipped' },
  { id: 'stubbed', input: 'A1', stubs: { lookUp: { result: { status: 'lost' } } }, expectedOutput: 'lost' },
]
`

describe('stubs of a suite with viva test', () => {
  it('replace tools that the agent wraps, and --stub-all refuses all others', async () => {
    const cwd = suiteProject(clerk)
    const { exitCode, stdout } = await viva(['test', '-i', 'talk.suite.ts', '-o', 'out.jsonl'], { cwd })
    expect(exitCode, stdout).toBe(0)
    expect(results(join(cwd, 'out.jsonl'))[1]?.tool_calls).toMatchObject([{ name: 'lookUp', stubbed: true }])
    const all = await viva(['test', '-i', 'talk.suite.ts', '-o', 'all.jsonl', '--stub-all'], { cwd })
    expect(all.exitCode).toBe(3)
    expect(results(join(cwd, 'all.jsonl'))).toMatchObject([
      { fault: 'infrastructure', error: 'lookUp was called and is not stubbed (--stub-all)' },
      { status: 'passed' },
    ])
  })

  it('are refused where they have not the form of case files', async () => {
    const cwd = suiteProject(clerk.replace('{ result: {', '{ reslt: {'))
    const { exitCode, stderr } = await viva(['test', '-i', 'talk.suite.ts'], { cwd })
    expect(stderr).toContain('stubbed: unknown key "reslt" in stubs.lookUp')
    expect(exitCode).toBe(2)
  })
})

describe('run() in a program', () => {
  it('has gates, a recording that is replayed without calls, and a baseline', () => {
    const cwd = project({
      'run.mjs': `import assert from 'node:assert/strict'
import { createEvalSuite } from 'vivavoce'

let calls = 0
const agent = { name: 'echo', execute: async (text) => (++calls % 5 === 0 ? 'oops' : text) }
const suite = createEvalSuite({ agent })
const cases = [{ id: 'a', input: 'hi', assert: { type: 'equals', value: 'hi' } }]
const first = await suite.run(cases, { iterations: 10, gates: { case: 0.7 }, record: 'calls.jsonl', output: 'base.jsonl' })
assert.equal(first.exitCode, 0)
const again = await suite.run(cases, { iterations: 10, replay: 'calls.jsonl' })
assert.deepEqual([again.summary.passed, calls], [8, 10])
const worse = await suite.withAgent({ name: 'echo', execute: async () => 'no' }).run(cases, { iterations: 10, baseline: 'base.jsonl' })
console.log(worse.exitCode, worse.summary.comparison.verdict)
`,
    })
    installViva(cwd)
    const { stdout, stderr, status } = spawnSync(process.execPath, ['run.mjs'], { cwd, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect([status, stdout]).toEqual([0, '1 regression\n'])
    expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8').split('\n')[0]).toContain('"type":"recording"')
  })
})
