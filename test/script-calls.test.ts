import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findUnreported } from './support/mistakes.ts'
import { jsonl, project, results, viva } from './support/viva.ts'

const echo =
  'export default (input: string, ctx) => ctx.metadata.shout ? String(input).toUpperCase() : input\n'

async function run(files: Record<string, string>, cases: object[], ...args: string[]) {
  const cwd = project({ 'app.yao': '{}', 'agent.ts': echo, 'cases.jsonl': jsonl(...cases), ...files })
  const inputs = args.includes('-i') ? [] : ['-i', 'cases.jsonl']
  const ended = await viva(['test', ...inputs, '-n', './agent.ts', '-o', 'x.jsonl', ...args], { cwd })
  const journal = join(cwd, 'x.jsonl')
  return { ...ended, cwd, lines: existsSync(journal) ? results(journal) : [] }
}

describe('script checks', () => {
  const files = {
    'scripts/tests.ts': `
      export function Check(output, input, value, ctx) { return output === value && input === 'hi' && ctx.User.ID === 'test-user' }
      function Hidden(output) { return { pass: output.length > 1, message: 'it has ' + output.length } }
      export const Verdict = async (output, input, value, ctx) => ({ passed: ctx.metadata.min < output.length, reason: 'by length', score: 0.5 })
      export const Throws = () => { throw new Error('broken') }
      export const Odd = () => 'maybe'
      export const Expected = (output, input, expected) => output === expected.text
      export const Never = () => new Promise(() => setInterval(() => {}, 99))`,
    'scripts/validate-expense.ts': 'export default (output) => output === "hi"\n',
    'beside.ts': 'export function beside(output) { return output === "hi" }\n',
  }
  const scriptCase = (assertion: object, more: object = {}) => ({
    id: 'a',
    input: 'hi',
    assert: { type: 'script', ...assertion },
    ...more,
  })

  const accepted: [string, object][] = [
    ['(output, input, value, ctx)', scriptCase({ script: 'scripts.tests.Check', value: 'hi' })],
    ['a function that is not exported', scriptCase({ script: 'scripts.tests.Hidden' })],
    ['metadata of its own', scriptCase({ use: 'scripts:tests.Verdict', options: { metadata: { min: 1 } } })],
    ['the default export', scriptCase({ use: 'scripts:validate-expense' })],
    ['a file beside the cases', scriptCase({ script: 'beside' })],
    ['what the case expects', scriptCase({ script: 'tests.Expected' }, { expected: { text: 'hi' } })],
    [
      'a group of checks',
      {
        id: 'a',
        input: 'hi',
        assert: { type: 'all_of', assertions: [{ type: 'script', script: 'scripts.tests.Hidden' }] },
      },
    ],
    ['negation', scriptCase({ script: 'scripts.tests.Check', value: 'ho', negate: true })],
  ]
  it('a script check gets output, input, value and ctx, and may be written in every supported form', async () => {
    const cases = accepted.map(([id, written]) => ({ ...written, id }))
    const { lines, exitCode } = await run(files, cases)
    expect(lines.map(({ id, status }) => [id, status])).toEqual(accepted.map(([id]) => [id, 'passed']))
    expect(exitCode).toBe(0)
  })

  it('a script check that fails reports its own message', async () => {
    const { lines, exitCode } = await run(files, [
      scriptCase({ script: 'scripts.tests.Check', value: 'ho' }),
      { ...scriptCase({ script: 'scripts.tests.Hidden' }), id: 'b', input: 'h' },
    ])
    expect(lines.map(({ assertion_errors }) => assertion_errors)).toEqual([
      ['scripts.tests.Check says no'],
      ['it has 1'],
    ])
    expect(exitCode).toBe(1)
  })

  it('a script check that throws or returns no verdict is an infrastructure error', async () => {
    const words = {
      'tests.Throws': 'could not be judged: broken',
      'tests.Odd': 'tests.Odd returned "maybe": it must return true, false',
    }
    const cases = Object.keys(words).map((script) => ({ ...scriptCase({ script }), id: script }))
    const { lines, exitCode } = await run(files, cases)
    for (const [index, said] of Object.values(words).entries()) {
      expect(lines[index]).toMatchObject({ status: 'failed', fault: 'infrastructure' })
      expect(JSON.stringify(lines[index]?.assertions)).toContain(JSON.stringify(said).slice(1, -1))
    }
    expect(exitCode).toBe(3)
  })

  it('a script check that never ends is an infrastructure error at the timeout of the case', async () => {
    const { lines, exitCode } = await run(files, [
      scriptCase({ script: 'tests.Never' }, { timeout: '1500ms' }),
    ])
    expect(lines[0]).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'timeout' })
    expect(exitCode).toBe(3)
  })

  it('a script check without a script is refused', async () => {
    const refused: [object, string][] = [
      [scriptCase({ script: 'scripts.tsets.Check' }), 'no script "scripts.tsets.Check"'],
      [scriptCase({ value: 1 }), 'script needs a "script" or a "use"'],
    ]
    const cases = refused.map(([written], index) => ({ ...written, id: `c${index}` }))
    const { exitCode, stderr } = await run(files, cases)
    const messages = refused.map(([, message], index) => ({ id: `c${index}`, message }))
    expect(findUnreported(messages, stderr)).toEqual([])
    expect(exitCode).toBe(2)
  })

  it('a script check with an unknown function is refused', async () => {
    const { exitCode, stderr } = await run(files, [scriptCase({ script: 'scripts.tests.Chekc' })])
    expect(stderr).toContain('there is no export "Chekc"')
    expect(exitCode).toBe(2)
  })
})

describe('before, after, --before-all and --after-all', () => {
  const env = `
    import { appendFileSync } from 'node:fs'
    const note = (...words) => appendFileSync('notes.txt', words.join(' ') + '\\n')
    function Before(ctx, testCase) { ctx.variables.set = 1; return { data: { user: 'u-' + testCase.id } } }
    function After(ctx, testCase, result, before) { console.log('after', testCase.id, result.status, before?.user, ctx.variables.user, ctx.variables.set) }
    function Broken() { throw new Error('no database') }
    function BeforeAll(ctx, cases) { return { suite: cases.map((each) => each.id).join() } }
    function AfterAll(ctx, results, before) { console.log('all', results.map((each) => each.id + ' ' + each.status).join(), before.suite) }
    export const Look = (output, input, value, ctx) => ({ pass: ctx.variables.user === value, message: JSON.stringify(ctx.variables) })`
  const files = { 'env_test.ts': env }

  it('before, checks and after of a case share variables', async () => {
    const { lines, exitCode } = await run(files, [
      {
        id: 'a',
        input: 'hi',
        before: 'env_test.Before',
        after: 'env.After',
        assert: [
          { type: 'script', script: 'env_test.Look', value: 'u-a' },
          { type: 'equals', value: 'hi' },
        ],
      },
    ])
    expect(lines[0]).toMatchObject({ status: 'passed', logs: ['after a passed u-a u-a 1'] })
    expect(exitCode).toBe(0)
  })

  it('json_path finds the variables that before set', async () => {
    const { exitCode } = await run(files, [
      {
        id: 'a',
        before: 'env_test.Before',
        turns: [{ input: 'hi' }],
        final_assertions: { type: 'json_path', path: 'user', value: 'u-a' },
      },
    ])
    expect(exitCode).toBe(0)
  })

  it('before and after that fail are infrastructure errors, and after runs in any case', async () => {
    const { lines, exitCode } = await run(files, [
      { id: 'a', input: 'hi', expected: 'hi', before: 'env_test.Broken', after: 'env_test.After' },
      { id: 'b', input: 'hi', expected: 'hi', after: 'env_test.Broken' },
      { id: 'c', input: 'hi', expected: 'ho', after: 'env_test.Broken' },
    ])
    expect(lines).toMatchObject([
      { status: 'failed', fault: 'infrastructure', error_kind: 'before_error', error: 'before: no database' },
      { status: 'failed', fault: 'infrastructure', error_kind: 'after_error', error: 'after: no database' },
      { status: 'failed', fault: 'agent', logs: ['after: no database'] },
    ])
    expect(lines[0]?.logs).toEqual(['after a failed undefined undefined undefined'])
    expect(exitCode).toBe(1)
  })

  it('--before-all and --after-all run around the whole run', async () => {
    const cases = [
      { id: 'a', input: 'hi', assert: { type: 'script', script: 'env_test.Suite' } },
      { id: 'b', input: 'hi', expected: 'ho' },
    ]
    const suite = `${env}\nexport const Suite = (output, input, value, ctx) => ctx.variables.suite === 'a,b'\n`
    const { stdout, exitCode } = await run(
      { 'env_test.ts': suite },
      cases,
      '--before-all',
      'env_test.BeforeAll',
      '--after-all',
      'env_test.AfterAll',
    )
    expect(stdout).toContain('all a passed,b failed a,b')
    expect(exitCode).toBe(1)
  })

  it('--before-all that fails ends the run with 3 before any case', async () => {
    const { stderr, exitCode } = await run(
      files,
      [{ id: 'a', input: 'hi', expected: 'hi' }],
      '--before-all',
      'env_test.Broken',
    )
    expect(stderr).toContain('--before-all env_test.Broken failed, nothing was run: no database')
    expect(exitCode).toBe(3)
  })

  it('--after-all that fails ends the run with 3', async () => {
    const { stdout, exitCode } = await run(
      files,
      [{ id: 'a', input: 'hi', expected: 'hi' }],
      '--after-all',
      'env_test.Broken',
    )
    expect(stdout).toContain('--after-all env_test.Broken failed: no database')
    expect(exitCode).toBe(3)
  })
})

describe('simulators that are scripts', () => {
  const files = {
    'scripts/users.ts': `
      export function impatient(params, ctx) {
        if (params.turn_number > 2) return { goal_achieved: true, reasoning: 'done' }
        return { message: params.persona + ' ' + params.turn_number + ' ' + ctx.User.ID }
      }
      export const broken = () => { throw new Error('no idea') }`,
  }

  it('a script simulator plays the user', async () => {
    const { lines, exitCode } = await run(files, [
      {
        id: 'a',
        simulator: { use: 'scripts:users.impatient', persona: 'Ada' },
        final_assertions: { type: 'equals', value: 'Ada 2 test-user' },
      },
    ])
    expect(lines[0]).toMatchObject({
      status: 'passed',
      termination: { reason: 'goal_achieved' },
      total_turns: 2,
    })
    expect(exitCode).toBe(0)
  })

  it('a script simulator is looked for beside its own case file', async () => {
    const simulated = jsonl({ id: 'a', simulator: { use: 'scripts:mine' } })
    const mine = {
      'b/mine.ts': 'export default (params) => ({ goal_achieved: params.turn_number > 1, message: "hi" })',
      'b/y.jsonl': simulated,
    }
    const { exitCode, stderr } = await run(
      { ...mine, 'a/x.jsonl': jsonl({ id: 'x', input: 'hi' }) },
      [],
      '-i',
      'a/x.jsonl',
      '-i',
      'b/y.jsonl',
    )
    expect(exitCode, stderr).toBe(0)
  })

  it('a script simulator that throws is an infrastructure error', async () => {
    const { lines, exitCode } = await run(files, [{ id: 'a', simulator: { use: 'scripts:users.broken' } }])
    expect(lines[0]).toMatchObject({
      status: 'skipped',
      fault: 'infrastructure',
      skip_reason: 'simulator error: no idea',
    })
    expect(exitCode).toBe(3)
  })
})

describe('generators that are scripts', () => {
  const files = {
    'scripts/tests.ts': `
      export function generate(params) {
        return Array.from({ length: params.count }, (_, index) => ({ id: params.focus + index, input: 'hi', expected: 'hi' }))
      }
      export const wrong = () => [{ id: 'a', inputs: 'hi' }]
      export const nothing = () => []
      export const text = () => 'cases'`,
  }

  it('the cases of a script generator are played like those of a file', async () => {
    const { lines, exitCode } = await run(files, [], '-i', 'scripts:tests.generate?count=3&focus=edge')
    expect(lines.map(({ id, status }) => [id, status])).toEqual([
      ['edge0', 'passed'],
      ['edge1', 'passed'],
      ['edge2', 'passed'],
    ])
    expect(exitCode).toBe(0)
  })

  it('a script generator gets the default parameters', async () => {
    expect((await run(files, [], '-i', 'scripts:tests.generate')).lines.map(({ id }) => id)).toHaveLength(10)
  })

  it.each([
    ['wrong', 'unknown key "inputs"'],
    ['nothing', 'no cases in scripts:tests.nothing'],
    ['text', 'a generator must return a list of cases'],
    ['missing', 'there is no export "missing"'],
  ])('a script generator that is %s is refused', async (name, message) => {
    const { stderr, exitCode } = await run(files, [], '-i', `scripts:tests.${name}`)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})

describe('scripts that call each other', () => {
  const scriptsCallingAgents = {
    'connectors/rules.conn.yao': JSON.stringify({
      type: 'scripted',
      options: {
        rules: [
          { when: { tool: '.*', result: '(?s)(.*)' }, reply: '{{1}}' },
          { when: { user: '(\\d+)' }, tool_calls: [{ name: 'deep__down', arguments: { level: '{{1}}' } }] },
        ],
      },
    }),
    'assistants/deep/package.yao': JSON.stringify({
      name: 'deep',
      connector: 'rules',
      mcp: { servers: ['deep'] },
    }),
    'mcps/deep.mcp.yao': '{ "transport": "process", "tools": { "down": "scripts.deep.Down" } }',
    'mcps/mapping/deep/schemes/down.in.yao': '{ "type": "object", "properties": { "level": {} } }',
    'scripts/deep.ts': `
      function Down(args, ctx) {
        const level = Number(args.level)
        const said = Process('db.note', level)
        return level <= 1 ? 'bottom ' + said : ctx.agent.Call('deep', String(level - 1)).content + ' < ' + level
      }`,
  }
  const test = (level: number) => `
    function TestDeep(t, ctx) {
      t.mock('db.note', (level) => level === 3 ? 'asked ' + Process('agents.deep.Stream', '1').content : 'noted ' + level)
      const { content } = Process('agents.deep.Stream', ctx, '${level}')
      t.assert.Contains(content, 'bottom noted 1')
    }`

  it('scripts may call each other eight deep, many at once, with mocks that call back', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `tests/n${index}_test.ts`)
    const cwd = project({
      'app.yao': '{}',
      ...scriptsCallingAgents,
      ...Object.fromEntries(names.map((name) => [name, test(7)])),
    })
    const { stdout, exitCode } = await viva(['test', ...names, '--parallel', '6', '--timeout', '2m'], {
      cwd,
    })
    expect(stdout).toContain('6 passed, 0 failed')
    expect(exitCode).toBe(0)
  }, 120_000)

  it('a ninth level of calls is refused with the chain of calls', async () => {
    const cwd = project({ 'app.yao': '{}', ...scriptsCallingAgents, 'own_test.ts': test(8) })
    const { stdout, exitCode } = await viva(['test', 'own_test.ts'], { cwd })
    const chain = ['TestDeep', ...Array.from({ length: 8 }, () => 'scripts.deep.Down')].join(' → ')
    expect(stdout).toContain(`scripts call each other more than 8 levels deep: ${chain}`)
    expect(exitCode).toBe(1)
  })
})
