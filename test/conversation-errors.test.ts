import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findUnreported } from './support/mistakes.ts'
import { demo, type Line, play as playIn, project, readJsonl } from './support/viva.ts'

/** The demo app with `files` added to it. */
function app(files: Record<string, string> = {}): string {
  const cwd = demo()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return cwd
}

const play = (cases: readonly unknown[], flags: readonly string[] = [], cwd = app()) =>
  playIn(cwd, cases, ['-n', 'expense', ...flags])

const ask = { input: 'I want to submit an expense' }
const hello = { id: 'hello', input: 'Hello', assert: { type: 'contains', value: 'expense' } }
const checkpoint = (id: string, value: string, more: object = {}) => ({
  id,
  assertion: { type: 'contains', value },
  ...more,
})
const simulator = { use: 'workers.test.user-simulator', goal: 'Submit a dinner' }
const broken = { use: 'workers.test.user-simulator', goal: 'Is out of order' }
const getTurns = (line: Line | undefined) => (line?.turns ?? []) as Line[]

describe('failed turns', () => {
  const slow = JSON.stringify({
    type: 'scripted',
    options: { rules: [{ when: { user: 'slow' }, delay: '1m', reply: 'late' }, { reply: 'And then?' }] },
  })

  it.each([
    ['the case', { timeout: '400ms' }, 'timeout after 400ms'],
    ['the turn', { turn_timeout: '300ms' }, 'timeout after 300ms'],
  ])('a turn that exceeds the timeout of %s fails with a timeout', async (_, limit, error) => {
    const cwd = app({ 'connectors/slow.conn.yao': slow })
    const turns = [{ input: 'quick' }, { input: 'slow' }, { input: 'quick' }]
    const final_assertions = { type: 'contains', value: 'x' }
    const cases = [{ id: 'a', turns, final_assertions, ...limit }]
    const { exitCode, lines, stdout } = await play(cases, ['-c', 'slow'], cwd)
    expect(exitCode).toBe(1)
    expect(lines[0]).toMatchObject({
      status: 'failed',
      error,
      error_kind: 'timeout',
      fault: 'agent',
      termination: { reason: 'timeout', detail: error },
      turns: [{ status: 'passed' }, { status: 'failed', error }],
      final_assertions_not_evaluated: ['contains'],
    })
    expect(getTurns(lines[0])).toHaveLength(2)
    expect(stdout).toMatch(/Turn 2: "slow" → FAILED .*\n {2}│ {10}error: timeout after/)
  })

  it('a turn in which the agent throws fails, and the case ends', async () => {
    const cwd = app({
      'agent.mjs':
        'export default (input) => { if (input === "break") throw new Error("no paper"); return "And?" }',
    })
    const turns = [{ input: 'go' }, { input: 'break' }, { input: 'go' }]
    const { exitCode, lines, stdout } = await playIn(cwd, [{ id: 'a', turns }], ['-n', './agent.mjs'])
    expect(exitCode).toBe(1)
    expect(lines[0]).toMatchObject({
      status: 'failed',
      error: 'agent error: no paper (agent.mjs:1:58)',
      error_kind: 'agent_error',
      fault: 'agent',
      termination: { reason: 'agent_error' },
    })
    expect(getTurns(lines[0]).map(({ status, error }) => [status, error])).toEqual([
      ['passed', undefined],
      ['failed', 'agent error: no paper (agent.mjs:1:58)'],
    ])
    expect(stdout).toContain('error: agent error: no paper (agent.mjs:1:58)\n')
  })

  it('a turn fails when one of its checks fails', async () => {
    const turns = [
      {
        ...ask,
        assert: [
          { type: 'contains', value: 'type' },
          { type: 'equals', value: 'No' },
        ],
      },
    ]
    const { exitCode, lines } = await play([{ id: 'a', turns, on_missing_input: 'end' }])
    expect(exitCode).toBe(1)
    expect(lines[0]).toMatchObject({
      status: 'failed',
      error_kind: 'assertion',
      turns: [{ status: 'failed', assertion_errors: [expect.stringContaining('What type of expense')] }],
    })
  })
})

describe('simulator errors', () => {
  const error = 'simulator error: 400: the simulator is out of order'
  const checked = { checkpoints: [checkpoint('done', 'submitted')] }

  it('a simulator error skips a case without checkpoints and fails a case with them', async () => {
    const { exitCode, lines, stdout } = await play([
      hello,
      { id: 'skip', turns: [ask], simulator: broken, final_assertions: { type: 'contains', value: 'x' } },
      { id: 'fail', turns: [ask], simulator: broken, ...checked },
    ])
    expect(exitCode).toBe(3)
    expect(lines.slice(1)).toMatchObject([
      {
        status: 'skipped',
        skip_reason: error,
        error_kind: 'simulator_error',
        fault: 'infrastructure',
        termination: { reason: 'simulator_error', detail: error },
        final_assertions_not_evaluated: ['contains'],
        turns: [
          { turn: 1, status: 'passed' },
          { turn: 2, status: 'skipped', skip_reason: error },
        ],
        total_turns: 1,
      },
      {
        status: 'failed',
        error,
        error_kind: 'simulator_error',
        fault: 'infrastructure',
        turns: [
          { turn: 1, status: 'passed' },
          { turn: 2, status: 'skipped', skip_reason: error },
        ],
        total_turns: 1,
      },
    ])
    expect(lines[1]).not.toHaveProperty('error')
    expect(stdout).toContain(`├─ Turn 2: SKIPPED\n  │          Reason: ${error}\n`)
    expect(stdout).toMatch(/Rate: +100%/)
  })

  it.each([
    ['skips', {}],
    ['fails', checked],
  ])('a run in which a simulator error %s every case always exits with 3', async (_, more) => {
    const cases = [1, 2].map((id) => ({ id: `c${id}`, simulator: broken, ...more }))
    expect((await play(cases)).exitCode).toBe(3)
    expect((await play(cases, ['--max-infrastructure-errors', '100%'])).exitCode).toBe(3)
  })

  it('a simulator that never answers is an infrastructure error, not a timeout of the agent', async () => {
    const cwd = app({
      'connectors/slow.conn.yao':
        '{"type": "scripted", "options": {"rules": [{"delay": "1m", "reply": "late"}]}}',
    })
    const hanging = { goal: 'g', options: { connector: 'slow' } }
    const cases = [{ id: 'a', turns: [ask], simulator: hanging, timeout: '20s', turn_timeout: '300ms' }]
    const { exitCode, lines } = await play(cases, [], cwd)
    expect(exitCode).toBe(3)
    expect(lines[0]).toMatchObject({
      status: 'skipped',
      fault: 'infrastructure',
      error_kind: 'simulator_error',
      skip_reason: 'simulator error: timeout after 300ms, waiting for simulator scripted:slow',
      turns: [
        { turn: 1, status: 'passed' },
        { turn: 2, status: 'skipped', skip_reason: expect.stringContaining('timeout after 300ms') },
      ],
    })
  })

  it('simulator errors up to --max-infrastructure-errors are tolerated beside judged cases', async () => {
    const cases = [hello, { id: 'skip', simulator: broken }]
    expect((await play(cases, ['--max-infrastructure-errors', '50%'])).exitCode).toBe(0)
    expect((await play(cases, ['--max-infrastructure-errors', '49%'])).exitCode).toBe(3)
  })
})

describe('failed cases', () => {
  it('a case skipped for want of an initial input shows no question of the agent', async () => {
    const { stdout } = await play([{ id: 'a', interactive: { enabled: true } }])
    expect(stdout).toContain('Turn 1: SKIPPED\n')
    expect(stdout).toContain('Reason: no initial input\n')
    expect(stdout).not.toContain('Agent asked')
  })

  it('a case without an initial input fails with on_missing_input: fail', async () => {
    const { exitCode, lines } = await play([
      { id: 'a', interactive: { enabled: true }, on_missing_input: 'fail' },
    ])
    expect(lines[0]).toMatchObject({
      status: 'failed',
      error: 'no initial input',
      total_turns: 0,
      termination: { reason: 'no_initial_input' },
    })
    expect(exitCode).toBe(3)
  })

  it('a case that exceeds its maximum number of turns fails', async () => {
    const never = { ...simulator, goal: 'never' }
    const { exitCode, lines, stdout } = await play(
      [
        { id: 'default', input: 'I want a dinner, $20', simulator: { use: './undecided.mjs' } },
        {
          id: 'checkpoints',
          simulator: { use: './undecided.mjs' },
          checkpoints: [checkpoint('paid', 'paid out'), checkpoint('joke', 'joke')],
        },
        { id: 'own', turns: [ask], simulator: never, max_turns: 2 },
        { id: 'simulators', turns: [ask], simulator: { ...never, max_turns: 3 } },
      ],
      [],
      app({
        'undecided.mjs': 'export default (text) => ({ input: `Wait, ${JSON.parse(text).turn_number}` })',
      }),
    )
    expect(exitCode).toBe(1)
    expect(lines).toMatchObject([
      { status: 'failed', error: 'max turns (20) exceeded', total_turns: 20 },
      { status: 'failed', error: 'max turns (20) exceeded', total_turns: 20, error_kind: 'max_turns' },
      { error: 'max turns (2) exceeded', total_turns: 2 },
      {
        error: 'max turns (3) exceeded',
        total_turns: 3,
        termination: { reason: 'max_turns' },
        fault: 'agent',
      },
    ])
    expect(stdout).toContain('└─ Result: FAILED max turns (20) exceeded\n')
  })

  it('a case with missing checkpoints fails and names them', async () => {
    const { exitCode, lines } = await play([
      {
        id: 'a',
        simulator,
        checkpoints: [
          checkpoint('type', 'type'),
          checkpoint('x', 'no-x'),
          checkpoint('y', 'y', { after: ['x'] }),
        ],
      },
      { id: 'b', turns: [{ input: 'Hello' }], checkpoints: [checkpoint('x', 'no-x')] },
    ])
    expect(exitCode).toBe(1)
    expect(lines).toMatchObject([
      {
        status: 'failed',
        error: 'missing checkpoints: x, y',
        error_kind: 'missing_checkpoints',
        checkpoints: [
          { passed: true },
          { passed: false },
          { passed: false, status: 'waiting', reason: 'comes after x' },
        ],
      },
      { status: 'failed', error: 'missing checkpoints: x', termination: { reason: 'completed' } },
    ])
  })

  it('a forbidden checkpoint that is reached fails the case at once', async () => {
    const { exitCode, lines } = await play([
      {
        id: 'a',
        turns: [ask, { input: 'Hello' }],
        checkpoints: [checkpoint('hi', 'Hi'), checkpoint('asks', 'type of', { forbidden: true })],
      },
    ])
    expect(exitCode).toBe(1)
    expect(lines[0]).toMatchObject({
      status: 'failed',
      error: 'checkpoint asks failed',
      error_kind: 'checkpoint_failed',
      fault: 'agent',
      total_turns: 1,
      termination: { reason: 'forbidden_checkpoint' },
      checkpoints: [
        { id: 'hi', passed: false },
        { id: 'asks', passed: false, reached_at_turn: 1 },
      ],
    })
  })

  it('a checkpoint that cannot be judged fails the case as an infrastructure error', async () => {
    const cwd = app({ 'agent.mjs': 'export default () => "done"' })
    const called = { id: 'calls', assert: { type: 'tool_called', name: 'create_expense' } }
    const { exitCode, lines } = await playIn(
      cwd,
      [{ id: 'a', turns: [{ input: 'go' }], checkpoints: [called] }],
      ['-n', './agent.mjs'],
    )
    expect(lines[0]).toMatchObject({
      status: 'failed',
      error: 'checkpoint calls failed',
      error_kind: 'checkpoint_failed',
      fault: 'infrastructure',
      checkpoints: [{ id: 'calls', passed: false, status: 'unknown' }],
    })
    expect(exitCode).toBe(3)
  })
})

describe('an agent that awaits input when there is no next turn', () => {
  const waits = { id: 'waits', turns: [ask], final_assertions: { type: 'contains', value: 'type' } }

  it('the case is skipped, which passes a run with other results but not a run of its own', async () => {
    const { exitCode, lines } = await play([hello, waits])
    expect(exitCode).toBe(0)
    expect(lines[1]).toMatchObject({
      status: 'skipped',
      skip_reason: 'Agent awaiting input, no next turn defined',
      error_kind: 'missing_input',
      termination: { reason: 'missing_input' },
      final_assertions_not_evaluated: ['contains'],
    })
    expect((await play([waits])).exitCode).toBe(2)
  })

  it.each([
    ['fail', 'failed', 1, 'missing_input'],
    ['end', 'passed', 0, 'completed'],
    ['skip', 'skipped', 0, 'missing_input'],
  ])('on_missing_input=%s applies as a flag and as a field', async (what, status, code, reason) => {
    const other = { ...waits, on_missing_input: what === 'end' ? 'fail' : 'end' }
    const byFlag = await play([hello, other], [`--on-missing-input=${what}`])
    const byCase = await play([hello, { ...waits, on_missing_input: what }])
    for (const { exitCode, lines } of [byFlag, byCase]) {
      expect(lines[1]).toMatchObject({ status, termination: { reason } })
      expect(exitCode).toBe(code)
    }
    if (what === 'fail')
      expect(byCase.stdout).toContain('└─ Result: FAILED Agent awaiting input, no next turn defined\n')
  })

  it('the case fails when a check failed before the agent asked', async () => {
    const turns = [{ ...ask, assert: { type: 'equals', value: 'No' } }]
    const { exitCode, lines } = await play([{ id: 'a', turns }])
    expect(lines[0]).toMatchObject({ status: 'failed', error_kind: 'assertion' })
    expect(exitCode).toBe(1)
  })

  it('a single-turn case passes though its reply is a question', async () => {
    const { exitCode, lines } = await play([{ id: 'a', input: ask.input, on_missing_input: 'fail' }])
    expect(lines[0]).toMatchObject({ status: 'passed', awaiting_input: true })
    expect(exitCode).toBe(0)
  })
})

describe('mistakes in conversation cases', () => {
  const turns = [{ input: 'a' }, { input: 'b' }]
  const holds = { assert: { type: 'contains', value: 'x' } }
  const state = { type: 'state', call: { tool: 'get_expense' }, value: 1 }
  const point = { id: 'p', ...holds }
  const stubs = (stub: unknown) => ({ turns, stubs: { look_up: stub } })

  /** Expects that the mistake is found before anything runs: there are no results and there is no journal. */
  async function refused(cases: readonly unknown[], flags: string[] = [], cwd = app(), agent = 'expense') {
    const { exitCode, stdout, stderr } = await playIn(cwd, cases, ['-n', agent, ...flags])
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(existsSync(join(cwd, 'results.jsonl'))).toBe(false)
    expect(existsSync(join(cwd, '.viva'))).toBe(false)
    return stderr
  }

  it('max_turns of a simulator below the number of turns is reported at its own place', async () => {
    const limits = [
      { max_turns: 1 },
      { metadata: { max_turns: 1 } },
      { options: { metadata: { max_turns: 1 } } },
      { max_turns: 9, metadata: { max_turns: 1 } },
    ]
    const cases = limits.map((limit, index) => ({
      id: `a${index}`,
      turns,
      simulator: { ...simulator, ...limit },
    }))
    const where = /cases\.jsonl:(\d+):(\d+): a\d: max_turns is 1, but there are 2 turns/g
    const places = [...(await refused(cases)).matchAll(where)].map(([, ...place]) => place.map(Number))
    expect(places).toEqual(
      cases.map((written, index) => [index + 1, JSON.stringify(written).lastIndexOf('"max_turns":1') + 1]),
    )
  })

  const mistakes: [unknown, string][] = [
    [{ turns: [] }, 'turns must not be empty'],
    [{ input: 'a', turns }, '`input` with `turns`: put the input into the first turn'],
    [{ turns, max_turns: 0 }, 'max_turns must be at least 1'],
    [{ turns, max_turns: 1 }, 'max_turns is 1, but there are 2 turns'],
    [{ turns, max_turns: 1.5 }, 'max_turns must be'],
    [{ turns, simulator: { ...simulator, max_turns: 1 } }, 'max_turns is 1, but there are 2 turns'],
    [
      { turns, simulator: { ...simulator, options: { metadata: { max_turns: 1 } } } },
      'max_turns is 1, but there are 2 turns',
    ],
    [
      { turns, simulator: { ...simulator, options: { metadata: { max_turns: 0 } } } },
      'max_turns is 0, must be a whole number of at least 1',
    ],
    [
      { turns, simulator: { ...simulator, metadata: { max_turns: 'many' } } },
      'max_turns is "many", must be a whole number of at least 1',
    ],
    [
      {
        turns,
        checkpoints: [
          { ...point, after: ['q'] },
          { ...point, id: 'q', after: ['p'] },
        ],
      },
      'checkpoints have a circular dependency: p → q → p',
    ],
    [{ turns, checkpoints: [{ ...point, after: ['p'] }] }, 'checkpoints have a circular dependency: p → p'],
    [
      {
        turns,
        checkpoints: [
          { ...point, id: 'ask_type' },
          { ...point, after: ['ask_typ'] },
        ],
      },
      'unknown checkpoint "ask_typ" in `after` (did you mean "ask_type"?)',
    ],
    [{ turns, checkpoints: [point, point] }, 'there are two checkpoints "p"'],
    [{ turns, checkpoints: [] }, 'checkpoints must not be empty'],
    [{ turns, checkpoints: [{ id: 'p' }] }, 'checkpoint p needs an "assert"'],
    [{ turns, checkpoints: [{ id: 'p', assert: [] }] }, 'checkpoint p needs an "assert"'],
    [
      { turns, checkpoints: [{ ...point, assertion: holds.assert }] },
      '`assert` and `assertion` are the same: use one',
    ],
    [
      { turns, checkpoints: [{ ...point, required: true, forbidden: true }] },
      'checkpoint p is required and forbidden',
    ],
    [{ turns, checkpoints: [{ ...point, requried: true }] }, '(did you mean "required"?)'],
    [{ turns, on_missing_input: 'maybe' }, 'on_missing_input is "maybe", must be one of skip, fail, end'],
    [{ type: 'single_turn', input: 'a', simulator }, 'single_turn with `simulator`'],
    [{ type: 'single_turn', input: 'a', checkpoints: [point] }, 'single_turn with `checkpoints`'],
    [{ type: 'single_turn', turns }, 'single_turn with 2 turns'],
    [
      { turns, simulator: { use: 'workers.test.user-simulatr' } },
      '(did you mean "workers.test.user-simulator"?)',
    ],
    [{ turns, simulator: { use: 'scripts:tests.user' } }, 'scripts:tests.user'],
    [{ turns, simulator: { ...simulator, options: { connector: 'scriptd' } } }, '(did you mean "scripted"?)'],
    [{ turns, simulator: { ...simulator, gaol: 'x' } }, '(did you mean "goal"?)'],
    [{ turns, simulator: { goal: 'x' } }, 'viva.simulator needs a connector'],
    [
      { turns, simulator: { use: 'viva.simulator', options: { connector: 'scripted' } } },
      'viva.simulator needs a `persona` or a `goal`',
    ],
    [{ checkpoints: [point] }, 'no initial input'],
    [{ turns, terminate_when: [] }, 'terminate_when must not be empty'],
    [
      { turns, terminate_when: [{ type: 'field_equal', path: 'a', value: 1 }] },
      '(did you mean "field_equals"?)',
    ],
    [{ turns, terminate_when: [{ type: 'after_turns', turns: 0 }] }, 'turns must be at least 1'],
    [{ turns, terminate_when: [{ type: 'after_turns' }] }, 'turns is missing'],
    [{ turns, terminate_when: [{ type: 'field_is_set', paht: 'a', path: 'b' }] }, '(did you mean "path"?)'],
    [{ turns, terminate_when: [{ type: 'field_equals', path: 'a' }] }, 'value is missing'],
    [{ turns, terminate_when: [{ type: 'field_is_set', path: '$[' }] }, 'not a valid JSONPath'],
    [{ turns, terminate_when: [{ type: 'and', conditions: [] }] }, 'conditions must not be empty'],
    [{ turns, terminate_when: [{ type: 'not', condition: { type: 'nothing' } }] }, 'nothing'],
    [
      { turns, checkpoints: [{ id: 'p', assert: state }] },
      'checkpoints[0].assert.call.tool: there is no MCP server',
    ],
    [
      { turns, terminate_when: [{ type: 'not', condition: state }] },
      'terminate_when[0].condition.call.tool: there is no MCP server',
    ],
    [{ turns, interactive: { enabled: true, timeout: '5' } }, 'bad duration "5"'],
    [{ turns, turn_timeout: '0s' }, 'bad duration "0s"'],
    [{ turns, stubs: { look_up: { result: 1 } } }, 'expense runs its tools itself'],
    [{ turns: [{ input: 'a', stubs: { look_up: { result: 1 } } }] }, 'expense runs its tools itself'],
    [stubs({}), 'a stub needs one of result, error, sequence'],
    [stubs({ result: 1, error: 'x' }), 'result and error cannot be combined'],
    [stubs({ sequence: [] }), 'sequence must not be empty'],
    [stubs({ sequence: [{ delay: '1s' }] }), 'a stub needs one of result, error'],
    [stubs([]), 'must not be empty'],
    [stubs({ result: 1, delay: 'soon' }), 'bad duration "soon"'],
    [stubs({ reslt: 1 }), '(did you mean "result"?)'],
    [stubs({ result: 1, when: { id: { $regex: '(' } } }), '$regex'],
  ]

  it('all mistakes are reported at once, each with its case, and nothing runs', async () => {
    const cases = mistakes.map(([written], index) => ({ id: `case-${index}`, ...(written as object) }))
    const stderr = await refused(cases)
    const messages = mistakes.map(([, message], index) => ({ id: `case-${index}`, message }))
    expect(findUnreported(messages, stderr)).toEqual([])
    expect(stderr).toMatch(/\n\d+ errors\. Nothing was run\.\n$/)
  })

  it('mistakes in --simulator and --on-missing-input are reported', async () => {
    const cases = [{ id: 'a', turns }]
    expect(await refused(cases, ['--simulator', 'workers.test.user-simulatr'])).toContain(
      '--simulator: unknown agent "workers.test.user-simulatr"',
    )
    expect(await refused(cases, ['--on-missing-input', 'maybe'])).toContain('must be one of skip, fail, end')
    expect(await refused(cases, ['--simulator', 'viva.simulator'])).toContain(
      '--simulator: viva.simulator needs a connector',
    )
  })

  it('an unknown connector for helper agents in the config is reported', async () => {
    const cwd = app({ 'viva.config.json': '{"helpers": {"connector": "scriptd"}}' })
    expect(await refused([{ id: 'a', turns, simulator: { goal: 'x' } }], [], cwd)).toContain('scriptd')
  })

  it('stubs for a module that runs its own tools are refused', async () => {
    const cwd = project({ 'agent.mjs': 'export default () => "x"' })
    const stderr = await refused(
      [{ id: 'a', input: 'x', stubs: { t: { result: 1 } } }],
      [],
      cwd,
      './agent.mjs',
    )
    expect(stderr).toContain('agent.mjs runs its tools itself')
  })
})

describe('the summary of a run with simulator errors', () => {
  it('cases skipped by infrastructure errors are counted separately', async () => {
    const cwd = app()
    await play([hello, { id: 'b', turns: [ask], simulator: broken }], [], cwd)
    expect(readJsonl(join(cwd, 'results.jsonl')).at(-1)).toMatchObject({
      type: 'summary',
      passed: 1,
      skipped: 1,
      infrastructure_errors: 0,
      infrastructure_skips: 1,
      pass_rate: 100,
      exit_code: 3,
    })
  })
})
