import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demo, project, readJsonl, results, viva } from './support/viva.ts'

const dynamic = [
  ...['test', '-i', 'agents:workers.test.generator?count=4&focus=edge-cases&complexity=simple'],
  ...['-n', 'expense', '--simulator', 'agents:workers.test.user-simulator'],
]

describe('a run whose cases, user, verdicts and report all come from agents', () => {
  it('a fully generated run gives the same results each time', async () => {
    const runs: unknown[] = []
    for (const _ of [1, 2]) {
      const cwd = demo()
      const args = [...dynamic, '-r', 'reporters.my-reporter', '-o', 'report.md', '-o', 'out.jsonl']
      const { exitCode, stderr } = await viva(args, { cwd })
      expect(stderr).toContain('ℹ agents:workers.test.generator gave 4 of 4 cases')
      expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toMatch(/^# 4 of 4 passed\n/)
      const lines = results(join(cwd, 'out.jsonl'))
      expect(lines[0]).toMatchObject({ id: 'edge-cases-1', status: 'passed', total_turns: 2 })
      expect(exitCode).toBe(0)
      runs.push(lines.map(({ id, status, turns }) => ({ id, status, turns: (turns as unknown[]).length })))
    }
    expect(runs[0]).toEqual(runs[1])
  })

  it('--dry-run writes generated cases to a file that can be run, and does not overwrite it', async () => {
    const cwd = demo()
    const dry = await viva([...dynamic, '--dry-run', '-o', 'cases.jsonl'], { cwd })
    expect(dry.stdout).toContain('✓ 4 cases are valid; the agent under test was not called')
    expect(dry.exitCode).toBe(0)
    expect(readJsonl(join(cwd, 'cases.jsonl'))).toHaveLength(4)
    const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', 'expense', '-o', 'out.jsonl'], {
      cwd,
    })
    expect(results(join(cwd, 'out.jsonl'))).toHaveLength(4)
    expect(exitCode).toBe(0)
    const again = await viva([...dynamic, '--dry-run', '-o', 'cases.jsonl'], { cwd })
    expect(again.stderr).toContain('the file already exists, and its cases would be lost')
    expect(again.exitCode).toBe(2)
  })
})

/** A project with a generator that is this module. */
function app(module: string): string {
  return project({
    'agent.mjs': 'export default (input) => String(input)\n',
    'gen.mjs': module,
    'viva.config.json': JSON.stringify({ agents: { gen: './gen.mjs' } }),
  })
}

const generate = (cwd: string, query = '', ...more: string[]) =>
  viva(['test', '-i', `agents:gen${query}`, '-n', './agent.mjs', '-o', 'out.jsonl', ...more], { cwd })

describe('generators', () => {
  it('a generator is given the parameters of the input and the agent under test', async () => {
    const cwd = app(
      'export default (input) => [{ id: "a", input, assert: { type: "contains", value: "gen" } }]',
    )
    await generate(cwd, '?count=2&depth=3&strict=true&note=x')
    const [line] = results(join(cwd, 'out.jsonl'))
    expect(JSON.parse(String(line?.input))).toEqual({
      test_mode: 'generator',
      target_agent: 'agent.mjs',
      count: 2,
      focus: 'happy-path',
      complexity: 'medium',
      depth: 3,
      strict: true,
      note: 'x',
    })
  })

  it('a generator is given the description, prompts and tools of the agent under test', async () => {
    const cwd = demo('cafe')
    writeFileSync(
      join(cwd, 'gen.mjs'),
      'export default (input) => [{ id: "a", input, assert: { type: "contains", value: "x" } }]',
    )
    writeFileSync(join(cwd, 'viva.config.json'), '{"agents": {"gen": "./gen.mjs"}}')
    await viva(['test', '-i', 'agents:gen?count=1', '-n', 'barista', '--dry-run', '-o', 'cases.jsonl'], {
      cwd,
    })
    const [written] = readJsonl(join(cwd, 'cases.jsonl'))
    expect(JSON.parse(String(written?.input))).toMatchObject({
      target_agent: 'barista',
      target_description: 'Takes your order',
      target_prompts: [expect.stringContaining('is your guest')],
      target_tools: [
        { name: 'menu__list' },
        { name: 'menu__price', parameters: { required: ['drink'] } },
        {},
      ],
    })
  })

  const hostile: [string, string, number, string][] = [
    ['no cases', 'export default () => ({ cases: [] })', 2, 'agents:gen gave no case that can be played'],
    ['null', 'export default () => [null, null]', 2, 'a case must be an object, got null'],
    ['prose', 'export default () => "I would rather not"', 3, 'gen.mjs gave no cases'],
    [
      'nothing valid',
      'export default () => [{ id: "a", input: "x", asserts: [] }]',
      2,
      'a is left out: unknown key "asserts"',
    ],
    ['a throw', 'export default () => { throw new Error("no ideas") }', 3, 'no ideas'],
  ]
  it.each(hostile)('a generator that gives %s ends the run', async (_, module, code, message) => {
    const { exitCode, stderr } = await generate(app(module))
    expect(stderr).toContain(message)
    expect(exitCode).toBe(code)
  })

  it('generated cases may not start scripts or commands, or read files', async () => {
    const cwd = app(`export default () => {
      const plain = (id, more) => ({ id, input: id, assert: { type: 'equals', value: id }, ...more })
      return [
        plain('good'),
        plain('before', { before: 'scripts.a.B' }),
        plain('known', { expected_failure: { reason: 'it always fails' } }),
        plain('script', { assert: { type: 'script', script: 'scripts.a.B' } }),
        plain('group', { assert: { type: 'any_of', assertions: [{ type: 'script', use: 'scripts:a.b' }] } }),
        plain('exec', { assert: { type: 'agent', use: 'exec:touch ran' } }),
        plain('module', { simulator: { use: './agent.mjs', goal: 'x' } }),
        plain('file', { attachments: [{ type: 'file', source: 'file://.env' }] }),
        plain('part', { input: [{ role: 'user', content: [{ type: 'file', source: 'file://.env' }] }] }),
        plain('simulator', { simulator: { use: 'scripts:a.b', goal: 'x' } }),
      ]
    }`)
    const { stderr } = await generate(cwd)
    expect(results(join(cwd, 'out.jsonl')).map(({ id }) => id)).toEqual(['good'])
    expect(stderr).toContain('before is left out: a generated case may have no "before"')
    expect(stderr).toContain('known is left out: a generated case may have no "expected_failure"')
    expect(stderr).toContain('script is left out: a generated case may name no script (scripts:scripts.a.B)')
    expect(stderr).toContain('exec is left out: unknown agent "exec:touch ran"')
    for (const id of ['group', 'module', 'simulator', 'file', 'part'])
      expect(stderr).toContain(`${id} is left out`)
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  it('generated cases without checks are kept as unchecked', async () => {
    const cwd = app(`export default () => [
      { id: 'smoke', input: 'hello' },
      { id: 'checked', input: 'hi', assert: { type: 'equals', value: 'hi' } },
    ]`)
    const { exitCode, stdout, stderr } = await generate(cwd, '?count=2')
    expect(stderr).toContain('ℹ agents:gen gave 2 of 2 cases')
    const lines = results(join(cwd, 'out.jsonl')).map(({ id, status, unchecked }) => [id, status, unchecked])
    expect(lines).toEqual([
      ['smoke', 'passed', true],
      ['checked', 'passed', undefined],
    ])
    expect(stdout).toContain('1 passed case was not checked')
    expect(exitCode).toBe(0)
  })

  it('--require-checks refuses generated cases without checks', async () => {
    const cwd = app(`export default () => [{ id: 'smoke', input: 'hello' }]`)
    const { exitCode, stderr } = await generate(cwd, '?count=1', '--require-checks')
    expect(stderr).toContain('agents:gen?count=1:1: smoke: checks nothing (--require-checks)')
    expect(existsSync(join(cwd, 'out.jsonl'))).toBe(false)
    expect(exitCode).toBe(2)
  })

  it('surplus, duplicate and oddly named generated cases are limited to the count that was asked for', async () => {
    const cwd = app(`export default () => [
      { id: '../../x', input: 'a', assert: { type: 'equals', value: 'a' } },
      { id: '../../x', input: 'b', assert: { type: 'equals', value: 'b' } },
      { id: 'c', input: 'b', assert: { type: 'equals', value: 'b' } },
      ...Array.from({ length: 10_000 }, (_, index) => ({ id: 'm' + index, input: 'm' + index, assert: { type: 'contains', value: 'm' } })),
    ]`)
    const { exitCode, stderr } = await generate(cwd, '?count=4')
    expect(results(join(cwd, 'out.jsonl')).map(({ id }) => id)).toEqual(['../../x', '../../x-2', 'm0', 'm1'])
    expect(stderr).toContain('c is left out: it is like ../../x-2')
    expect(stderr).toContain('9998 more is left out: 4 were asked for')
    expect(exitCode).toBe(0)
  })

  it.each([
    ['?count=0', 'count must be a whole number from 1 to 1000, got 0'],
    ['?count=many', 'count must be a whole number from 1 to 1000, got many'],
  ])('a generator with %s is refused before it is asked', async (query, message) => {
    const { exitCode, stderr } = await generate(app('export default () => []'), query)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('--list does not ask a generator', async () => {
    const { exitCode, stderr } = await generate(app('export default () => []'), '', '--list')
    expect(stderr).toContain('a list asks no agent for cases; --dry-run does')
    expect(exitCode).toBe(2)
  })

  it('an unknown generator is refused', async () => {
    const { exitCode, stderr } = await viva(['test', '-i', 'agents:nope', '-n', './agent.mjs'], {
      cwd: app(''),
    })
    expect(stderr).toContain('agents:nope: unknown agent "nope"')
    expect(exitCode).toBe(2)
  })
})

describe('reporter agents', () => {
  function run(reporter: string, ...flags: string[]) {
    const cwd = project({
      'agent.mjs': 'export default (input) => String(input)\n',
      'reporter.mjs': reporter,
      'viva.config.json': JSON.stringify({ agents: { reporter: './reporter.mjs' } }),
      'cases.jsonl': '{"id": "one", "input": "Hi", "assert": {"type": "equals", "value": "Hi"}}\n',
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-r', 'reporter', ...flags]
    return viva(args, { cwd }).then((ended) => ({ cwd, ...ended }))
  }

  it('a reporter agent is given the report, and its answer is written unchanged', async () => {
    const said =
      'export default (input) => { const { report, format, options } = JSON.parse(input); return `${format} ${report.summary.passed} ${report.results[0].id} ${options.verbose} \\u001b[31m` }'
    const { cwd, exitCode } = await run(said, '-o', 'report.html')
    expect(readFileSync(join(cwd, 'report.html'), 'utf8')).toBe('html 1 one false \u001b[31m\n')
    expect(exitCode).toBe(0)
  })

  it('a reporter agent without -o prints its answer on stdout', async () => {
    const toStdout = await run('export default () => "all is well"')
    expect(toStdout.stdout).toBe('all is well\n')
  })

  it.each([
    ['fails', 'export default () => { throw new Error("no words") }', 'no words'],
    ['says nothing', 'export default () => ""', 'the agent returned an empty answer'],
    ['hangs', 'export default () => new Promise(() => {})', 'timeout after 2s'],
  ])('a reporter agent that %s is replaced by the built-in report', async (_, reporter, message) => {
    const { cwd, exitCode, stdout } = await run(reporter, '-o', 'report.md', '--timeout', '2s')
    expect(JSON.parse(readFileSync(join(cwd, 'report.md'), 'utf8'))).toMatchObject({ summary: { passed: 1 } })
    expect(stdout).toContain(message)
    expect(exitCode).toBe(3)
  })

  it('secrets are redacted in the answer of a reporter agent, and it never overwrites other files', async () => {
    const said = 'export default () => "the token is hunter2hunter2"'
    const cwd = project({
      'agent.mjs': 'export default (input) => String(input)\n',
      'reporter.mjs': said,
      'viva.config.json': JSON.stringify({ agents: { reporter: './reporter.mjs' } }),
      'cases.jsonl': '{"id": "one", "input": "Hi"}\n',
      'precious.json': '{"mine": 1}',
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-r', 'reporter', '-o']
    await viva([...args, 'report.md'], { cwd, env: { MY_TOKEN: 'hunter2hunter2' } })
    expect(readFileSync(join(cwd, 'report.md'), 'utf8')).not.toContain('hunter2hunter2')
    for (const file of ['precious.json', 'history.jsonl', 'agent.mjs'])
      expect((await viva([...args, file], { cwd })).exitCode).toBe(2)
    expect(readFileSync(join(cwd, 'precious.json'), 'utf8')).toBe('{"mine": 1}')
  })

  it('a reporter agent that cannot be loaded is refused before anything is played', async () => {
    const { exitCode, stderr, cwd } = await run('export default () => {', '-o', 'report.md')
    expect(stderr).toContain('reporter.mjs')
    expect(existsSync(join(cwd, 'report.md'))).toBe(false)
    expect(exitCode).toBe(2)
  })

  it('an unknown reporter agent is refused before anything is played', async () => {
    const cwd = project({ 'agent.mjs': 'export default () => "x"\n' })
    const { exitCode, stderr } = await viva(['test', '-i', 'hi there', '-n', './agent.mjs', '-r', 'nope'], {
      cwd,
    })
    expect(stderr).toContain('-r nope: unknown agent "nope"')
    expect(exitCode).toBe(2)
    expect(existsSync(join(cwd, '.viva'))).toBe(false)
  })
})
