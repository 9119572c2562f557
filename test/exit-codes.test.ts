import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import {
  echoAgent,
  ended,
  jsonl,
  project,
  readJsonl,
  repository,
  results,
  startViva,
  viva,
} from './support/viva.ts'

const greeting = { id: 'greeting', input: 'hello', assert: { type: 'contains', value: 'hello' } }

describe('exit codes of viva test', () => {
  it('viva test exits with 0 when every case passed', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(greeting) })
    const { exitCode, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('✓ [greeting]')
  })

  it('viva test exits with 1 when a case failed', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(greeting, {
        ...greeting,
        id: 'rude',
        assert: { type: 'contains', value: 'goodbye' },
      }),
    })
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(1)
    expect(stdout).toContain('output does not contain "goodbye"')
    expect(stdout).toContain("viva test -i cases.jsonl -n ./agent.mjs --run '^(rude)$'")
  })

  it('viva test exits with 1 when the agent throws, with fault: agent', async () => {
    const cwd = project({
      'agent.mjs': 'export default () => { throw new TypeError("no such order") }\n',
      'cases.jsonl': jsonl(greeting),
    })
    const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], {
      cwd,
    })
    expect(exitCode).toBe(1)
    const [result] = results(join(cwd, 'x.jsonl'))
    expect(result).toMatchObject({ status: 'failed', fault: 'agent', error_kind: 'agent_error' })
    expect(result?.error).toContain('agent error:')
    expect(result?.error).toContain('no such order')
  })

  it('viva test exits with 2 for a mistake in a case file and writes nothing', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl({ ...greeting, asserts: [] }) })
    const { exitCode, stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], {
      cwd,
    })
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('cases.jsonl:1:')
    expect(stderr).toContain('greeting: unknown key "asserts" (did you mean "assert"?)')
    expect(readdirSync(cwd).sort()).toEqual(['agent.mjs', 'cases.jsonl'])
  })

  it.each([
    ['ctx.json', 'the context'],
    ['viva.config.json', 'the config'],
    ['connectors/c.conn.yao', 'connector c: the file'],
  ])('viva test exits with 2 when %s is a list, and calls it %s', async (file, whole) => {
    const cwd = project({
      'app.yao': '{}',
      'assistants/desk/package.yao': '{"name": "Desk", "connector": "c"}',
      'assistants/desk/prompts.yml': '- {role: system, content: Help.}',
      'connectors/c.conn.yao': '{"type": "scripted", "options": {"rules": []}}',
      'ctx.json': '{}',
      'cases.jsonl': jsonl(greeting),
      [file]: '[]',
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', 'desk', '--ctx', 'ctx.json', '--dry-run']
    const { exitCode, stderr } = await viva(args, { cwd })
    expect(stderr).toContain(`${whole} must be an object, got an array`)
    expect(exitCode).toBe(2)
  })

  it('viva test exits with 2 when all cases are skipped, because nothing was judged', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl({ ...greeting, skip: 'waiting for the new API' }),
    })
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(2)
    expect(stdout).toContain('waiting for the new API')
  })

  it('viva test exits with 3 when only infrastructure errors prevented a verdict', async () => {
    const cwd = project({
      'viva.config.json': JSON.stringify({ network: { retries: 1, backoff: '1ms' } }),
      'cases.jsonl': jsonl(greeting),
    })
    const { exitCode, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', 'openai:http://127.0.0.1:9/v1#none', '-o', 'x.jsonl'],
      { cwd },
    )
    expect(exitCode).toBe(3)
    expect(stdout).toContain('(infrastructure error)')
    const [result] = results(join(cwd, 'x.jsonl'))
    expect(result).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'connection' })
    expect(result?.usage).toEqual({ agent: { calls: 2, retries: 1 } })
  })

  it('viva test exits with 3 and runs nothing when an output cannot be written', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(greeting), taken: 'a file' })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'taken/x.json', '-o', 'x.jsonl']
    const { exitCode, stdout, stderr } = await viva(args, { cwd })
    expect(exitCode).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toContain('taken/x.json cannot be written')
  })

  it('viva test exits with 0 when it overwrites a report of an earlier run', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(greeting) })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.json', '-o', 'x.jsonl']
    expect(await viva(args, { cwd })).toMatchObject({ exitCode: 0 })
    expect(await viva(args, { cwd })).toMatchObject({ exitCode: 0 })
  })

  it('viva test exits with 3 when an output is not a regular file', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(greeting) })
    symlinkSync('/dev/null', join(cwd, 'x.json'))
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.json'],
      { cwd },
    )
    expect(stderr).toContain('x.json cannot be written: it is no file')
    expect(exitCode).toBe(3)
  })

  it('viva test exits with 3 at once when the folder of an output cannot be created', () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(greeting) })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', '/proc/x/o.jsonl']
    const bin = join(repository, 'bin/viva.js')
    const { status, stderr } = spawnSync(process.execPath, [bin, ...args], {
      cwd,
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    expect(stderr).toContain('/proc/x/o.jsonl cannot be written: ENOENT')
    expect(status).toBe(3)
  })

  it('viva test exits with 3 and keeps the results when a report cannot be written at the end', async () => {
    const cwd = project({
      'agent.mjs':
        "import { mkdirSync } from 'node:fs'\nexport default (input) => { mkdirSync('x.json'); return input }\n",
      'cases.jsonl': jsonl(greeting),
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.json', '-o', 'x.jsonl']
    const { exitCode, stdout } = await viva(args, { cwd })
    expect(stdout).toContain('x.json could not be written')
    expect(exitCode).toBe(3)
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([{ id: 'greeting', status: 'passed' }])
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('viva test exits with 1 when the reply to a case without checks is empty', async () => {
    const cwd = project({ 'agent.mjs': `export default () => ({ content: '', tool_calls: [] })` })
    const { exitCode, stderr } = await viva(['test', '-i', 'hello', '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain('the reply is empty')
    expect(exitCode).toBe(1)
  })

  it('viva test exits with 1, not 3, when there is a failure of the agent and an infrastructure error', async () => {
    const server = await startFakeOpenAIServer({
      answer: (_, index) => (index === 0 ? 'bye' : { status: 400 }),
    })
    const cwd = project({ 'cases.jsonl': jsonl(greeting, { ...greeting, id: 'world' }) })
    const args = ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`, '-o', 'x.jsonl']
    const { exitCode } = await viva(args, { cwd })
    await server.close()
    expect(results(join(cwd, 'x.jsonl')).map(({ fault }) => fault)).toEqual(['agent', 'infrastructure'])
    expect(exitCode).toBe(1)
  })

  it('viva test exits with 1 when a check failed before an infrastructure error ended the conversation', async () => {
    const server = await startFakeOpenAIServer({
      answer: (_, index) => (index === 0 ? 'bye' : { status: 400 }),
    })
    const turns = [{ input: 'a', assert: { type: 'contains', value: 'hello' } }, { input: 'b' }]
    const cwd = project({ 'cases.jsonl': jsonl({ id: 'both', turns }) })
    const args = ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`, '-o', 'x.jsonl']
    const { exitCode } = await viva(args, { cwd })
    await server.close()
    expect(results(join(cwd, 'x.jsonl'))).toMatchObject([{ fault: 'agent', error_kind: 'assertion' }])
    expect(exitCode).toBe(1)
  })

  it('viva test exits with 3 and a message when stdout cannot be written', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(greeting) })
    const command = `"${process.execPath}" "${repository}/bin/viva.js" test -i cases.jsonl -n ./agent.mjs -o x.jsonl > /dev/full`
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' })
    expect(stderr).toContain('the output cannot be written')
    expect(stderr).not.toContain('    at ')
    expect(status).toBe(3)
  })

  it('viva test exits with 2 when another run writes to the same file, whose results are kept', async () => {
    const cwd = project({
      'agent.mjs': `import { existsSync } from 'node:fs'
export default async function () {
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20))
  return 'hello'
}
`,
      'cases.jsonl': jsonl(greeting),
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--json']
    const first = startViva(args, { cwd })
    const firstEnd = ended(first)
    await once(first.stdout as NodeJS.ReadableStream, 'data')
    const second = await viva(args, { cwd })
    expect(second.stderr).toContain('is being written by another run')
    expect(second.exitCode).toBe(2)
    writeFileSync(join(cwd, 'go'), '')
    expect((await firstEnd).exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl'))).toHaveLength(1)
    expect(existsSync(join(cwd, 'x.jsonl.lock'))).toBe(false)
  })

  it('runs that begin in the same second write a file each and exit with 0', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(greeting) })
    const runs = [1, 2, 3].map(() => viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd }))
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(readdirSync(cwd).filter((name) => name.startsWith('output-'))).toHaveLength(3)
  })

  it('a journal that is removed during the run is restored, and viva test exits with 0', async () => {
    const cwd = project({
      'agent.mjs':
        "import { rmSync } from 'node:fs'\nexport default (input) => { rmSync('x.jsonl', { force: true }); return input }\n",
      'cases.jsonl': jsonl(greeting, { ...greeting, id: 'second' }),
    })
    const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl'], {
      cwd,
    })
    expect(exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl')).map(({ id }) => id)).toEqual(['greeting', 'second'])
    expect(readJsonl(join(cwd, 'x.jsonl')).at(-1)).toMatchObject({ type: 'summary', total: 2 })
  })

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`viva test exits with ${code} after ${signal}, keeps the results and lists what was not run`, async () => {
      const cwd = project({
        'agent.mjs':
          'export default (input, ctx) => input === "wait" ? new Promise(() => {}) : `you said: ${input}`\n',
        'cases.jsonl': jsonl(greeting, { id: 'waits', input: 'wait' }, { ...greeting, id: 'later' }),
      })
      const child = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--json'], {
        cwd,
      })
      const end = ended(child)
      for (let printed = ''; !printed.includes('"id":"waits"'); ) {
        const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [string]
        printed += chunk
      }
      child.kill(signal)
      const { exitCode } = await end
      expect(exitCode).toBe(code)
      const lines = readJsonl(join(cwd, 'x.jsonl'))
      expect(lines.at(-1)).toMatchObject({ exit_code: code })
      expect(lines.map((line) => line.status ?? line.type)).toEqual([
        'start',
        'passed',
        'interrupted',
        'not_run',
        'summary',
      ])
    })
  }
})
