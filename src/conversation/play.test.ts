import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '../agents/agent.ts'
import { compileCase } from '../cases/compile.ts'
import { noSpeakers } from '../cases/speakers.ts'
import type { Check } from '../checks/check.ts'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import { compileAssertion } from '../checks/list.ts'
import { AgentError, InfrastructureError, InterruptedError, TimeoutError } from '../errors.ts'
import type { TerminationReason } from '../results/result.ts'
import type { CheckStatus } from '../results/transcript/check-result.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { listMessages } from '../results/transcript/turn.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { Targets } from '../scope/targets.ts'
import type { Checkpoint } from './checkpoints.ts'
import type { MessageSource, Plan } from './plan.ts'
import { playConversation } from './play.ts'
import { decideVerdict } from './verdict.ts'

const settings = {
  helpers: noCheckHelpers,
  speakers: noSpeakers,
  findFile: (source: string) => {
    throw new Error(`${source}: no such file`)
  },
}

function textReply(content: string): Reply {
  return { output: content, content, messages: [{ role: 'assistant', content }], toolCalls: [] }
}

/** A session that answers from a list, and throws the errors in it. */
function session(answers: (string | Partial<Reply> | Error)[]) {
  const sent: { said: unknown[]; options: Data }[] = []
  const made: Session = {
    async send({ input, view, options }) {
      const answer = answers[sent.length] ?? 'ok'
      sent.push({ said: [...listMessages(view), input.message].map((message) => message.content), options })
      if (answer instanceof Error) throw answer
      return typeof answer === 'string' ? textReply(answer) : { ...textReply(''), ...answer }
    },
    async close() {},
  }
  return { session: made, sent }
}

function scope(timeoutMs = 5000): CaseScope {
  const key = { file: '', id: 'x', variant: '', run: 1, attempt: 1 }
  const opened = CaseScope.open({
    targets: new Targets(),
    key,
    context: createPlainScope().context,
    timeoutMs,
    signal: new AbortController().signal,
    retry: { retries: 0, backoffMs: 1 },
    emit: () => {},
  })
  onTestFinished(() => opened.close())
  return opened
}

function check(status: CheckStatus, gates = true): Check {
  return { type: 'fixed', run: async () => ({ type: 'fixed', status, gates, reason: `it is ${status}` }) }
}

function plan(overrides: Partial<Plan> = {}, ...inputs: string[]): Plan {
  const turns = (inputs.length === 0 ? ['hello'] : inputs).map((input) => ({ input }))
  return { ...compileCase({ id: 'x', turns }, settings).plan, ...overrides }
}

async function play(given: Plan, answers: (string | Partial<Reply> | Error)[] = ['done']) {
  const { session: opened, sent } = session(answers)
  const conversation = await playConversation(given, opened, scope())
  return { conversation, verdict: decideVerdict(conversation, given), sent }
}

it('adds results that come with a later reply to the newest open call, also in its message', async () => {
  const open = { id: 'c1', name: 'pay', arguments: {} }
  const asks = { ...textReply('Shall I?'), toolCalls: [open] }
  const messages = [{ role: 'assistant' as const, content: 'Shall I?', toolCalls: [open] }]
  const paid = { ...open, result: { paid: true } }
  const answers = [asks, { ...asks, messages }, { ...textReply('Paid.'), lateResults: [paid] }]
  const { conversation } = await play(plan({}, 'pay', 'pay', 'yes'), answers)
  const calls = conversation.view.turns.map(({ reply }) => reply?.toolCalls)
  expect(calls).toEqual([[open], [paid], []])
  expect(conversation.view.turns[1]?.reply?.messages[0]?.toolCalls).toEqual([paid])
  expect(asks.toolCalls).toEqual([{ id: 'c1', name: 'pay', arguments: {} }])
})

function checkpoint(
  id: string,
  status: CheckStatus,
  { required = true, forbidden = false }: { required?: boolean; forbidden?: boolean } = {},
): Checkpoint {
  return { id, check: check(status), after: [], required: required && !forbidden, forbidden }
}

const brokenSimulator = new InfrastructureError('simulator_error', 'simulator error: it broke')

/** A simulator that says these messages, then ends in the given way; `last` ends with the last message. */
function simulator(
  then: { end: 'exhausted' | 'goal_achieved' } | { last: true } | Error,
  ...messages: string[]
): MessageSource {
  return {
    kind: 'simulator',
    wants: () => true,
    async next({ spoken }) {
      const text = messages[spoken]
      if (text === undefined) {
        if (then instanceof Error) throw then
        return 'end' in then ? then : { end: 'exhausted' }
      }
      const said = {
        say: { value: text, message: { role: 'user' as const, content: text } },
        source: 'simulated' as const,
        checks: [],
      }
      const isLast = 'last' in then && spoken === messages.length - 1
      return isLast ? { ...said, simulated: { by: 'sim', format: 'json', last: true } } : said
    },
  }
}

describe('the conversation loop', () => {
  it("sends all of the author's turns, each with the conversation so far", async () => {
    const { conversation, sent } = await play(plan({}, 'a', 'b', 'c'), ['1', '2', '3'])
    expect(sent.map(({ said }) => said)).toEqual([['a'], ['a', '1', 'b'], ['a', '1', 'b', '2', 'c']])
    expect(conversation.view.turns.map((turn) => turn.source)).toEqual(['static', 'static', 'static'])
  })

  it('keeps the messages that a reply adds to the history, including tool messages', async () => {
    const messages: Reply['messages'] = [
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 't', arguments: {} }] },
      { role: 'tool', content: 'result', toolCallId: '1' },
      { role: 'assistant', content: 'said' },
    ]
    const { sent } = await play(plan({}, 'a', 'b'), [{ content: 'said', messages }, 'done'])
    expect(sent[1]?.said).toEqual(['a', '', 'result', 'said', 'b'])
  })

  it('sends the history before the turns', async () => {
    const history = [{ role: 'user', content: 'before' } as const]
    expect((await play(plan({ history }))).sent[0]?.said).toEqual(['before', 'hello'])
  })

  it('merges the options of a turn into those of the plan, metadata key by key', async () => {
    const turns = [{ input: 'a', options: { mode: 'task', metadata: { b: 2 } } }]
    const compiled = compileCase(
      { id: 'x', turns, options: { mode: 'chat', connector: 'c', metadata: { a: 1, b: 1 } } },
      settings,
    ).plan
    const { sent } = await play(compiled)
    expect(sent[0]?.options).toEqual({ mode: 'task', connector: 'c', metadata: { a: 1, b: 2 } })
  })

  it('keeps a turn in which the agent failed', async () => {
    const { conversation } = await play(plan({}, 'a', 'b'), ['1', new AgentError('broke')])
    expect(conversation.view.turns.map(({ error }) => error)).toEqual([undefined, 'agent error: broke'])
    expect(conversation.view.turns[1]?.awaiting.reason).toBe('no_reply')
  })

  it('ends a turn at its own timeout', async () => {
    const slow: Session = {
      send: () => wait(5000).then(() => textReply('late')),
      async close() {},
    }
    const given = plan({ turnTimeoutMs: 30 })
    const conversation = await playConversation(given, slow, scope())
    expect(decideVerdict(conversation, given)).toMatchObject({
      status: 'failed',
      failure: { kind: 'timeout', message: 'timeout after 30ms' },
    })
  })

  it('runs the final checks on the whole conversation', async () => {
    const finals = [
      compileAssertion({ type: 'tool_called', name: 'file' }, 'final', noCheckHelpers),
      compileAssertion({ type: 'contains', value: 'bye' }, 'final', noCheckHelpers),
    ]
    const first: Partial<Reply> = { content: 'ok', toolCalls: [{ id: '1', name: 'file', arguments: {} }] }
    const { verdict } = await play(plan({ finals }, 'a', 'b'), [first, 'bye'])
    expect(verdict.status).toBe('passed')
  })
})

describe('a conversation stops when', () => {
  const question = 'Which one?'
  const rows: [string, Plan, (string | Error)[], TerminationReason, number][] = [
    ['the agent is done', plan(), ['done'], 'completed', 1],
    [
      'all turns are sent, even if the agent is done before',
      plan({}, 'a', 'b'),
      ['done', 'done'],
      'completed',
      2,
    ],
    [
      'a single-turn case has its reply, even a question',
      plan({ singleTurn: true }),
      [question],
      'completed',
      1,
    ],
    ['nobody has an answer to a question', plan(), [question], 'missing_input', 1],
    ['the agent refuses without a question', plan(), ['Unfortunately, I cannot do that.'], 'completed', 1],
    [
      'nobody has an answer, with on_missing_input end',
      plan({ onMissingInput: 'end' }),
      [question],
      'completed',
      1,
    ],
    ['the turn limit is reached, before missing input', plan({ maxTurns: 1 }), [question], 'max_turns', 1],
    [
      'a check failed and stop_on_failure is set',
      plan({ stopOnFailure: true, ...failingFirst() }, 'a', 'b'),
      ['1'],
      'stopped_on_failure',
      1,
    ],
    [
      'a forbidden checkpoint is reached, before a condition',
      plan(
        {
          checkpoints: [checkpoint('a', 'passed', { forbidden: true })],
          conditions: [{ check: check('passed') }],
        },
        'a',
        'b',
      ),
      ['1'],
      'forbidden_checkpoint',
      1,
    ],
    [
      'a condition is met, before the goal of the simulator and unsent turns',
      plan({ conditions: [{ check: check('passed') }] }, 'a', 'b'),
      ['1'],
      'condition_met',
      1,
    ],
    [
      'a condition cannot be judged',
      plan({ conditions: [{ check: check('unknown') }] }, 'a', 'b'),
      ['1'],
      'condition_error',
      1,
    ],
    [
      'the last message of a simulator is answered, even if turns are unsent',
      plan({ sources: [simulator({ last: true }, 'x'), ...plan({}, 'b').sources] }),
      ['1'],
      'goal_achieved',
      1,
    ],
    [
      'all turns are sent, even if all checkpoints are reached before',
      plan({ checkpoints: [checkpoint('a', 'passed')] }, 'a', 'b'),
      ['1', '2'],
      'checkpoints_reached',
      2,
    ],
    [
      'all required checkpoints are reached, even if the agent asks',
      plan({
        checkpoints: [checkpoint('a', 'passed'), checkpoint('b', 'failed', { required: false })],
      }),
      [question],
      'checkpoints_reached',
      1,
    ],
    [
      'input is missing, even if all optional checkpoints are reached',
      plan({ checkpoints: [checkpoint('a', 'passed', { required: false })] }),
      [question],
      'missing_input',
      1,
    ],
    [
      'a simulator has achieved its goal',
      plan({ sources: [simulator({ end: 'goal_achieved' }, 'a', 'b')] }),
      [question, question],
      'goal_achieved',
      2,
    ],
    [
      'a simulator says at the turn limit that its goal is achieved',
      plan({ sources: [simulator({ end: 'goal_achieved' }, 'a')], maxTurns: 1 }),
      [question],
      'goal_achieved',
      1,
    ],
    [
      'a simulator has another message at the turn limit',
      plan({ sources: [simulator({ end: 'goal_achieved' }, 'a', 'b')], maxTurns: 1 }),
      [question],
      'max_turns',
      1,
    ],
    [
      'the agent asks and a simulator has nothing more to say',
      plan({ sources: [simulator({ end: 'exhausted' }, 'a')] }),
      [question],
      'missing_input',
      1,
    ],
    [
      'a simulator fails',
      plan({ sources: [simulator(brokenSimulator, 'a')] }),
      [question],
      'simulator_error',
      1,
    ],
    [
      'a forbidden checkpoint is reached, before a condition that cannot be judged',
      plan({
        checkpoints: [checkpoint('a', 'passed', { forbidden: true })],
        conditions: [{ check: check('error') }],
      }),
      ['1'],
      'forbidden_checkpoint',
      1,
    ],
    [
      'a condition is met, before the last message of the simulator',
      plan({ sources: [simulator({ last: true }, 'x')], conditions: [{ check: check('passed') }] }),
      ['1'],
      'condition_met',
      1,
    ],
    [
      'a simulator sent its last message, before checkpoints are reached',
      plan({ sources: [simulator({ last: true }, 'x')], checkpoints: [checkpoint('a', 'passed')] }),
      ['1'],
      'goal_achieved',
      1,
    ],
    [
      'checkpoints are reached, before the agent is done',
      plan({ checkpoints: [checkpoint('a', 'passed')] }),
      ['done'],
      'checkpoints_reached',
      1,
    ],
    ['the agent is done, before the turn limit', plan({ maxTurns: 1 }), ['done'], 'completed', 1],
    [
      'the turn limit is reached, even before the last message of a simulator',
      plan({ sources: [simulator({ last: true }, 'a', 'b')], maxTurns: 1 }),
      [question],
      'max_turns',
      1,
    ],
    ['there is no first message', plan({ sources: [] }), [], 'no_initial_input', 0],
    ['the agent fails', plan({}, 'a', 'b'), [new AgentError('x')], 'agent_error', 1],
    [
      'the infrastructure fails',
      plan({}, 'a', 'b'),
      [new InfrastructureError('http', 'x')],
      'infrastructure_error',
      1,
    ],
    ['it times out', plan({}, 'a', 'b'), [new TimeoutError('timeout after 1s')], 'timeout', 1],
    ['the run is stopped', plan({}, 'a', 'b'), [new InterruptedError('x')], 'interrupted', 1],
    ['viva has a bug', plan({}, 'a', 'b'), [new RangeError('x')], 'internal', 1],
  ]
  it.each(rows)('%s', async (_, given, answers, reason, turns) => {
    const { conversation } = await play(given, answers)
    expect(conversation.termination.reason).toBe(reason)
    expect(conversation.view.turns).toHaveLength(turns)
  })

  it.each([new AgentError('x'), new TimeoutError('x'), 'Which one?'])(
    'lists final checks as not evaluated after %s',
    async (answer) => {
      const { conversation } = await play(plan({ finals: [check('passed')] }), [answer])
      expect(conversation).toMatchObject({ finals: [], unevaluated: ['fixed'] })
    },
  )
})

describe('a conversation without checks', () => {
  const call = { id: '1', name: 't', arguments: {} }
  it.each<[string, Partial<Reply>, object]>([
    [
      'fails if a reply is blank',
      { output: ' \n', content: ' ' },
      { fault: 'agent', failure: { kind: 'empty_reply' } },
    ],
    ['fails if a reply is null', { output: null }, { fault: 'agent', failure: { kind: 'empty_reply' } }],
    [
      'is unknown if the reply is empty and tools are hidden',
      { toolCalls: 'hidden' },
      { fault: 'infrastructure', failure: { kind: 'judge_unknown' } },
    ],
    ['passes with a tool call', { toolCalls: [call] }, { status: 'passed' }],
    ['passes with 0', { output: 0 }, { status: 'passed' }],
    ['passes with false', { output: false }, { status: 'passed' }],
    ['passes with an empty list', { output: [] }, { status: 'passed' }],
    ['passes with an empty object', { output: {} }, { status: 'passed' }],
    ['passes with a text beside the output', { output: null, content: 'hi' }, { status: 'passed' }],
  ])('%s', async (_, reply, verdict) => {
    expect((await play(plan({}, 'a', 'b'), ['fine', reply])).verdict).toMatchObject(verdict)
  })

  it('names the turn with an empty reply, unless there are checks', async () => {
    const { verdict } = await play(plan({}, 'a', 'b'), ['fine', ''])
    expect(verdict.failure?.message).toBe('the reply of turn 2 is empty')
    expect((await play(plan({ finals: [check('passed')] }), [''])).verdict.status).toBe('passed')
    expect((await play(plan({ finals: [check('passed', false)] }), [''])).verdict.status).toBe('failed')
  })
})

describe('the verdict', () => {
  const rows: [string, Partial<Plan>, (string | Error)[], object][] = [
    ['passes if nothing failed', {}, ['done'], { status: 'passed' }],
    [
      'fails with a failed check',
      { finals: [check('failed')] },
      ['done'],
      { status: 'failed', fault: 'agent', failure: { kind: 'assertion', message: 'it is failed' } },
    ],
    [
      'is an infrastructure error if a check could not be judged',
      { finals: [check('unknown')] },
      ['done'],
      { status: 'failed', fault: 'infrastructure', failure: { kind: 'judge_unknown' } },
    ],
    [
      'is an infrastructure error if judging failed',
      { finals: [check('error')] },
      ['done'],
      { status: 'failed', fault: 'infrastructure', failure: { kind: 'script_error' } },
    ],
    [
      'prefers a failure of the agent to an infrastructure error',
      { finals: [check('unknown'), check('error'), check('failed')] },
      ['done'],
      { fault: 'agent' },
    ],
    [
      'ignores a check with gates: false',
      { finals: [check('failed', false)] },
      ['done'],
      { status: 'passed' },
    ],
    [
      'fails if the agent failed',
      {},
      [new AgentError('x')],
      { status: 'failed', fault: 'agent', failure: { kind: 'agent_error', message: 'agent error: x' } },
    ],
    [
      'is an infrastructure error if the agent could not be reached',
      {},
      [new InfrastructureError('quota', 'x')],
      { status: 'failed', fault: 'infrastructure', failure: { kind: 'quota' } },
    ],
    [
      'fails on a timeout',
      {},
      [new TimeoutError('timeout after 5m')],
      { status: 'failed', fault: 'agent', failure: { kind: 'timeout', message: 'timeout after 5m' } },
    ],
    [
      'is an internal error if viva has a bug',
      {},
      [new RangeError('x')],
      { status: 'failed', fault: 'viva', failure: { kind: 'internal' } },
    ],
    ['is interrupted if the run was stopped', {}, [new InterruptedError('x')], { status: 'interrupted' }],
    [
      'fails at the turn limit',
      { maxTurns: 1 },
      ['More?'],
      { status: 'failed', fault: 'agent', failure: { kind: 'max_turns', message: 'max turns (1) exceeded' } },
    ],
    [
      'is skipped for missing input',
      {},
      ['More?'],
      { status: 'skipped', failure: { kind: 'missing_input' } },
    ],
    [
      'fails for missing input with on_missing_input fail',
      { onMissingInput: 'fail' },
      ['More?'],
      { status: 'failed', failure: { kind: 'missing_input' } },
    ],
    [
      'is skipped if there is no person to begin',
      { sources: [] },
      [],
      { status: 'skipped', failure: { kind: 'missing_input', message: 'no initial input' } },
    ],
    [
      'fails without a first message, with on_missing_input fail or end',
      { sources: [], onMissingInput: 'end' },
      [],
      {
        status: 'failed',
        fault: 'infrastructure',
        failure: { kind: 'missing_input', message: 'no initial input' },
      },
    ],
    [
      'fails with a forbidden checkpoint, even if all others are reached',
      { checkpoints: [checkpoint('a', 'passed'), checkpoint('b', 'passed', { forbidden: true })] },
      ['done'],
      {
        status: 'failed',
        fault: 'agent',
        failure: { kind: 'checkpoint_failed', message: 'checkpoint b failed' },
      },
    ],
    [
      'fails with checkpoints that were not reached',
      { checkpoints: [checkpoint('a', 'failed'), checkpoint('b', 'passed'), checkpoint('c', 'failed')] },
      ['done'],
      {
        status: 'failed',
        fault: 'agent',
        failure: { kind: 'missing_checkpoints', message: 'missing checkpoints: a, c' },
      },
    ],
    [
      'is failed, not skipped, if input is missing before a checkpoint',
      { checkpoints: [checkpoint('a', 'failed')] },
      ['More?'],
      { status: 'failed', failure: { kind: 'missing_checkpoints' } },
    ],
    [
      'is an infrastructure error if a checkpoint could not be evaluated',
      { checkpoints: [checkpoint('a', 'unknown')] },
      ['done'],
      {
        status: 'failed',
        fault: 'infrastructure',
        failure: { kind: 'checkpoint_failed', message: 'checkpoint a failed' },
      },
    ],
    [
      'never passes if a forbidden checkpoint could not be judged',
      { checkpoints: [checkpoint('a', 'error', { forbidden: true })] },
      ['done'],
      { status: 'failed', fault: 'infrastructure', failure: { kind: 'checkpoint_failed' } },
    ],
    [
      'does not require an optional checkpoint',
      { checkpoints: [checkpoint('a', 'failed', { required: false })] },
      ['done'],
      { status: 'passed' },
    ],
    [
      'reports the turn limit before missing checkpoints',
      { maxTurns: 1, checkpoints: [checkpoint('a', 'failed')] },
      ['More?'],
      { failure: { kind: 'max_turns' } },
    ],
    [
      'passes if the goal is achieved and all checkpoints are reached',
      { sources: [simulator({ end: 'goal_achieved' }, 'a')], checkpoints: [checkpoint('a', 'passed')] },
      ['More?'],
      { status: 'passed' },
    ],
    [
      'fails if the goal is achieved but a required checkpoint is missing',
      { sources: [simulator({ end: 'goal_achieved' }, 'a')], checkpoints: [checkpoint('a', 'failed')] },
      ['More?'],
      { status: 'failed', failure: { kind: 'missing_checkpoints' } },
    ],
    [
      'is skipped, as an infrastructure error, if the simulator failed',
      { sources: [simulator(brokenSimulator, 'a')] },
      ['More?'],
      { status: 'skipped', fault: 'infrastructure', failure: { kind: 'simulator_error' } },
    ],
    [
      'is failed, as an infrastructure error, if the simulator failed before a checkpoint',
      { sources: [simulator(brokenSimulator, 'a')], checkpoints: [checkpoint('a', 'failed')] },
      ['More?'],
      { status: 'failed', fault: 'infrastructure', failure: { kind: 'simulator_error' } },
    ],
    [
      'fails with a failed check, even if the simulator failed later',
      { sources: [...(failingFirst().sources ?? []), simulator(brokenSimulator)] },
      ['More?'],
      { status: 'failed', fault: 'agent', failure: { kind: 'assertion' } },
    ],
    [
      'passes if a condition is met',
      { conditions: [{ check: check('passed') }] },
      ['More?'],
      { status: 'passed' },
    ],
    [
      'is an infrastructure error if a condition could not be judged',
      { conditions: [{ not: { check: check('error') } }] },
      ['done'],
      { status: 'failed', fault: 'infrastructure', failure: { kind: 'condition_error' } },
    ],
  ]
  it.each(rows)('%s', async (_, overrides, answers, expected) => {
    expect((await play(plan(overrides), answers)).verdict).toMatchObject(expected)
  })

  const pairs: [string, Partial<Plan>, (string | Error)[], object][] = [
    [
      'a failed check before a forbidden checkpoint',
      { finals: [check('failed')], checkpoints: [checkpoint('a', 'passed', { forbidden: true })] },
      ['done'],
      { failure: { kind: 'assertion' } },
    ],
    [
      'a forbidden checkpoint before a check that could not be judged',
      { finals: [check('error')], checkpoints: [checkpoint('a', 'passed', { forbidden: true })] },
      ['done'],
      { fault: 'agent', failure: { kind: 'checkpoint_failed' } },
    ],
    [
      'a checkpoint that could not be judged before the turn limit',
      { maxTurns: 1, checkpoints: [checkpoint('a', 'unknown')] },
      ['More?'],
      { fault: 'infrastructure', failure: { kind: 'checkpoint_failed' } },
    ],
    [
      'a missing first message before missing checkpoints',
      { sources: [], onMissingInput: 'fail', checkpoints: [checkpoint('a', 'failed')] },
      [],
      { fault: 'infrastructure', failure: { kind: 'missing_input' } },
    ],
    [
      'a failed simulator before a check that could not be judged',
      { sources: [simulator(brokenSimulator, 'a')], checkpoints: [checkpoint('a', 'error')] },
      ['More?'],
      { failure: { kind: 'simulator_error' } },
    ],
  ]
  it.each(pairs)('reports %s', async (_, overrides, answers, expected) => {
    expect((await play(plan(overrides), answers)).verdict).toMatchObject(expected)
  })

  it('is an infrastructure error if a checkpoint comes after one that could not be judged', async () => {
    const after = { ...checkpoint('b', 'failed'), after: ['a'] }
    const checkpoints = [checkpoint('a', 'error', { required: false }), after]
    expect((await play(plan({ checkpoints }))).verdict).toMatchObject({
      fault: 'infrastructure',
      failure: { message: 'checkpoint b failed' },
    })
  })

  it('stays an infrastructure error even if a later turn can be judged', async () => {
    const clearer: Check = {
      type: 'fixed',
      run: async (_, turn) => ({
        type: 'fixed',
        status: turn === 1 ? 'error' : 'failed',
        gates: true,
        reason: `turn ${turn}`,
      }),
    }
    const checkpoints = [{ ...checkpoint('a', 'failed', { forbidden: true }), check: clearer }]
    const { conversation, verdict } = await play(plan({ checkpoints }, 'a', 'b'), ['1', '2'])
    expect(verdict).toMatchObject({ status: 'failed', fault: 'infrastructure' })
    expect(conversation.checkpoints[0]).toMatchObject({ status: 'error', reason: 'turn 1' })
  })

  const hanging: Check = { type: 'hanging', run: () => new Promise(() => {}) }

  it.each<[string, Partial<Plan>]>([
    ['a final check', { finals: [hanging] }],
    ['a checkpoint', { checkpoints: [{ ...checkpoint('a', 'failed'), check: hanging }] }],
    ['a condition', { conditions: [{ check: hanging }] }],
  ])('is an infrastructure error if the timeout happens in %s', async (_, overrides) => {
    const given = plan(overrides)
    const conversation = await playConversation(given, session(['done']).session, scope(50))
    expect(decideVerdict(conversation, given)).toMatchObject({
      fault: 'infrastructure',
      failure: { kind: 'timeout' },
    })
  })

  it('keeps earlier results if a later check throws, and lists the rest', async () => {
    const given = plan({ finals: [check('failed'), hanging, check('passed')] })
    const conversation = await playConversation(given, session(['done']).session, scope(50))
    expect(conversation).toMatchObject({ finals: [{ status: 'failed' }], unevaluated: ['hanging', 'fixed'] })
    expect(decideVerdict(conversation, given)).toMatchObject({
      fault: 'agent',
      failure: { kind: 'assertion' },
    })
  })

  it('is a simulator error if the simulator times out', async () => {
    const slow: MessageSource = { kind: 'simulator', wants: () => true, next: () => new Promise(() => {}) }
    const given = plan({ sources: [...plan().sources, slow] })
    const conversation = await playConversation(given, session(['More?']).session, scope(50))
    expect(decideVerdict(conversation, given)).toMatchObject({
      status: 'skipped',
      fault: 'infrastructure',
      failure: { kind: 'simulator_error', message: 'simulator error: timeout after 50ms' },
    })
  })

  it('lists the checks of turns that were never sent', async () => {
    const turns = [{ input: 'a' }, { input: 'b', assert: { type: 'contains' as const, value: 'never' } }]
    const given = {
      ...compileCase({ id: 'x', turns }, settings).plan,
      conditions: [{ check: check('passed') }],
    }
    expect((await play(given)).conversation.unevaluated).toEqual(['contains'])
  })

  it('is failed, not skipped, if a check failed before the input was missing', async () => {
    const given = plan(failingFirst())
    const { verdict } = await play(given, ['More?'])
    expect(verdict).toMatchObject({ status: 'failed', failure: { kind: 'assertion' } })
  })
})

/** A plan whose first turn has a check that fails. */
function failingFirst(): Partial<Plan> {
  const turns = [{ input: 'a', assert: { type: 'equals' as const, value: 'never' } }, { input: 'b' }]
  const { sources } = compileCase({ id: 'x', turns: turns.slice(0, 1) }, settings).plan
  return { sources }
}

describe('a conversation with outcomes for its conditions', () => {
  const outcomes = { conditionMet: 'pass', maxTurns: 'fail', exhausted: 'fail' } as const
  const met = { check: check('passed') }
  const never = { check: check('failed') }
  const opposite = { conditionMet: 'fail', maxTurns: 'pass', exhausted: 'pass' } as const

  it.each([
    ['met', { conditions: [met] }, 'condition_met'],
    ['not met when all turns are sent', { conditions: [never] }, 'exhausted'],
    ['not met at the last turn', { conditions: [never], maxTurns: 2 }, 'max_turns'],
    ['met at the last turn', { conditions: [met], maxTurns: 1 }, 'condition_met'],
  ])('has the configured outcome if the condition is %s', async (_, overrides, reason) => {
    const inputs = ['one', 'two']
    const { conversation, verdict } = await play(plan({ ...overrides, outcomes }, ...inputs))
    expect(conversation.termination.reason).toBe(reason)
    expect(verdict.status).toBe(reason === 'condition_met' ? 'passed' : 'failed')
    if (verdict.status === 'failed')
      expect(verdict).toMatchObject({ fault: 'agent', failure: { kind: reason } })
    const turned = await play(plan({ ...overrides, outcomes: opposite }, ...inputs))
    expect(turned.conversation.termination.reason).toBe(reason)
    expect(turned.verdict.status).toBe(reason === 'condition_met' ? 'failed' : 'passed')
  })

  it('fails if a check fails, whatever the outcome', async () => {
    const { verdict } = await play(plan({ conditions: [met], outcomes, finals: [check('failed')] }))
    expect(verdict).toMatchObject({ status: 'failed', failure: { kind: 'assertion' } })
  })

  it('does not ask for a message that could not be sent', async () => {
    let asked = 0
    const source: MessageSource = {
      kind: 'follow_up',
      wants: () => true,
      async next() {
        asked += 1
        return { say: { value: 'x', message: { role: 'user', content: 'x' } }, source: 'static', checks: [] }
      },
    }
    const { conversation } = await play(
      plan({ sources: [source], conditions: [never], outcomes, maxTurns: 3 }),
    )
    expect(conversation.termination.reason).toBe('max_turns')
    expect(conversation.view.turns).toHaveLength(3)
    expect(asked).toBe(3)
  })

  it('fails as an infrastructure error if follow-up code throws', async () => {
    const source: MessageSource = {
      kind: 'follow_up',
      wants: () => true,
      next: () => Promise.reject(new InfrastructureError('simulator_error', 'it broke')),
    }
    const { verdict } = await play(plan({ sources: [source], conditions: [never], outcomes }))
    expect(verdict).toMatchObject({
      status: 'failed',
      fault: 'infrastructure',
      failure: { message: 'it broke' },
    })
  })
})
