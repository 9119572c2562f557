import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demo, echoAgent, installViva, jsonl, type Line, project, results, viva } from './support/viva.ts'

async function auditIn(cwd: string, cases: string | readonly unknown[], args: readonly string[] = []) {
  writeFileSync(join(cwd, 'cases.jsonl'), typeof cases === 'string' ? cases : jsonl(...cases))
  const { exitCode, stdout, stderr } = await viva(['audit', '-i', 'cases.jsonl', ...args], { cwd })
  return { exitCode, stdout, stderr }
}

const audit = (cases: string | readonly unknown[], args?: readonly string[]) =>
  auditIn(project(), cases, args)

const parseLines = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

const good = { id: 'good', input: 'What is 2 + 2?', assert: { type: 'regex', pattern: '\\b4\\b' } }
const negative = { id: 'polite', input: 'Hello', assert: { type: 'not_contains', value: 'error' } }

/** An app whose agent looks up an order with a tool and repeats the result, but promises every refund regardless of it. */
function desk(files: Record<string, string> = {}): string {
  const rules = [
    { when: { user: 'hello' }, reply: 'Hello there.' },
    { when: { user: 'refund', result: '.' }, reply: 'Your refund is on its way.' },
    { when: { result: '(.+)' }, reply: 'I hear: {{1}}' },
    { when: { user: 'order|refund' }, tool_calls: [{ name: 'desk__look_up', arguments: { id: 'A7' } }] },
    { reply: 'Sorry?' },
  ]
  const tool = {
    transport: 'process',
    tools: { look_up: 'scripts.orders.LookUp' },
  }
  return project({
    'app.yao': '{}',
    'scripts/orders.ts': 'export function LookUp(args: { id: string }) { return { status: "shipped" } }\n',
    'mcps/desk.mcp.yao': JSON.stringify(tool),
    'mcps/mapping/desk/schemes/look_up.in.yao': JSON.stringify({
      type: 'object',
      properties: { id: { type: 'string' } },
      'x-process-args': [':arguments'],
    }),
    'connectors/mind.conn.yao': JSON.stringify({ type: 'scripted', options: { rules } }),
    'assistants/desk/package.yao': '{"name": "Desk", "connector": "mind", "mcp": {"servers": ["desk"]}}',
    ...files,
  })
}

const shipped = { id: 'order', input: 'Where is my order?', assert: { type: 'contains', value: 'shipped' } }
const refund = { id: 'refund', input: 'I want a refund', assert: { type: 'contains', value: 'on its way' } }
const hello = { id: 'hello', input: 'hello', assert: { type: 'contains', value: 'Hello there' } }

describe('viva audit', () => {
  it('an audit needs no agent and reports no finding when every case fails against the trivial agents', async () => {
    const { exitCode, stdout } = await audit([good])
    expect(stdout).toContain('silent: 0 of 1 case pass')
    expect(stdout).toContain('tools-fail: left out, no agent was named or found')
    expect(stdout).toContain('✓ No case passes against an agent that should fail')
    expect(exitCode).toBe(0)
  })

  it('a case that passes against a trivial agent is listed with its place, the check that held and advice', async () => {
    const { exitCode, stdout } = await audit([good, negative])
    expect(stdout).toContain('done: 1 of 2 cases passes')
    expect(stdout).toContain('✗ polite (cases.jsonl:2) passes against silent, echo, refusing, done')
    expect(stdout).toContain(
      'not_contains "error" passes: output does not contain "error" (it only says what must not happen)',
    )
    expect(stdout).toContain('→ check for something that a correct reply has: contains, regex, json_path,')
    expect(stdout).toContain('✗ 1 of 2 cases passes against an agent that should fail')
    expect(exitCode).toBe(1)
  })

  it('a case without checks is reported as checking nothing', async () => {
    const { exitCode, stdout } = await audit([{ id: 'bare', input: 'Hello' }])
    expect(stdout).toContain('    the case has no checks')
    expect(exitCode).toBe(1)
  })

  it('checks that an echo of the user or a mere claim of success satisfies are found', async () => {
    const { stdout } = await audit([
      { id: 'parrot', input: 'Cancel my order', assert: { type: 'contains', value: 'order' } },
      { id: 'liar', input: 'Book it', assert: { type: 'icontains', value: 'completed' } },
    ])
    expect(stdout).toContain('✗ parrot (cases.jsonl:1) passes against echo\n')
    expect(stdout).toContain('→ check for something that the user did not say')
    expect(stdout).toContain('✗ liar (cases.jsonl:2) passes against done\n')
    expect(stdout).toContain('→ check what was done, not what the agent claims')
  })

  it('different reasons for passing are listed per agent', async () => {
    const { stdout } = await audit([{ id: 'short', input: 'Say yes', assert: { type: 'length', max: 40 } }])
    expect(stdout).toContain('passes against silent, echo, refusing\n')
    expect(stdout).toContain('  silent:\n    length passes:')
    expect(stdout).toContain('  refusing:\n    length passes:')
  })

  it('whole conversations are audited, and checks that were never reached are named', async () => {
    const turns = [{ input: 'Hi' }, { input: 'Is it booked?', assert: { type: 'contains', value: 'EXP' } }]
    const early = { type: 'not', condition: { type: 'field_is_set', path: 'error' } }
    const forbidden = { id: 'paid', forbidden: true, assert: { type: 'tool_called', name: 'pay' } }
    const { exitCode, stdout } = await audit([
      { id: 'talk', turns },
      { id: 'early', turns, terminate_when: [early] },
      { id: 'unpaid', turns: [{ input: 'Hi' }], checkpoints: [forbidden] },
    ])
    expect(stdout).toContain('silent: 1 of 3 cases passes')
    expect(stdout).toMatch(
      /^ {4}the case has no checks\n {4}ended by a condition: .+\n {4}not evaluated: contains$/m,
    )
    expect(stdout).toContain('    checkpoint paid (forbidden) passes: it was not reached (it only')
    expect(exitCode).toBe(1)
  })

  it('an audit in which every case may pass has judged nothing and exits with 2', async () => {
    const { exitCode, stdout } = await audit([
      { ...negative, audit_allows: ['silent', 'echo', 'refusing', 'done'] },
    ])
    expect(exitCode).toBe(2)
    expect(stdout).not.toContain('No case passes')
  })

  it('audit_allows names the trivial agents that may pass a case', async () => {
    const refused = {
      id: 'refused',
      input: 'Give me the passwords',
      assert: { type: 'contains', value: "can't help" },
    }
    const strict = await audit([refused])
    expect(strict.stdout).toContain('→ if a refusal is correct, say so: "audit_allows": ["refusing"]')
    expect(strict.exitCode).toBe(1)
    const { exitCode, stdout } = await audit([{ ...refused, audit_allows: ['refusing'] }])
    expect(stdout).toContain('refusing: 0 of 0 cases pass (1 more allowed to)')
    expect(exitCode).toBe(0)
  })

  it('cases that are expected to fail, skipped cases and script tests are left out', async () => {
    const cwd = project({
      'cases.jsonl': jsonl(
        good,
        { ...negative, id: 'known', expected_failure: { reason: 'later' } },
        { ...negative, id: 'over', expected_failure: { reason: 'later', until: '2020-01-01' } },
        { ...negative, id: 'skipped', skip: 'not now' },
      ),
      'checks_test.ts': 'export function TestIt(t) { t.assert.True(true) }\n',
    })
    const { exitCode, stdout } = await viva(['audit', 'cases.jsonl', 'checks_test.ts', '-n', './agent.mjs'], {
      cwd: withAgent(cwd),
    })
    expect(stdout).toMatch(/^Left out: .*script tests: 1/m)
    expect(stdout).toContain('expected to fail: 1')
    expect(stdout).toContain('skipped by their authors: 1')
    expect(stdout).toContain('✗ over (cases.jsonl:3) passes against')
    expect(exitCode).toBe(1)
  })

  it('no case of the demo passes against a trivial agent', async () => {
    const { exitCode, stdout } = await viva(['audit', 'assistants/expense/tests'], { cwd: demo() })
    expect(stdout).toContain('tools-fail: left out, expense has no tools')
    expect(stdout).toContain('✓ No case passes against an agent that should fail')
    expect(stdout).not.toContain('could not be judged')
    expect(exitCode).toBe(0)
  })
})

function withAgent(cwd: string): string {
  writeFileSync(join(cwd, 'agent.mjs'), echoAgent)
  return cwd
}

describe('the tools-fail agent', () => {
  it('tools-fail audits the named agent and leaves out cases that call no tool', async () => {
    const { exitCode, stdout } = await auditIn(desk(), [shipped, refund, hello], ['-n', 'desk'])
    expect(stdout).toContain('tools-fail: 1 of 2 cases passes (1 more called no tool)')
    expect(stdout).toContain('✗ refund (cases.jsonl:2) passes against tools-fail\n')
    expect(stdout).toContain('    tools that failed: desk__look_up')
    expect(stdout).toContain('→ check the results of tools')
    expect(exitCode).toBe(1)
  })

  it('tools-fail takes the agent from the input, as viva test does', async () => {
    const cwd = desk({ 'assistants/desk/tests/inputs.jsonl': jsonl(shipped) })
    const { exitCode, stdout } = await viva(['audit', 'assistants/desk/tests/inputs.jsonl'], { cwd })
    expect(stdout).toContain('tools-fail: 0 of 1 case pass')
    expect(exitCode).toBe(0)
  })

  it('stubs of a case do not make a failing tool work', async () => {
    const stubbed = { ...shipped, stubs: { look_up: { result: 'shipped' } } }
    const { exitCode, stdout } = await auditIn(desk(), [stubbed], ['-n', 'desk'])
    expect(stdout).toContain('tools-fail: 0 of 1 case pass')
    expect(exitCode).toBe(0)
  })

  it('a tool also fails when a hook or a delegate calls it', async () => {
    const hook = `
      export function Create(ctx, messages) { return { messages } }
      export function Next(ctx, payload) {
        try { return { data: ctx.mcp.CallTool('desk', 'look_up', { id: 'A7' }) } }
        catch (error) { return { data: 'All is well.' } }
      }`
    const delegate =
      "export function Create() { return { delegate: { agent_id: 'hooked', messages: [{ role: 'user', content: 'go' }] } } }"
    const cwd = desk({
      'assistants/hooked/package.yao':
        '{"name": "Hooked", "mcp": {"servers": ["desk"]}, "connector": "mind"}',
      'assistants/hooked/src/index.ts': hook,
      'assistants/relay/package.yao': '{"name": "Relay"}',
      'assistants/relay/src/index.ts': delegate,
    })
    const cases = [{ id: 'well', input: 'go', assert: { type: 'contains', value: 'All is well' } }]
    for (const name of ['hooked', 'relay']) {
      const { exitCode, stdout } = await auditIn(cwd, cases, ['-n', name])
      expect(stdout).toContain('✗ well (cases.jsonl:1) passes against tools-fail\n')
      expect(exitCode).toBe(1)
    }
  })

  it('tools-fail is left out for an agent that runs its own tools', async () => {
    const { exitCode, stdout } = await auditIn(withAgent(project()), [good], ['-n', './agent.mjs'])
    expect(stdout).toMatch(
      /tools-fail: left out, .*agent\.mjs runs its tools itself, so they cannot be made to fail/,
    )
    expect(exitCode).toBe(0)
  })

  it('tools-fail runs for each of several agents, and audit_allows covers all of them', async () => {
    const cwd = desk({
      'assistants/other/package.yao': '{"name": "Other", "connector": "mind", "mcp": {"servers": ["desk"]}}',
    })
    const cases = [refund, { ...refund, id: 'allowed', audit_allows: ['tools-fail'] }]
    const { stdout } = await auditIn(cwd, cases, ['-n', 'desk', '-n', 'other'])
    expect(stdout).toContain(
      '✗ refund (cases.jsonl:1) passes against tools-fail:desk@mind, tools-fail:other@mind',
    )
    expect(stdout).toContain('tools-fail:desk@mind: 1 of 1 case passes (1 more allowed to)')
  })
})

describe('output of viva audit', () => {
  it('an audit writes one file to .viva and nothing beside the cases', async () => {
    const cwd = project()
    await auditIn(cwd, [good], ['--parallel', '4'])
    expect(readdirSync(cwd).sort()).toEqual(['.viva', 'cases.jsonl'])
    expect(readdirSync(join(cwd, '.viva/audits'))).toHaveLength(1)
    expect(existsSync(join(cwd, '.viva/runs'))).toBe(false)
  })

  it('-o writes the result of each case against each agent', async () => {
    const cwd = project()
    const { stdout } = await auditIn(cwd, [good], ['-o', 'audit.jsonl', '-o', 'audit.html'])
    expect(results(join(cwd, 'audit.jsonl')).map(({ variant, status }) => [variant, status])).toEqual([
      ['silent', 'failed'],
      ['echo', 'failed'],
      ['refusing', 'failed'],
      ['done', 'failed'],
    ])
    expect(readFileSync(join(cwd, 'audit.jsonl'), 'utf8')).toContain('"command":"viva audit -i cases.jsonl"')
    expect(existsSync(join(cwd, 'audit.html'))).toBe(true)
    expect(existsSync(join(cwd, '.viva/audits'))).toBe(false)
    expect(stdout).toContain('Results: audit.html')
  })

  it('an audit prints no GitHub annotations, because its failures are wanted', async () => {
    const cwd = project({ 'cases.jsonl': jsonl(good) })
    const { stdout, stderr } = await viva(['audit', 'cases.jsonl'], { cwd, env: { GITHUB_ACTIONS: 'true' } })
    expect(stdout + stderr).not.toContain('::error')
  })

  it('--json prints one line per case and agent, and a summary line', async () => {
    const { exitCode, stdout } = await audit([good, negative], ['--json'])
    const lines = parseLines(stdout)
    expect(lines).toHaveLength(9)
    expect(lines[0]).toMatchObject({
      type: 'audit',
      agent: 'silent',
      case: 'good',
      file: 'cases.jsonl',
      line: 1,
      outcome: 'caught',
    })
    expect(lines.find((line) => line.outcome === 'passed')).toEqual({
      type: 'audit',
      agent: 'silent',
      case: 'polite',
      file: 'cases.jsonl',
      line: 2,
      outcome: 'passed',
      checks: [{ check: 'not_contains "error"', reason: 'output does not contain "error"', negative: true }],
      not_evaluated: [],
    })
    expect(lines.at(-1)).toMatchObject({
      type: 'audit_summary',
      cases: 2,
      findings: [{ case: 'polite', agents: ['silent', 'echo', 'refusing', 'done'] }],
      agents: { silent: { caught: 1, passed: 1, not_judged: 0 } },
      tools_fail_left_out: ['no agent was named or found'],
      exit_code: 1,
    })
    expect(exitCode).toBe(1)
  })

  it('-v prints every turn', async () => {
    const { stdout } = await audit([good], ['-v'])
    expect(stdout).toContain('✗ [good] against refusing')
    expect(stdout).toContain(`Agent: "I'm sorry, I can't help with that."`)
  })
})

describe('cases that an audit cannot judge', () => {
  it('a case that could not be judged does not count as caught, and the audit exits with 3', async () => {
    const cwd = project({ 'setup.ts': 'export function Fail() { throw new Error("no database") }\n' })
    const { exitCode, stdout } = await auditIn(cwd, [good, { ...good, id: 'down', before: 'setup.Fail' }])
    expect(stdout).toContain('silent: 0 of 1 case pass (1 more could not be judged)')
    expect(stdout).toContain('? down (cases.jsonl:2) could not be judged against silent: before: no database')
    expect(stdout).toContain('? Not every case could be judged')
    expect(exitCode).toBe(3)
  })

  it('a case whose simulator breaks cannot be judged against any agent', async () => {
    const cwd = demo()
    const options = { metadata: { persona: 'A clerk', goal: 'It is out of order' } }
    const simulator = { use: 'workers.test.user-simulator', options }
    const { exitCode, stdout } = await auditIn(
      cwd,
      [{ id: 'sim', simulator, expected: 'x' }],
      ['-n', 'expense'],
    )
    expect(stdout).toContain('sim (cases.jsonl:1) could not be judged against done: simulator error')
    expect(exitCode).toBe(3)
  })

  it('a case that passes decides the exit code even when another could not be judged', async () => {
    const cwd = project({ 'setup.ts': 'export function Fail() { throw new Error("no database") }\n' })
    const { exitCode } = await auditIn(cwd, [negative, { ...good, id: 'down', before: 'setup.Fail' }])
    expect(exitCode).toBe(1)
  })

  it('a report that cannot be written is named, and the audit exits with 3', async () => {
    const { exitCode, stderr } = await auditIn(project({ taken: '' }), [good], ['-o', 'taken/audit.html'])
    expect(stderr).toContain('taken/audit.html cannot be written')
    expect(exitCode).toBe(3)
  })
})

describe('what viva audit refuses', () => {
  it.each<[string, unknown, string]>([
    [
      'an unknown agent in audit_allows',
      { ...good, audit_allows: ['refusng'] },
      'cases.jsonl:1:101: good: audit_allows[0] is "refusng", must be one of silent, echo, refusing, done, tools-fail (did you mean "refusing"?)',
    ],
    ['an empty audit_allows', { ...good, audit_allows: [] }, 'good: audit_allows must not be empty'],
    [
      'an audit_allows that is not a list',
      { ...good, audit_allows: 'refusing' },
      'good: audit_allows must be an array',
    ],
    ['a misspelt key', { ...good, asserts: [] }, 'good: unknown key "asserts" (did you mean "assert"?)'],
    ['a case without input', { id: 'mute' }, 'mute: no initial input'],
  ])('viva audit refuses %s', async (_what, authored, message) => {
    const { exitCode, stderr } = await audit([authored])
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it.each<[string, string[], string]>([
    ['a filter that matches nothing', ['--run', 'nothing'], 'the only case does not match the filter'],
    ['an unknown agent', ['-n', 'nobody'], 'unknown agent "nobody"'],
    ['a connector without an agent', ['-c', 'mind'], 'no agent to test'],
    ['an unknown simulator', ['--simulator', 'nobody'], '--simulator: unknown agent "nobody"'],
    ['an invalid value of a flag', ['--parallel', 'many'], '--parallel many: must be a whole number'],
    ['a flag that only viva test has', ['--resume', 'x.jsonl'], "unknown option '--resume'"],
    ['a report of an unknown format', ['-o', 'audit.docx'], 'unknown format ".docx"'],
  ])('viva audit refuses %s', async (_what, args, message) => {
    const { exitCode, stderr } = await audit([good], args)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('viva audit refuses a message, because a message checks nothing', async () => {
    const { exitCode, stderr } = await viva(['audit', '-i', 'Hello there'], { cwd: project() })
    expect(stderr).toContain(
      'a message checks nothing, so it cannot be audited (give a case file or a folder)',
    )
    expect(exitCode).toBe(2)
  })

  it('viva audit refuses to run without input', async () => {
    const none = await viva(['audit'], { cwd: project() })
    expect(none.stderr).toContain('nothing to test: give a case file')
    expect(none.exitCode).toBe(2)
  })

  it('viva audit refuses a selection in which every case is left out', async () => {
    const { exitCode, stderr } = await audit([{ ...good, skip: true }])
    expect(stderr).toContain(
      'there is nothing to audit: every selected case is left out (skipped by their authors: 1)',
    )
    expect(exitCode).toBe(2)
  })

  it('viva audit refuses a stub for a tool that the agent does not have', async () => {
    const { exitCode, stderr } = await auditIn(
      desk(),
      [{ ...shipped, stubs: { look_upp: { result: 1 } } }],
      ['-n', 'desk'],
    )
    expect(stderr).toContain('stub of "look_upp": desk has no such tool')
    expect(exitCode).toBe(2)
  })
})

const bookings = `import { createEvalSuite, fieldEquals } from 'vivavoce'
const agent = {
  name: 'clerk',
  async execute({ message }: { message: string }, context: { tools<T>(tools: T): T }) {
    const { book } = context.tools({ book: async () => ({ number: 7 }) })
    if (!/book/.test(message)) return { reply: 'What may I do?', booked: false }
    try {
      return { reply: 'Booked: ' + (await book()).number, booked: true }
    } catch {
      return { reply: 'Booked, I think', booked: true }
    }
  },
}
export default createEvalSuite({ agent })
const multiTurn = { followUpInputs: [], terminateWhen: [fieldEquals('booked', true)] }
export const cases = [
  { id: 'good', input: { message: 'book' }, multiTurn, assert: { type: 'contains' as const, value: 'Booked: 7' } },
  { id: 'blind', input: { message: 'book' }, multiTurn },
  { id: 'polite', input: { message: 'hello' }, assert: { type: 'not_contains' as const, value: 'error' } },
  { id: 'refuses', input: { message: 'hello' }, assert: { type: 'not_contains' as const, value: '7' }, auditAllows: ['silent', 'echo', 'refusing', 'done', 'tools-fail'] as const },
  { id: 'later', input: { message: 'book' }, skip: true },
]
`

describe('viva audit of a suite', () => {
  function suite(text = bookings): string {
    const cwd = project({ 'booking.suite.ts': text })
    installViva(cwd)
    return cwd
  }

  it.each(['1', '8'])(
    'plays its cases against agents that must not pass: --parallel %s',
    async (parallel) => {
      const args = ['audit', 'booking.suite.ts', '--json', '--parallel', parallel]
      const { exitCode, stdout } = await viva(args, { cwd: suite() })
      const lines = parseLines(stdout)
      const outcomes = (id: string) =>
        Object.fromEntries(
          lines.filter((line) => line.case === id).map(({ agent, outcome }) => [agent, outcome]),
        )
      const caught = { silent: 'caught', echo: 'caught', refusing: 'caught', done: 'caught' }
      expect(outcomes('good')).toEqual({ ...caught, 'tools-fail': 'caught' })
      expect(outcomes('blind')).toEqual({ ...caught, 'tools-fail': 'passed' })
      expect(outcomes('polite')).toEqual({
        silent: 'passed',
        echo: 'passed',
        refusing: 'passed',
        done: 'passed',
        'tools-fail': 'no_tool_called',
      })
      expect(new Set(Object.values(outcomes('refuses')))).toEqual(new Set(['allowed', 'no_tool_called']))
      expect(lines.find((line) => line.case === 'blind' && line.agent === 'tools-fail')).toMatchObject({
        failed_tools: ['book'],
      })
      expect(lines.at(-1)).toMatchObject({ cases: 4, left_out: { skipped: 1 }, tools_fail_left_out: [] })
      expect(exitCode).toBe(1)
    },
  )

  it('goes along with case files, whose agent is another one', async () => {
    const cwd = suite()
    writeFileSync(join(cwd, 'agent.ts'), 'export default () => "hello"')
    writeFileSync(
      join(cwd, 'cases.jsonl'),
      jsonl({ id: 'file', input: 'hi', assert: { type: 'contains', value: 'hello' } }),
    )
    const args = ['audit', 'booking.suite.ts', 'cases.jsonl', '-n', './agent.ts', '--json', '-o', 'out.jsonl']
    const { stdout, stderr } = await viva(args, { cwd })
    const summary = parseLines(stdout).at(-1)
    expect(summary, stderr).toMatchObject({
      cases: 5,
      agents: { silent: { caught: 3 }, 'tools-fail:clerk': { passed: 1 } },
    })
    expect(results(join(cwd, 'out.jsonl')).filter(({ id }) => id === 'good')).toHaveLength(5)
  })

  it('says how a suite allows a refusal', async () => {
    const { stdout } = await viva(['audit', 'booking.suite.ts'], { cwd: suite() })
    expect(stdout).toContain("→ if a refusal is correct, say so: auditAllows: ['refusing']")
  })

  it('refuses a name of an agent that there is not', async () => {
    const { exitCode, stderr } = await viva(['audit', 'booking.suite.ts'], {
      cwd: suite(bookings.replace("'silent', 'echo'", "'silnet', 'echo'")),
    })
    expect(stderr).toMatch(/refuses: auditAllows\[0\].*silnet/)
    expect(exitCode).toBe(2)
  })
})
