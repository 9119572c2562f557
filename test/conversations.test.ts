import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demo, type Line, play as playIn, readJsonl, repository, viva } from './support/viva.ts'

/** The demo app with everything that the documented examples refer to. */
function app(): string {
  const cwd = demo()
  const agents = join(cwd, 'assistants/workers/test')
  cpSync(join(agents, 'user-simulator'), join(agents, 'user-sim'), { recursive: true })
  cpSync(join(cwd, 'connectors/scripted.conn.yao'), join(cwd, 'connectors/openai-gpt4.conn.yao'))
  for (const folder of ['fixtures', 'tests/fixtures']) {
    mkdirSync(join(cwd, folder), { recursive: true })
    writeFileSync(join(cwd, folder, 'receipt.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
  }
  return cwd
}

const play = (cases: string | readonly unknown[], flags: readonly string[] = [], cwd = app()) =>
  playIn(cwd, cases, ['-n', 'expense', ...flags])

/** Replaces durations, which differ from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\(\d+(\.\d+)?m?s\)/g, '(time)')
}

const outcomes = (lines: readonly Line[]) => lines.map(({ id, status }) => `${String(id)} ${String(status)}`)
const getTurns = (line: Line | undefined) => (line?.turns ?? []) as Line[]
const listInputs = (line: Line | undefined) =>
  getTurns(line).map(({ input, input_source }) => `${String(input_source)}: ${String(input)}`)

const simulator = { use: 'workers.test.user-simulator', goal: 'Submit a dinner with a client' }
const ask = { input: 'I want to submit an expense', assert: { type: 'contains', value: 'type of expense' } }
const travel = {
  input: 'Business travel, $3500',
  assert: { type: 'tool_called', name: 'create_expense', arguments: { amount: '3500' } },
}
const confirm = { input: 'Yes, confirm', assert: { type: 'contains', value: 'submitted' } }
const submitted = { type: 'json_path', path: '$.expense.status', value: 'submitted' }

describe('the header of a run', () => {
  const header = async (cases: readonly object[], ...flags: string[]) =>
    /^═+\n {2}(.*)\n═+\n/.exec((await play(cases, flags)).stdout)?.[1]
  const one = { id: 'one', input: 'Hello' }

  it.each<[string, object]>([
    ['turns', { turns: [ask, travel, confirm] }],
    ['a simulator', { input: 'Hello', simulator }],
    ['checkpoints', { input: 'Hello', checkpoints: [{ id: 'asks', assert: ask.assert }] }],
    ['interactive turns', { input: 'Hello', interactive: { enabled: true } }],
    ['the type multi_turn', { input: 'Hello', type: 'multi_turn' }],
  ])('the header says Multi-Turn when a case has %s', async (_, more) => {
    expect(await header([one, { id: 'several', ...more }])).toBe('Agent Test (Multi-Turn)')
  })

  it('the header does not say Multi-Turn when every selected case is a single turn', async () => {
    expect(await header([one])).toBe('Agent Test')
    const flags = ['--run', '^one$']
    expect(await header([one, { id: 'several', turns: [ask, travel] }], ...flags)).toBe('Agent Test')
  })
})

describe('the documented examples of conversations', () => {
  const example = (name: string) =>
    readFileSync(join(repository, 'test/fixtures/conversations', `${name}.jsonl`), 'utf8')

  it.each([
    ['flow', ['T001 passed'], 3],
    ['flow-plain', ['T001 passed'], 3],
    ['hybrid', ['H001 passed'], 3],
    ['hybrid-plain', ['H001 passed'], 3],
    ['receipt-flow', ['T001 passed'], 2],
    ['confirmation', ['T002 passed'], 1],
    ['stages', ['expense-turn1 passed', 'expense-turn2 passed', 'expense-turn3 passed'], 3],
    ['receipt', ['T003 passed'], 1],
    ['coverage', ['T004 passed'], 4],
  ])('the example %s passes on the demo app', async (name, expected, turns) => {
    const { exitCode, lines } = await play(example(name))
    expect(outcomes(lines)).toEqual(expected)
    expect(lines.reduce((sum, { total_turns }) => sum + Number(total_turns), 0)).toBe(turns)
    expect(exitCode).toBe(0)
  })

  it('the result of an example with static turns has the documented shape', async () => {
    const [flow] = (await play(example('flow'))).lines
    expect(flow).toMatchObject({
      id: 'T001',
      name: 'Expense Reimbursement Flow',
      status: 'passed',
      turns: [
        {
          turn: 1,
          input: 'I want to submit an expense report',
          input_source: 'static',
          output: 'What type of expense would you like to submit?',
          awaiting_input: true,
          assertions: [{ type: 'contains', value: 'type of expense', passed: true }],
          duration_ms: expect.any(Number),
        },
        {
          turn: 2,
          tool_calls: [{ name: 'create_expense', args: { amount: '2000' } }],
          awaiting_input: true,
          assertions: [{ type: 'tool_called', name: 'create_expense', passed: true }],
        },
        { turn: 3, awaiting_input: false, assertions: [{ type: 'contains', passed: true }] },
      ],
      final_assertions: [{ type: 'json_path', path: '$.expense.status', value: 'submitted', passed: true }],
      total_turns: 3,
      duration_ms: expect.any(Number),
      termination: { reason: 'goal_achieved' },
    })
  })

  it('the result of an example with checkpoints has the documented shape', async () => {
    const [coverage] = (await play(example('coverage'))).lines
    expect(coverage).toMatchObject({
      id: 'T004',
      status: 'passed',
      turns: [{ turn: 1 }, { turn: 2 }, { turn: 3 }, { turn: 4, input: 'Confirm' }],
      checkpoints: [
        { id: 'ask_type', reached_at_turn: 1, passed: true },
        { id: 'call_create', reached_at_turn: 2, passed: true },
        { id: 'confirm', reached_at_turn: 4, passed: true },
      ],
      total_turns: 4,
      termination: { reason: 'checkpoints_reached' },
    })
    expect(listInputs(coverage)[0]).toBe('simulated: Help me file an expense')
  })

  it('the result of an example with a message history has the documented shape', async () => {
    const [confirmation] = (await play(example('confirmation'))).lines
    expect(confirmation).toMatchObject({
      messages_count: 5,
      response: 'Expense submitted. Reference: EXP-2025-001',
      assertions: [{ type: 'contains', value: 'submitted', passed: true }, { passed: true }],
    })
    expect(confirmation).not.toHaveProperty('turns')
  })
})

describe('static turns', () => {
  it('passed, failed and skipped cases with static turns are printed as documented', async () => {
    const { exitCode, stdout, lines } = await play(
      [
        { id: 'T001', name: 'Reimbursement', turns: [ask, travel, confirm], final_assertions: [submitted] },
        { id: 'T002', name: 'Approval', turns: [{ input: 'Submit $100,000 for equipment' }] },
        {
          id: 'T003',
          turns: [ask, { ...confirm, input: 'Dinner, $80' }, travel],
          final_assertions: [{ type: 'tool_called', name: 'pay_out' }],
        },
      ],
      ['-v'],
    )
    expect(exitCode).toBe(1)
    expect(outcomes(lines)).toEqual(['T001 passed', 'T002 skipped', 'T003 failed'])
    expect(withoutTimes(stdout)).toContain(`\
► [T001] Reimbursement (3 turns)
  ├─ Turn 1: "I want to submit an expense" → PASSED (time)
  │          Agent: "What type of expense would you like to submit?"
  │          ✓ contains "type of expense"
  │
  ├─ Turn 2: "Business travel, $3500" → PASSED (time)
  │          Agent: "I have created a travel expense of $3500. Shall I submit it? Please confirm."
  │          Agent: [tool: create_expense({type: "travel", amount: "3500"})]
  │          ✓ tool_called "create_expense"
  │
`)
    expect(withoutTimes(stdout)).toContain(`
  └─ Final Assertions: PASSED
     ✓ $.expense.status = "submitted"

► [T002] Approval (1 turn)
  ├─ Turn 1: "Submit $100,000 for equipment" → PASSED (time)
  │          Agent: "This requires manager approval. Please provide PO number."
  │
  ├─ Turn 2: SKIPPED
  │          Reason: Agent awaiting input, no next turn defined
  │          Agent asked: "Please provide PO number."
  │          Hint: Add more turns, use --interactive, or configure simulator
  │
  └─ Result: SKIPPED

► [T003] (3 turns) → FAILED (time)
`)
    expect(withoutTimes(stdout)).toContain(`
  ├─ Turn 2: "Dinner, $80" → FAILED (time)
  │          Agent: "I have created a meal expense of $80. When was the dinner?"
  │          Agent: [tool: create_expense({type: "meal", amount: "80"})]
  │          ✗ contains "submitted"
`)
    expect(stdout).toMatch(/\n {2}Total turns: 7\n {2}Avg turns\/test: 2\.3\n/)
    expect(stdout).toMatch(/Total: +3 tests\n +Passed: +1\n +Failed: +1\n +Skipped: +1\n/)
    // A failed check does not end the conversation.
    expect(getTurns(lines[2]).map(({ status }) => status)).toEqual(['passed', 'failed', 'passed'])
    const awaits = 'Agent awaiting input, no next turn defined'
    expect(lines[1]).toMatchObject({
      termination: { reason: 'missing_input' },
      turns: [
        { turn: 1, status: 'passed' },
        { turn: 2, status: 'skipped', skip_reason: awaits },
      ],
      total_turns: 1,
    })
  })

  it('a skipped turn stays skipped in reports of saved results and in a resumed run', async () => {
    const cwd = app()
    const cases = [
      { id: 'a', turns: [{ input: 'Submit $100,000 for equipment' }] },
      { id: 'b', turns: [ask, travel, confirm] },
    ]
    const { lines } = await play(cases, [], cwd)
    const skipped = {
      turn: 2,
      status: 'skipped',
      skip_reason: 'Agent awaiting input, no next turn defined',
    }
    const report = async (name: string) =>
      (await viva(['report', 'results.jsonl', '-r', name], { cwd })).stdout
    const { results, summary } = JSON.parse(await report('report.json'))
    expect(results[0].turns).toEqual([expect.objectContaining({ turn: 1 }), skipped])
    expect(summary).toMatchObject({ total_turns: 4, skipped: 1 })
    expect(results[0]).toMatchObject({ total_turns: 1 })
    await viva(['extract', 'results.jsonl'], { cwd })
    const extracted = readFileSync(join(cwd, 'extracted/a.md'), 'utf8')
    expect(extracted).toContain('\nturn 2 skipped: Agent awaiting input, no next turn defined\n')
    const whole = readFileSync(join(cwd, 'results.jsonl'), 'utf8').split('\n')
    writeFileSync(join(cwd, 'cut.jsonl'), `${whole.slice(0, 2).join('\n')}\n`)
    const args = ['test', '-i', 'cases.jsonl', '-n', 'expense', '--resume', 'cut.jsonl']
    expect((await viva(args, { cwd })).exitCode).toBe(0)
    const resumed = readJsonl(join(cwd, 'cut.jsonl'))
    expect(resumed.find(({ id }) => id === 'a')).toEqual(lines[0])
    expect(resumed.at(-1)).toMatchObject({ type: 'summary', total_turns: 4, skipped: 1, passed: 1 })
  })

  it('static turns are all sent, whatever the agent replies', async () => {
    const { lines } = await play([
      { id: 'a', turns: [{ input: 'Hello' }, { input: 'What counts as travel?' }, { input: 'Hello' }] },
    ])
    expect(getTurns(lines[0]).map(({ awaiting_input }) => awaiting_input)).toEqual([false, false, false])
    expect(lines[0]).toMatchObject({ status: 'passed', termination: { reason: 'completed' } })
  })

  it('a passed case is printed as one line without -v', async () => {
    const { stdout } = await play([{ id: 'T001', name: 'Whole', turns: [ask, travel, confirm] }])
    expect(withoutTimes(stdout)).toContain('✓ [T001] Whole (3 turns) (time)\n')
    expect(stdout).not.toContain('├─')
  })
})

describe('static turns followed by a simulator', () => {
  const turns = [{ input: 'Start expense report' }, { input: 'Travel expense, $500' }]

  it('cases with static turns and a simulator pass, fail and are skipped', async () => {
    const { exitCode, stdout, lines } = await play(
      [
        { id: 'pass', name: 'All of it', turns, simulator, final_assertions: [submitted] },
        { id: 'fail', turns, simulator, final_assertions: [{ ...submitted, value: 'paid' }] },
        {
          id: 'skip',
          turns,
          simulator: { ...simulator, goal: 'Is out of order' },
          final_assertions: submitted,
        },
      ],
      ['-v'],
    )
    expect(exitCode).toBe(1)
    expect(outcomes(lines)).toEqual(['pass passed', 'fail failed', 'skip skipped'])
    expect(listInputs(lines[0])).toEqual([
      'static: Start expense report',
      'static: Travel expense, $500',
      'simulated: Confirm',
    ])
    expect(withoutTimes(stdout)).toContain(`\
► [pass] All of it (3 turns, simulator: workers.test.user-simulator)
  ├─ Turn 1: "Start expense report" → PASSED (time)
`)
    expect(withoutTimes(stdout)).toMatch(
      /├─ Turn 3: \[Simulated\] "Confirm" → PASSED \(time\)\n( {2}│ {10}Agent: .*\n)+ {2}│ {10}Goal achieved: Expense submitted\n/,
    )
    expect(stdout).toContain('└─ Final Assertions: PASSED\n     ✓ $.expense.status = "submitted"\n')
    expect(stdout).toContain(
      '├─ Turn 3: SKIPPED\n  │          Reason: simulator error: 400: the simulator is out of order\n',
    )
    expect(stdout).toContain('├─ Final Assertions: NOT EVALUATED\n')
  })
})

describe('simulators', () => {
  const checkpoint = (id: string, value: string, more: object = {}) => ({
    id,
    assert: { type: 'contains', value },
    ...more,
  })

  it('a simulator continues a conversation from its initial input', async () => {
    const { exitCode, stdout, lines } = await play(
      [{ id: 'T003', name: 'Dynamic Expense Flow', input: 'Help me file an expense', simulator }],
      ['-v'],
    )
    expect(exitCode).toBe(0)
    expect(listInputs(lines[0])).toEqual([
      'initial: Help me file an expense',
      "simulated: It's for client dinner, $250",
      'simulated: Yesterday evening',
      'simulated: Confirm',
    ])
    expect(lines[0]).toMatchObject({
      termination: { reason: 'goal_achieved', detail: 'Expense submitted' },
      turns: [{}, { simulator: { by: 'workers.test.user-simulator', format: 'json' } }, {}, {}],
    })
    const tree = withoutTimes(stdout)
    expect(tree).toContain('├─ Turn 1: [Initial] "Help me file an expense" → PASSED (time)\n')
    expect(tree).toContain('├─ Turn 2: [Simulated] "It\'s for client dinner, $250" → PASSED (time)\n')
    expect(tree).toContain('Goal achieved: Expense submitted\n')
  })

  it('a case with a simulator passes or fails by its checkpoints', async () => {
    const { exitCode, stdout, lines } = await play(
      [
        {
          id: 'pass',
          simulator,
          checkpoints: [
            checkpoint('confirm', 'submitted', { after: ['type'] }),
            checkpoint('type', 'type'),
            checkpoint('joke', 'joke', { required: false }),
            checkpoint('money', 'paid out', { forbidden: true }),
          ],
        },
        {
          id: 'fail',
          simulator,
          checkpoints: [checkpoint('type', 'type'), checkpoint('paid', 'paid out', { after: ['type'] })],
        },
      ],
      ['-v'],
    )
    expect(exitCode).toBe(1)
    expect(lines[0]).toMatchObject({
      status: 'passed',
      checkpoints: [
        { id: 'confirm', reached_at_turn: 4, passed: true },
        { id: 'type', reached_at_turn: 1, passed: true },
        { id: 'joke', passed: false, required: false },
        { id: 'money', passed: true, forbidden: true },
      ],
    })
    expect(lines[1]).toMatchObject({
      status: 'failed',
      error: 'missing checkpoints: paid',
      error_kind: 'missing_checkpoints',
      fault: 'agent',
      termination: { reason: 'goal_achieved' },
      checkpoints: [
        { id: 'type', reached_at_turn: 1, passed: true },
        { id: 'paid', passed: false, reason: expect.stringContaining('paid out') },
      ],
    })
    expect(stdout).toContain(`\
  └─ Checkpoints: 2/3 reached
     ✓ confirm at turn 4
     ✓ type at turn 1
     ○ joke (optional) not reached: `)
    expect(stdout).toContain('✓ money (forbidden) not reached\n')
    expect(stdout).toContain('└─ Result: FAILED missing checkpoints: paid\n')
  })

  it('a checkpoint can be reached in the same turn as the one it comes after', async () => {
    const { lines } = await play([
      {
        id: 'a',
        turns: [travel],
        checkpoints: [
          checkpoint('third', 'confirm', { after: ['second'] }),
          checkpoint('second', 'created', { after: ['first'] }),
          checkpoint('first', 'travel'),
        ],
      },
    ])
    expect(lines[0]).toMatchObject({
      status: 'passed',
      checkpoints: [{ reached_at_turn: 1 }, { reached_at_turn: 1 }, { reached_at_turn: 1 }],
    })
  })

  it('a simulator is found by every spelling of its id and its parameters', async () => {
    const who = { persona: 'New employee', goal: 'Submit a dinner with a client' }
    const { lines, exitCode } = await play([
      { id: 'top', simulator: { use: 'agents:workers.test.user-simulator', ...who } },
      { id: 'metadata', simulator: { use: 'workers.test.user-simulator', metadata: who } },
      { id: 'options', simulator: { use: 'agents:workers.test.user-simulator', options: { metadata: who } } },
      { id: 'long', simulator: { use: 'assistants.workers.test.user-simulator', ...who } },
    ])
    expect(exitCode).toBe(0)
    expect(lines.map(({ status, total_turns }) => [status, total_turns])).toEqual(
      Array(4).fill(['passed', 4]),
    )
  })

  /** A simulator that repeats the parameters it was given. */
  const parrot = `
export default (text, ctx) => {
  const { persona, goal, max_turns, turn_number, turn_count, last_response, conversation, tool_results, ...rest } = JSON.parse(text)
  if (turn_number > 2) return { goal_achieved: true }
  return { input: [persona, goal, max_turns, turn_number, turn_count, last_response, conversation.length,
    JSON.stringify(tool_results), rest.checkpoints_reached, rest.checkpoints_pending, rest.test_mode, rest.test_id,
    ctx.metadata.goal === goal, ctx.metadata.turn_number].join('; ') }
}
`
  const withParrot = () => {
    const cwd = app()
    writeFileSync(join(cwd, 'parrot.mjs'), parrot)
    return cwd
  }

  it('the innermost place that sets a parameter of the simulator wins', async () => {
    const use = './parrot.mjs'
    const top = { persona: 'top', goal: 'top', max_turns: 7 }
    const metadata = { goal: 'inner', max_turns: 8 }
    const { lines } = await play(
      [
        { id: 'case', simulator: { use, persona: 'only' }, max_turns: 6 },
        { id: 'top', simulator: { use, ...top }, max_turns: 6 },
        { id: 'inner', simulator: { use, ...top, metadata }, max_turns: 6 },
        {
          id: 'innermost',
          simulator: { use, ...top, metadata, options: { metadata: { goal: 'innermost', max_turns: 9 } } },
        },
      ],
      [],
      withParrot(),
    )
    const parameters = lines.map((line) => String(getTurns(line)[0]?.input).split('; ').slice(0, 3).join(' '))
    expect(parameters).toEqual(['only  6', 'top top 7', 'top inner 8', 'top innermost 9'])
  })

  it('a simulator is given the state of the conversation and its checkpoints', async () => {
    const { lines } = await play(
      [
        {
          id: 'a',
          turns: [travel],
          simulator: { use: './parrot.mjs', goal: 'g' },
          checkpoints: [checkpoint('created', 'created'), checkpoint('paid', 'paid')],
        },
      ],
      [],
      withParrot(),
    )
    expect(getTurns(lines[0])[1]?.input).toBe(
      '; g; 20; 2; 1; I have created a travel expense of $3500. Shall I submit it? Please confirm.; 2; {}; created; paid; simulator; a; true; 2',
    )
  })

  it('a simulator answers the last message of a history', async () => {
    const messages = [
      { role: 'user', content: 'I have an expense' },
      { role: 'assistant', content: 'Which one?' },
    ]
    const { lines } = await play(
      [{ id: 'a', messages, simulator: { use: './parrot.mjs', goal: 'g' } }],
      [],
      withParrot(),
    )
    expect(getTurns(lines[0])[0]?.input).toBe('; g; 20; 1; 0; Which one?; 2; {}; ; ; simulator; a; true; 1')
  })

  it('--simulator is used for cases that may go on and name no simulator', async () => {
    const cases = [
      { id: 'single', input: 'I want to submit an expense' },
      { id: 'turns', turns: [ask] },
      { id: 'checkpoints', checkpoints: [checkpoint('confirm', 'submitted')] },
      { id: 'own', simulator: { use: 'workers.test.user-sim', goal: 'g' } },
    ]
    for (const flag of ['workers.test.user-simulator', 'agents:workers.test.user-simulator']) {
      const { exitCode, lines } = await play(cases, ['--simulator', flag])
      expect(exitCode).toBe(0)
      expect(outcomes(lines)).toEqual(['single passed', 'turns passed', 'checkpoints passed', 'own passed'])
      expect(lines.map(({ total_turns }) => total_turns)).toEqual([1, 4, 4, 4])
      const by = lines.slice(1).map((line) => (getTurns(line)[1]?.simulator as Line | undefined)?.by)
      expect(by).toEqual([
        'workers.test.user-simulator',
        'workers.test.user-simulator',
        'workers.test.user-sim',
      ])
    }
  })

  it('a simulator that replies in plain text is asked only while the agent awaits input', async () => {
    const cwd = app()
    writeFileSync(
      join(cwd, 'plain.mjs'),
      `export default (text) => JSON.parse(text).last_response.includes('confirm') ? 'Confirm' : 'Business travel, $70'`,
    )
    const { lines } = await play(
      [{ id: 'a', turns: [ask], simulator: { use: './plain.mjs' }, final_assertions: submitted }],
      [],
      cwd,
    )
    expect(lines[0]).toMatchObject({ status: 'passed', termination: { reason: 'completed' } })
    expect(listInputs(lines[0])).toEqual([
      'static: I want to submit an expense',
      'simulated: Business travel, $70',
      'simulated: Confirm',
    ])
  })

  it('the last message of a simulator that achieved its goal is still answered', async () => {
    const cwd = app()
    writeFileSync(
      join(cwd, 'last.mjs'),
      'export default () => JSON.stringify({ message: "Business travel, $70", goal_achieved: true, reasoning: "enough" })',
    )
    const { lines } = await play([{ id: 'a', turns: [ask], simulator: { use: './last.mjs' } }], [], cwd)
    expect(lines[0]).toMatchObject({
      status: 'passed',
      total_turns: 2,
      termination: { reason: 'goal_achieved', detail: 'enough' },
    })
  })
})

describe('interactive cases without a terminal', () => {
  it('an interactive case never waits for a person when there is no terminal', async () => {
    const interactive = { enabled: true, timeout: '1m' }
    const cases = [
      { id: 'pass', interactive, turns: [ask, travel, confirm] },
      { id: 'fail', interactive, turns: [{ ...travel, assert: confirm.assert }, confirm] },
      { id: 'skip', interactive, turns: [ask] },
    ]
    for (const flags of [
      [],
      ['--interactive'],
      ['--skip-interactive'],
      ['--interactive', '--skip-interactive'],
    ]) {
      const { exitCode, lines } = await play(cases, flags)
      expect(outcomes(lines)).toEqual(['pass passed', 'fail failed', 'skip skipped'])
      expect(exitCode).toBe(1)
    }
  })
})

describe('terminate_when', () => {
  it('a condition ends a conversation, and one that is a turn limit fails it', async () => {
    const turns = [ask, travel, confirm, { input: 'Hello' }]
    const status = { type: 'field_equals', path: 'expense.status', value: 'submitted' }
    const { lines } = await play([
      { id: 'met', turns, terminate_when: [{ type: 'after_turns', turns: 9 }, status] },
      { id: 'set', turns, terminate_when: [{ type: 'field_is_set', path: 'expense.status' }] },
      { id: 'check', turns, terminate_when: [{ type: 'tool_called', name: 'create_expense' }] },
      {
        id: 'code',
        turns,
        terminate_when: [{ type: 'not', condition: { type: 'field_is_set', path: 'error' } }],
      },
      {
        id: 'limit',
        input: 'Hello',
        simulator: { ...simulator, goal: 'never' },
        terminate_when: [{ type: 'or', conditions: [status, { type: 'after_turns', turns: 3 }] }],
      },
    ])
    expect(
      lines.map(({ id, status, total_turns, termination }) => [
        id,
        status,
        total_turns,
        (termination as Line).reason,
      ]),
    ).toEqual([
      ['met', 'passed', 3, 'condition_met'],
      ['set', 'passed', 3, 'condition_met'],
      ['check', 'passed', 2, 'condition_met'],
      ['code', 'passed', 1, 'condition_met'],
      ['limit', 'failed', 3, 'max_turns'],
    ])
    expect(lines[4]).toMatchObject({ error: 'max turns (3) exceeded' })
  })
})

describe('options, descriptions and events of turns', () => {
  it('a turn may choose its own connector, and stop_on_failure ends a case at its first failed turn', async () => {
    const cwd = app()
    const loud = { type: 'scripted', options: { rules: [{ reply: 'LOUD' }] } }
    writeFileSync(join(cwd, 'connectors/loud.conn.yao'), JSON.stringify(loud))
    const turns = [ask, { input: 'Hello', options: { connector: 'loud' } }, ask]
    const { lines } = await play(
      [
        { id: 'options', turns },
        { id: 'goes-on', turns: [{ ...ask, assert: confirm.assert }, travel, confirm] },
        { id: 'stops', stop_on_failure: true, turns: [ask, { ...travel, assert: confirm.assert }, confirm] },
      ],
      [],
      cwd,
    )
    expect(getTurns(lines[0])).toMatchObject([
      { output: 'What type of expense would you like to submit?' },
      { output: 'LOUD' },
      { output: 'What type of expense would you like to submit?' },
      { status: 'skipped' },
    ])
    expect(lines.map(({ total_turns }) => total_turns)).toEqual([3, 3, 2])
    expect(lines[2]).toMatchObject({
      status: 'failed',
      error_kind: 'assertion',
      termination: { reason: 'stopped_on_failure' },
    })
  })

  it('the description of a turn is printed in the terminal, the Markdown report and extracted cases', async () => {
    const turns = [
      { ...ask, description: 'Opens the request' },
      { ...travel, assert: confirm.assert, description: 'Says what it was\nand what it cost' },
    ]
    const single = { type: 'single_turn', turns: [{ ...ask, description: 'Only asks' }] }
    const cwd = app()
    const cases = [
      { id: 'flow', turns },
      { id: 'single', ...single },
    ]
    const { stdout } = await play(cases, ['-v', '-o', 'report.md'], cwd)
    expect(withoutTimes(stdout)).toContain(
      'Turn 1: "I want to submit an expense" → PASSED (time) - Opens the request\n',
    )
    expect(withoutTimes(stdout)).toContain(
      'Turn 2: "Business travel, $3500" → FAILED (time) - Says what it was ⏎ and what it cost\n',
    )
    expect(stdout).toContain('  User:  "I want to submit an expense" - Only asks\n')
    await viva(['extract', 'results.jsonl'], { cwd })
    for (const file of ['report.md', 'extracted/flow.md']) {
      const text = readFileSync(join(cwd, file), 'utf8')
      expect(text).toContain('\nuser (Opens the request): I want to submit an expense\n')
      expect(text).toContain('\nuser (Says what it was ⏎ and what it cost): Business travel, $3500\n')
    }
  })

  it('--json prints an event for every turn', async () => {
    const cwd = app()
    const { stdout } = await play([{ id: 'a', turns: [ask], simulator }], ['--json'], cwd)
    const events = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line)
    const turns = events.filter(({ type }) => type === 'turn')
    expect(turns).toHaveLength(4)
    expect(readJsonl(join(cwd, 'results.jsonl')).at(-1)).toMatchObject({ type: 'summary', total_turns: 4 })
  })
})
