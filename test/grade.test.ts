import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demo, installViva, jsonl, type Line, project, readJsonl, results, viva } from './support/viva.ts'

/** Notes every call, so that a test can tell whether it was called. */
const agent = `import { appendFileSync } from 'node:fs'
export default (input) => {
  appendFileSync(new URL('calls.txt', import.meta.url), input + '\\n')
  if (input === 'break') throw new Error('it broke')
  return { content: 'you said ' + input, tool_calls: [{ name: 'look_up', arguments: { input } }] }
}
`

const says = (value: string) => ({ type: 'contains', value })
const hello = { id: 'hello', input: 'hello', assert: says('hello') }
const bye = { id: 'bye', input: 'bye', assert: says('good') }

function writeCases(cwd: string, ...cases: object[]): void {
  writeFileSync(join(cwd, 'cases.jsonl'), jsonl(...cases))
}

/** A project whose cases were run, with results in results.jsonl. */
async function recorded(
  cases: readonly object[] = [hello, bye],
  { flags = ['-n', './agent.mjs'], files = {} }: { flags?: string[]; files?: Record<string, string> } = {},
): Promise<string> {
  const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl(...cases), ...files })
  await viva(['test', 'cases.jsonl', '-o', 'results.jsonl', ...flags], { cwd })
  return cwd
}

async function grade(cwd: string, flags: readonly string[] = ['-i', 'cases.jsonl']) {
  const args = ['grade', 'results.jsonl', ...flags, '-o', 'graded.jsonl']
  const { exitCode, stdout, stderr } = await viva(args, { cwd })
  const written = join(cwd, 'graded.jsonl')
  return { exitCode, stdout, stderr, lines: existsSync(written) ? results(written) : [] }
}

const byId = (lines: readonly Line[], id: string) => lines.find((line) => line.id === id)

describe('viva grade', () => {
  it('changed checks decide about the recorded conversations, and neither the agent nor before is called', async () => {
    const scripts = {
      'prepare.ts': `import { appendFileSync } from 'node:fs'
export const Before = () => appendFileSync('calls.txt', 'before\\n')\n`,
    }
    const prepared = { ...hello, before: 'scripts.prepare.Before' }
    const cwd = await recorded([prepared, bye], { files: scripts })
    const calls = readFileSync(join(cwd, 'calls.txt'), 'utf8')
    const before = results(join(cwd, 'results.jsonl'))
    writeCases(cwd, { ...prepared, assert: says('good') }, { ...bye, assert: says('bye'), tags: ['new'] })
    const { exitCode, stdout, lines } = await grade(cwd)
    expect(exitCode).toBe(1)
    expect(stdout).toContain('✗ [hello]')
    expect(stdout).toContain('✓ [bye]')
    expect(stdout).toContain('viva grade results.jsonl -i cases.jsonl --run')
    expect(lines.map(({ id, status, origin }) => [id, status, origin])).toEqual([
      ['hello', 'failed', 'graded'],
      ['bye', 'passed', 'graded'],
    ])
    for (const field of ['session_id', 'response', 'started_at', 'duration_ms', 'variant', 'tool_calls'])
      expect(lines.map((line) => line[field])).toEqual(before.map((line) => line[field]))
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe(calls)
    expect(readJsonl(join(cwd, 'graded.jsonl'))[0]).toMatchObject({
      type: 'start',
      variants: ['agent.mjs'],
      origin: { kind: 'graded', from: 'results.jsonl' },
    })
  })

  it('compares cases whose checks were edited, because their conversations are the same', async () => {
    const cwd = await recorded()
    writeCases(cwd, hello, { ...bye, assert: says('bye') })
    await grade(cwd)
    const { exitCode, stdout } = await viva(['compare', 'results.jsonl', 'graded.jsonl'], { cwd })
    expect(stdout).toContain('bye')
    expect(stdout).toContain('newly passing')
    expect(stdout).toContain('the checks changed, not the agent')
    expect(stdout).not.toContain('edited')
    expect(exitCode).toBe(0)
  })

  it('grades the demo as it was run: turns, simulated users, checkpoints and conditions', async () => {
    const cwd = demo()
    const cases = 'assistants/expense/tests/conversations.jsonl'
    await viva(['test', cases, '-o', 'results.jsonl'], { cwd })
    const { exitCode, lines } = await grade(cwd, [cases])
    expect(exitCode).toBe(0)
    const verdictOf = ({ id, status, termination, total_turns, checkpoints }: Line) => ({
      id,
      status,
      termination,
      total_turns,
      checkpoints,
    })
    expect(lines.map(verdictOf)).toEqual(results(join(cwd, 'results.jsonl')).map(verdictOf))
    const text = readFileSync(join(cwd, cases), 'utf8')
    writeFileSync(join(cwd, cases), text.replace('"name": "pay_out"', '"name": "create_expense"'))
    const changed = await grade(cwd, [cases])
    expect(changed.exitCode).toBe(1)
    expect(byId(changed.lines, 'dynamic')).toMatchObject({
      status: 'failed',
      fault: 'agent',
      termination: { reason: 'forbidden_checkpoint' },
    })
  })

  it('grades tool calls of an app without its tools', async () => {
    const cwd = demo('cafe')
    const tool = (name: string) => ({
      id: 'menu',
      input: 'What do you have?',
      assert: { type: 'tool_called', name },
    })
    writeCases(cwd, tool('nothing'))
    await viva(['test', 'cases.jsonl', '-n', 'barista', '-o', 'results.jsonl'], { cwd })
    const [line] = results(join(cwd, 'results.jsonl'))
    writeCases(cwd, tool('menu__list'))
    expect(line?.status).toBe('failed')
    expect((await grade(cwd)).lines).toMatchObject([{ status: 'passed' }])
  })

  it('every run and every variant is graded', async () => {
    const flags = ['-n', './agent.mjs', '-n', './other.mjs', '--runs', '3']
    const cwd = await recorded([hello], {
      flags,
      files: { 'other.mjs': agent.replace('you said', 'nobody said') },
    })
    writeCases(cwd, { ...hello, assert: says('you said') })
    const { lines, stdout } = await grade(cwd)
    const passed = (variant: string) =>
      lines.filter((line) => line.variant === variant).map(({ status }) => status)
    expect(passed('agent.mjs')).toEqual(['passed', 'passed', 'passed'])
    expect(passed('other.mjs')).toEqual(['failed', 'failed', 'failed'])
    expect(stdout).toContain('✓ hello (agent.mjs)  3/3 passed')
  })

  it('grades the attempt that counted, once, even if the case has retries', async () => {
    const cwd = await recorded([{ ...bye, retries: 2 }])
    const { lines } = await grade(cwd)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ status: 'failed' })
  })

  it('errors of the agent stay what they were, and results without a conversation are taken over', async () => {
    const broken = { id: 'broken', input: 'break', assert: says('x') }
    const cases = [broken, { id: 'skipped', input: 'x', skip: 'not now' }, hello]
    const cwd = await recorded(cases)
    const then = results(join(cwd, 'results.jsonl'))
    writeCases(cwd, { ...broken, assert: says('y') }, { id: 'skipped', input: 'x', assert: says('x') }, hello)
    const { exitCode, lines, stderr } = await grade(cwd)
    const about = ({ status, fault, error, error_kind, skip_reason }: Line = {}) => ({
      status,
      fault,
      error,
      error_kind,
      skip_reason,
    })
    for (const id of ['broken', 'skipped']) expect(about(byId(lines, id))).toEqual(about(byId(then, id)))
    expect(byId(lines, 'broken')).toMatchObject({ status: 'failed', fault: 'agent' })
    expect(stderr).toContain('1 result has no complete conversation')
    expect(exitCode).toBe(1)
  })

  it('the state of tools and the variables of scripts are unknown', async () => {
    const cwd = demo('cafe')
    const final = (id: string, check: object) => ({ id, input: 'Hello', final_assertions: [check] })
    const plain = [final('tool', says('x')), final('path', says('x'))]
    writeCases(cwd, ...plain)
    await viva(['test', 'cases.jsonl', '-n', 'barista', '-o', 'results.jsonl'], { cwd })
    const call = { tool: 'menu__list', arguments: {} }
    writeCases(
      cwd,
      final('tool', { type: 'state', call, value: 1 }),
      final('path', { type: 'json_path', path: '$.order.id', value: 1 }),
    )
    const { exitCode, lines } = await grade(cwd)
    expect(byId(lines, 'tool')).toMatchObject({
      status: 'failed',
      fault: 'infrastructure',
      error_kind: 'judge_unknown',
    })
    expect(byId(lines, 'tool')?.error).toContain('is not in the results file')
    expect(byId(lines, 'path')?.error).toContain('the variables of scripts are not in the results file')
    expect(exitCode).toBe(3)
  })

  it('scripts check recorded replies', async () => {
    const script = `export function Check(output: string) {
  return { pass: output.includes('said'), message: output }
}\n`
    const cwd = await recorded([hello], { files: { 'checks.ts': script } })
    writeCases(cwd, { ...hello, assert: { type: 'script', script: 'scripts.checks.Check' } })
    const { lines } = await grade(cwd)
    expect(lines).toMatchObject([{ status: 'passed', usage: { script: { calls: 1 } } }])
  })

  it.each([
    ['ctx.variables.budget === 3', 'ctx.variables.budget'],
    ['ctx.variables.budget.limit === 3', 'ctx.variables.budget'],
    ["'budget' in ctx.variables", 'ctx.variables.budget'],
    ['Object.keys(ctx.variables).length === 0', 'ctx.variables'],
    ["ctx.memory.user.Get('name') === null", 'ctx.memory.user: name'],
    ["new Store('cache').Has('name') === false", 'Store cache: name'],
  ])('what a script reads and the results do not contain is unknown: %s', async (expression, name) => {
    const script = `export const Check = (_: unknown, __: unknown, ___: unknown, ctx: any) => ${expression}\n`
    const cwd = await recorded([hello], { files: { 'checks.ts': script } })
    const assert = { type: 'script', script: 'scripts.checks.Check' }
    writeCases(cwd, { ...hello, assert: [assert, says('said')] })
    const { exitCode, lines } = await grade(cwd)
    expect(lines[0]).toMatchObject({
      status: 'failed',
      fault: 'infrastructure',
      error_kind: 'judge_unknown',
      assertions: [
        { status: 'unknown', reason: `it reads ${name}, not in the results file` },
        { status: 'passed' },
      ],
    })
    expect(exitCode).toBe(3)
  })

  it('what a script has set itself is known to it and to the next ones', async () => {
    const script = `export function Set(_: unknown, __: unknown, ___: unknown, ctx: any) {
  ctx.variables.seen = ctx.variables.seen
  ctx.memory.user.Set('name', 'Ada')
  return true
}
export function Check(_: unknown, __: unknown, ___: unknown, ctx: any) {
  ctx.variables.count = 1
  return ctx.variables.count === 1 && ctx.memory.user.Get('name') === 'Ada'
}\n`
    const cwd = await recorded([hello], { files: { 'checks.ts': script } })
    const call = (name: string) => ({ type: 'script', script: `scripts.checks.${name}` })
    writeCases(cwd, { ...hello, assert: [call('Set'), call('Check')] })
    const { lines } = await grade(cwd)
    expect(lines[0]?.assertions).toMatchObject([{ status: 'unknown' }, { status: 'passed' }])
  })

  it('snapshots are compared and never written', async () => {
    const cwd = await recorded()
    writeCases(cwd, { ...hello, assert: { type: 'snapshot' } })
    const { lines } = await grade(cwd)
    expect(lines[0]?.error).toContain('there is no snapshot of turn 1, output; viva test writes it')
    expect(readdirSync(cwd).filter((name) => name.includes('snap'))).toEqual([])
  })

  it('latency and cost are those of the recorded conversation', async () => {
    const cwd = await recorded([hello])
    const text = readFileSync(join(cwd, 'results.jsonl'), 'utf8')
    writeFileSync(
      join(cwd, 'results.jsonl'),
      text.replace(/"reply_ms":\d+/, '"reply_ms":9000,"tokens":{"cost":0.5}'),
    )
    writeCases(cwd, {
      ...hello,
      assert: [
        { type: 'latency', max: '10s' },
        { type: 'cost', max: 0.4 },
      ],
    })
    const { lines } = await grade(cwd)
    expect(lines[0]?.assertions).toMatchObject([
      { status: 'passed', reason: expect.stringContaining('9.0s') },
      { status: 'failed', reason: expect.stringContaining('$0.5') },
    ])
  })

  it('judges are asked now: their calls count, and those of the agent count as replayed', async () => {
    const answer = {
      reply: { reason: 'polite', verdict: 'pass' },
      usage: { input_tokens: 10, output_tokens: 5 },
    }
    const config = {
      connectors: { judge: { type: 'scripted', options: { module: 'judge.mjs' } } },
      helpers: { connector: 'judge' },
      prices: { judge: { input: 1000, output: 1000 } },
    }
    const files = {
      'judge.mjs': `export default () => (${JSON.stringify(answer)})\n`,
      'viva.config.json': JSON.stringify(config),
    }
    const cwd = await recorded([hello, bye], { files })
    const assert = { type: 'judge', criteria: 'It is polite' }
    writeCases(cwd, { ...hello, assert }, { ...bye, assert })
    const { exitCode, lines } = await grade(cwd)
    expect(exitCode).toBe(0)
    const judge = { calls: 1, input_tokens: 10, output_tokens: 5 }
    expect(lines[0]?.usage).toMatchObject({ agent: { calls: 1, replayed_calls: 1 }, judge })
    expect(lines[0]).not.toHaveProperty('usage.judge.replayed_calls')
    const limited = await grade(cwd, ['cases.jsonl', '--max-tokens', '10'])
    expect(limited.lines.map(({ status }) => status)).toEqual(['passed', 'not_run'])
  })

  it('results that nobody gave a place are kept in .viva/grades', async () => {
    const cwd = await recorded()
    const { stdout } = await viva(['grade', 'results.jsonl', 'cases.jsonl'], { cwd })
    expect(stdout).toMatch(/Results: \.viva\/grades\/\d+\.jsonl/)
    expect(existsSync(join(cwd, '.viva/grades'))).toBe(true)
  })

  it('grades the suites of TypeScript in their own process, with their judge', async () => {
    const suite = (word: string) => `import { createEvalSuite } from 'vivavoce'
import { appendFileSync } from 'node:fs'
const agent = {
  name: 'desk',
  execute(text: string) {
    appendFileSync('calls.txt', text)
    return { reply: 'you said ' + text }
  },
}
const judge = {
  async evaluate({ output }: { output: { reply: string } }) {
    return { passed: output.reply.includes('${word}'), overallScore: 50, verdicts: [] }
  },
}
export default createEvalSuite({ agent, judge })
export const cases = [{ id: 'one', input: 'hello' }]
`
    const cwd = project({ 'desk.suite.ts': suite('nothing') })
    installViva(cwd)
    await viva(['test', 'desk.suite.ts', '-o', 'results.jsonl'], { cwd })
    expect(results(join(cwd, 'results.jsonl'))).toMatchObject([{ status: 'failed' }])
    const calls = readFileSync(join(cwd, 'calls.txt'), 'utf8')
    writeFileSync(join(cwd, 'desk.suite.ts'), suite('hello'))
    const { exitCode, lines } = await grade(cwd, ['desk.suite.ts'])
    expect(lines).toMatchObject([{ status: 'passed', origin: 'graded' }])
    expect(exitCode).toBe(0)
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe(calls)
    writeFileSync(join(cwd, 'desk.suite.ts'), suite('hello').replace("input: 'hello'", "input: 'other'"))
    const changed = await grade(cwd, ['desk.suite.ts'])
    expect(changed.lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'input_changed' }])
    expect(changed.exitCode).toBe(3)
  })

  it('refuses a suite whose agent has another name now, so that nothing would be graded', async () => {
    const suite = (name: string) => `import { createEvalSuite } from 'vivavoce'
const agent = { name: '${name}', execute: (text: string) => text }
export default createEvalSuite({ agent })
export const cases = [{ id: 'one', input: 'hello', assert: { type: 'contains', value: 'bye' } }]
`
    const cwd = project({ 'desk.suite.ts': suite('first'), 'other.suite.ts': suite('other') })
    installViva(cwd)
    await viva(['test', 'desk.suite.ts', 'other.suite.ts', '-o', 'results.jsonl'], { cwd })
    writeFileSync(join(cwd, 'desk.suite.ts'), suite('second'))
    const { exitCode, stderr } = await grade(cwd, ['desk.suite.ts'])
    expect(stderr).toContain('results.jsonl has results of 1 case only with other agents than now: one')
    expect(stderr).toContain('its results are of first, other: run the cases again')
    expect(exitCode).toBe(2)
    const both = await grade(cwd, ['desk.suite.ts', 'other.suite.ts'])
    expect(both.stderr).toContain('only with other agents than now: one')
    expect(both.lines).toMatchObject([{ variant: 'other', status: 'failed' }])
  })
})

describe('viva grade of rules that end a conversation', () => {
  const asks = { id: 'asks', turns: [{ input: 'hi', assert: says('Which') }] }

  it.each([
    ['fail', 'end'],
    ['end', 'fail'],
    ['end', 'skip'],
    ['skip', 'end'],
  ])(
    'recorded with --on-missing-input %s and graded with %s, a case is what it is live',
    async (then, now) => {
      const missing = (value: string) => ['-n', './agent.mjs', '--on-missing-input', value]
      const files = { 'agent.mjs': "export default () => 'Which one?'\n" }
      const cwd = await recorded([asks], { flags: missing(then), files })
      await viva(['test', 'cases.jsonl', '-o', 'live.jsonl', ...missing(now)], { cwd })
      const { lines } = await grade(cwd, ['cases.jsonl', '--on-missing-input', now])
      const about = ({ status, error_kind, termination }: Line = {}) => ({ status, error_kind, termination })
      expect(about(lines[0])).toEqual(about(results(join(cwd, 'live.jsonl'))[0]))
    },
  )

  it('a lower limit of turns fails a conversation that took longer', async () => {
    const user = {
      'app.yao': '{}',
      'connectors/user.conn.yao': JSON.stringify({
        type: 'scripted',
        options: {
          rules: [
            {
              when: { user: '"turn_number":4\\b' },
              reply: JSON.stringify({ message: 'bye', goal_achieved: true }),
            },
            { reply: JSON.stringify({ message: 'more', goal_achieved: false }) },
          ],
        },
      }),
      'assistants/user/package.yao': JSON.stringify({ name: 'User', connector: 'user' }),
      'assistants/user/prompts.yml': '- role: system\n  content: You are a customer.\n',
    }
    const limited = (max_turns: number) => ({
      id: 'long',
      max_turns,
      simulator: { use: 'user', persona: 'p', goal: 'g' },
      final_assertions: says('said'),
    })
    const cwd = await recorded([limited(8)], { files: user })
    expect(results(join(cwd, 'results.jsonl'))).toMatchObject([
      { status: 'passed', termination: { reason: 'goal_achieved' } },
    ])
    expect((await grade(cwd)).lines).toMatchObject([{ status: 'passed' }])
    writeCases(cwd, limited(2))
    const { lines } = await grade(cwd)
    expect(lines).toMatchObject([{ status: 'failed', error_kind: 'max_turns', total_turns: 2 }])
  })
})

describe('viva grade with results and cases that do not fit', () => {
  type Misfit = [what: string, prepare: (cwd: string) => void, flags: string[], message: string]
  const cases: Misfit[] = [
    [
      'a file that holds no results',
      (cwd) => writeFileSync(join(cwd, 'results.jsonl'), '{"a": 1}\n'),
      [],
      'results.jsonl is not a results file of viva',
    ],
    ['a file that is not there', () => {}, ['none.jsonl'], 'no such file: none.jsonl'],
    [
      'results of a newer version',
      (cwd) => edit(cwd, (text) => text.replace(/"schema_version":\d+/, '"schema_version":99')),
      [],
      'is newer than this one',
    ],
    [
      'results that were graded',
      (cwd) =>
        edit(cwd, (text) =>
          text.replace(
            '{"type":"start",',
            '{"type":"start","origin":{"kind":"graded","from":"first.jsonl"},',
          ),
        ),
      [],
      'results.jsonl was itself made by viva grade (give first.jsonl)',
    ],
    [
      'no case in common',
      (cwd) => writeCases(cwd, { id: 'other', input: 'x' }),
      [],
      'results.jsonl has no result of any of these cases',
    ],
    ...[
      { metadata: { plan: 'gold' } },
      { options: { mode: 'fast' } },
      { stubs: { find: { result: 'nothing' } } },
      { team: 'red' },
      { turns: [{ input: 'hello', options: { mode: 'fast' } }], input: undefined },
    ].map(
      (given): Misfit => [
        `what the agent was not given: ${Object.keys(given)[0]}`,
        (cwd) => writeCases(cwd, { ...hello, ...given }, bye),
        [],
        'cases.jsonl:1: hello: the recorded conversation is not one of this case any more: its stubs, metadata, options, user or team are others now',
      ],
    ),
    [
      'a message that was changed',
      (cwd) => writeCases(cwd, { ...hello, input: 'hi' }, bye),
      [],
      'cases.jsonl:1: hello: the recorded conversation is not one of this case any more: turn 1 was "hello", and is "hi" now',
    ],
    ['a message as the input', () => {}, ['-i', 'Say hello'], 'a message checks nothing'],
    [
      'results that are also the output',
      () => {},
      ['-o', 'results.jsonl'],
      'results.jsonl is an input of the run',
    ],
    ['a flag of viva test that makes no sense', () => {}, ['--runs', '2'], "unknown option '--runs'"],
    [
      'snapshots that are to be updated',
      () => {},
      ['--update-snapshots'],
      "unknown option '--update-snapshots'",
    ],
  ]

  function edit(cwd: string, change: (text: string) => string): void {
    const path = join(cwd, 'results.jsonl')
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }

  it.each(cases)('refuses %s', async (_, prepare, flags, message) => {
    const cwd = await recorded()
    prepare(cwd)
    const [first = ''] = flags
    const args = first.endsWith('.jsonl')
      ? [first, 'cases.jsonl']
      : ['results.jsonl', ...(first === '-i' ? [] : ['cases.jsonl']), ...flags]
    const { exitCode, stderr } = await viva(['grade', ...args], { cwd })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('refuses results that were written without what was said', async () => {
    const cwd = await recorded([hello], { flags: ['-n', './agent.mjs', '--no-transcripts'] })
    const { exitCode, stderr } = await grade(cwd)
    expect(stderr).toContain(
      'results.jsonl was written with --no-transcripts: there are no conversations in it\n',
    )
    expect(exitCode).toBe(2)
  })

  it('refuses a case file that was renamed, instead of guessing', async () => {
    const cwd = await recorded()
    writeFileSync(join(cwd, 'renamed.jsonl'), jsonl(hello, bye))
    const { exitCode, stderr } = await grade(cwd, ['renamed.jsonl'])
    expect(stderr).toContain('the case hello of renamed.jsonl is in results.jsonl as a case of cases.jsonl')
    expect(exitCode).toBe(2)
  })

  it('names cases without a result and results without a case, and grades the rest', async () => {
    const cwd = await recorded()
    writeCases(cwd, hello, { id: 'fresh', input: 'x' })
    const { exitCode, stderr, lines } = await grade(cwd)
    expect(stderr).toContain('results.jsonl: 1 case is gone: bye')
    expect(stderr).toContain('results.jsonl has no result of 1 case: fresh')
    expect(lines.map(({ id }) => id)).toEqual(['hello'])
    expect(exitCode).toBe(0)
  })

  it('does not miss cases that are not selected, or that have changed and are left out', async () => {
    const cwd = await recorded()
    writeCases(cwd, hello, { ...bye, input: 'other' })
    const { exitCode, stderr } = await grade(cwd, ['cases.jsonl', '--run', 'hello'])
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
  })

  it('names a line that is torn or damaged, and grades the rest', async () => {
    const cwd = await recorded()
    const lines = readFileSync(join(cwd, 'results.jsonl'), 'utf8').trimEnd().split('\n')
    const whole = lines.filter((line) => !line.startsWith('{"type":"summary"'))
    const last = whole.at(-1) ?? ''
    writeFileSync(join(cwd, 'results.jsonl'), [...whole.slice(0, -1), last.slice(0, 200)].join('\n'))
    const torn = await grade(cwd)
    expect(torn.stderr).toMatch(/cannot read line 3 \(bye\)/)
    expect(torn.stderr).toContain('has no result of 1 case: bye')
    expect(torn.lines).toHaveLength(1)
    appendFileSync(join(cwd, 'results.jsonl'), `\n${last}\n`)
    const damaged = await grade(cwd)
    expect(damaged.stderr).toMatch(/cannot read line 3 \(bye\)/)
    expect(damaged.lines).toHaveLength(2)
  })

  it('leaves out results of which a part is damaged', async () => {
    const cwd = await recorded()
    const path = join(cwd, 'results.jsonl')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('"awaiting_input"', '"tool_calls":"x","awaiting_input"'),
    )
    const { stderr, lines } = await grade(cwd)
    expect(stderr).toContain('results.jsonl: cannot read line 2 (hello); a result that was there is missing')
    expect(lines.map(({ id }) => id)).toEqual(['bye'])
  })

  it('refuses a damaged file of snapshots before anything is graded', async () => {
    const cwd = await recorded([{ ...hello, assert: { type: 'snapshot' } }])
    writeFileSync(join(cwd, 'cases.jsonl.snap'), '<<<<<<< HEAD\n')
    const { exitCode, stderr } = await grade(cwd)
    expect(stderr).toContain('cases.jsonl.snap:1: a merge conflict is not resolved')
    expect(exitCode).toBe(2)
  })

  it('leaves script tests out, and counts them', async () => {
    const test = 'export function TestIt(t: any, assert: any) { assert.True(true) }\n'
    const cwd = await recorded([hello], { files: { 'agents/x_test.ts': test } })
    const line = {
      type: 'result',
      file: 'x_test.ts',
      id: 'TestIt',
      variant: 'scripts',
      run: 1,
      attempt: 1,
      kind: 'script',
    }
    const rest = {
      status: 'passed',
      case_hash: '',
      mode: 'single_turn',
      session_id: '',
      duration_ms: 1,
      termination: { reason: 'completed', detail: '' },
      script: { assertions: 1 },
    }
    appendFileSync(join(cwd, 'results.jsonl'), jsonl({ ...line, ...rest }))
    const { exitCode, stderr } = await grade(cwd)
    expect(stderr).toContain('1 script test has no conversation: left out')
    expect(exitCode).toBe(0)
  })

  it('grades results that were masked with the same masks', async () => {
    const mail = { id: 'mail', input: 'write to ada@example.com', assert: says('said') }
    const mask = ['--mask', '/[a-z]+@example.com/']
    const cwd = await recorded([mail], { flags: ['-n', './agent.mjs', ...mask] })
    const without = await grade(cwd)
    expect(without.stderr).toContain('results written with --mask need the same --mask')
    expect(without.exitCode).toBe(2)
    expect((await grade(cwd, ['cases.jsonl', ...mask])).exitCode).toBe(0)
  })

  it('grades a message in which was masked what a tool was called with', async () => {
    const cwd = project({
      'agent.mjs':
        "export default () => ({ content: 'booked', tool_calls: [{ name: 'book', arguments: { guest: 'Kimberley' } }] })\n",
      'cases.jsonl': jsonl({ id: 'book', input: 'Book for Kimberley', assert: says('booked') }),
    })
    const mask = ['--mask', 'guest']
    await viva(['test', 'cases.jsonl', '-n', './agent.mjs', '-o', 'results.jsonl', ...mask], { cwd })
    expect(readFileSync(join(cwd, 'results.jsonl'), 'utf8')).not.toContain('Kimberley')
    const { exitCode, stderr, lines } = await grade(cwd, ['cases.jsonl', ...mask])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(lines).toMatchObject([{ id: 'book', status: 'passed' }])
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ id: 'book', input: 'Cancel for Kimberley' }))
    expect((await grade(cwd, ['cases.jsonl', ...mask])).exitCode).toBe(2)
  })
})
