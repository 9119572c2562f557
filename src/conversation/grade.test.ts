import { describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '../agents/agent.ts'
import type { AuthoredCase } from '../cases/case-schema.ts'
import { compileCase } from '../cases/compile.ts'
import { noSpeakers } from '../cases/speakers.ts'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import { AgentError, TimeoutError } from '../errors.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { Targets } from '../scope/targets.ts'
import { describeChangedMessages } from './changed-messages.ts'
import { gradeConversation } from './grade.ts'
import { playConversation } from './play.ts'
import { decideVerdict } from './verdict.ts'

function plan(authored: Omit<AuthoredCase, 'id'>) {
  const findFile = (source: string) => {
    throw new Error(`${source}: no such file`)
  }
  return compileCase({ id: 'x', ...authored }, { helpers: noCheckHelpers, speakers: noSpeakers, findFile })
    .plan
}

function openScope(): CaseScope {
  const scope = CaseScope.open({
    targets: new Targets(),
    key: { file: '', id: 'x', variant: '', run: 1, attempt: 1 },
    context: createPlainScope().context,
    timeoutMs: 5000,
    signal: new AbortController().signal,
    retry: { retries: 0, backoffMs: 1 },
    emit: () => {},
  })
  onTestFinished(() => scope.close())
  return scope
}

function session(answers: (string | Error)[]): Session {
  let place = 0
  return {
    async send() {
      const answer = answers[place++] ?? 'ok'
      if (answer instanceof Error) throw answer
      return {
        output: answer,
        content: answer,
        messages: [{ role: 'assistant', content: answer }],
        toolCalls: [],
      }
    },
  }
}

type Authored = Parameters<typeof plan>[0]

/** Holds the conversation of a case, and then grades it with the checks of another form of the case. */
async function regrade(authored: Authored, changed: Authored, answers: (string | Error)[]) {
  const [before, after] = [plan(authored), plan(changed)]
  const held = await playConversation(before, session(answers), openScope())
  const scope = openScope()
  const graded = await gradeConversation(after, held, scope)
  return {
    before: decideVerdict(held, before),
    verdict: decideVerdict(graded, after),
    held,
    graded,
    logs: scope.logs,
  }
}

const says = (value: string) => ({ type: 'contains', value }) as const
const talk = (...inputs: string[]): Authored => ({ turns: inputs.map((input) => ({ input })) })
const reach = (value: string) => ({ id: value, assertion: says(value) })

describe('gradeConversation', () => {
  it.each<[string, Authored, (string | Error)[]]>([
    ['a passing reply', { input: 'hi', assert: says('hello') }, ['hello']],
    ['a failing reply', { input: 'hi', assert: says('hello') }, ['no']],
    [
      'an agent error',
      { ...talk('one', 'two'), final_assertions: [says('x')] },
      ['x', new AgentError('it broke')],
    ],
    ['a timeout', talk('one', 'two'), ['x', new TimeoutError('timeout after 1s')]],
    ['an agent that cannot be opened', talk('one'), [new AgentError('no')]],
    [
      'a stop after a failure',
      { turns: [{ input: 'a', assert: says('x') }, { input: 'b' }], stop_on_failure: true },
      ['y'],
    ],
    [
      'a met condition',
      { ...talk('a', 'b'), terminate_when: [{ type: 'field_is_set', path: 'x' }] },
      ['{"x": 1}'],
    ],
    [
      'a forbidden checkpoint',
      { ...talk('a', 'b'), checkpoints: [{ ...reach('x'), forbidden: true }] },
      ['x'],
    ],
    ['missing checkpoints', { ...talk('a'), checkpoints: [reach('x')] }, ['y']],
    ['a limit of turns', { ...talk('a', 'b'), max_turns: 1, on_max_turns_reached: 'fail' }, ['y']],
  ])('with unchanged checks decides %s as before', async (_, authored, answers) => {
    const { before, verdict, held, graded } = await regrade(authored, authored, answers)
    expect(verdict).toEqual(before)
    expect(graded.termination).toEqual(held.termination)
    expect(graded.view).toEqual(held.view)
    expect(graded.finals).toEqual(held.finals)
    expect(graded.checkpoints).toEqual(held.checkpoints)
    expect(graded.unevaluated).toEqual(held.unevaluated)
  })

  it('applies the changed checks of a turn, and those of the whole conversation', async () => {
    const turns = [{ input: 'a', assert: says('three') }, { input: 'b' }]
    const changed = { turns, final_assertions: [says('two')] }
    const { before, verdict, graded } = await regrade(talk('a', 'b'), changed, ['one', 'two'])
    expect(before.status).toBe('passed')
    expect(verdict).toMatchObject({ status: 'failed', fault: 'agent' })
    expect(graded.view.turns.map(({ checks }) => checks.map(({ status }) => status))).toEqual([
      ['failed'],
      [],
    ])
    expect(graded.finals).toMatchObject([{ status: 'passed' }])
  })

  it('ends where the changed checkpoints would have ended it, and says how many turns come after', async () => {
    const changed = { ...talk('a', 'b', 'c'), checkpoints: [{ ...reach('secret'), forbidden: true }] }
    const { verdict, graded, logs } = await regrade(talk('a', 'b', 'c'), changed, ['one', 'secret', 'three'])
    expect(verdict).toMatchObject({ status: 'failed', failure: { kind: 'checkpoint_failed' } })
    expect(graded.termination.reason).toBe('forbidden_checkpoint')
    expect(graded.view.turns).toHaveLength(2)
    expect(logs).toEqual(['with these checks the conversation ends at turn 2: 1 recorded after it'])
  })

  it('fails the agent for required checkpoints that its conversation did not reach', async () => {
    const { verdict } = await regrade(talk('a'), { ...talk('a'), checkpoints: [reach('x')] }, ['y'])
    expect(verdict.failure).toEqual({ kind: 'missing_checkpoints', message: 'missing checkpoints: x' })
  })

  it('cannot tell how a conversation goes on that a check had ended', async () => {
    const turns = (value: string) => [{ input: 'a', assert: says(value) }, { input: 'b' }]
    const authored = { turns: turns('x'), stop_on_failure: true }
    const { before, verdict } = await regrade(authored, { ...authored, turns: turns('y') }, ['y'])
    expect(before.fault).toBe('agent')
    expect(verdict).toMatchObject({ status: 'failed', fault: 'infrastructure' })
    expect(verdict.failure).toEqual({
      kind: 'judge_unknown',
      message:
        'the recorded conversation ended at turn 1 (stopped on failure, stopped at turn 1: a check failed), ' +
        'and with the case as it is now it would have gone on',
    })
  })

  it('completes a conversation that a check had ended at its last turn', async () => {
    const authored = (value: string) => ({
      turns: [{ input: 'a', assert: says(value) }],
      stop_on_failure: true,
    })
    const { verdict, graded } = await regrade(authored('x'), authored('y'), ['y'])
    expect(verdict).toEqual({ status: 'passed' })
    expect(graded.termination.reason).toBe('completed')
  })

  it('keeps the failure of the agent, whatever the changed checks say', async () => {
    const answers = ['x', new AgentError('it broke')]
    const changed = { ...talk('a', 'b'), terminate_when: [{ type: 'contains', value: 'x' }] } as Authored
    const { before, verdict } = await regrade(talk('a', 'b'), changed, answers)
    expect(verdict).toEqual(before)
    expect(verdict.failure?.message).toBe('agent error: it broke')
  })
})

describe('describeChangedMessages', () => {
  async function change(authored: Authored, changed: Authored) {
    const held = await playConversation(plan(authored), session([]), openScope())
    return describeChangedMessages(plan(changed), held, (value) => value)
  }

  it('finds nothing if only the checks have changed', async () => {
    const changed = { turns: [{ input: 'a', assert: says('x') }], name: 'other', tags: ['new'] }
    expect(await change(talk('a'), changed)).toBeUndefined()
  })

  it('names a message that is different, was removed, or was added', async () => {
    expect(await change(talk('a', 'b'), talk('a', 'c'))).toBe('turn 2 was "b", and is "c" now')
    expect(await change(talk('a', 'b'), talk('a'))).toBe('turn 2 was "b", and is not in the case now')
    expect(await change(talk('a'), talk('a', 'b'))).toBe('"b" was added, and was never sent')
  })

  it('allows for turns that a check kept from being sent', async () => {
    const authored = { turns: [{ input: 'a', assert: says('x') }, { input: 'b' }], stop_on_failure: true }
    expect(await change(authored, authored)).toBeUndefined()
  })

  it('names a history that is different', async () => {
    const messages = (content: string) => [
      { role: 'user' as const, content },
      { role: 'assistant' as const, content: 'yes' },
      { role: 'user' as const, content: 'go' },
    ]
    expect(await change({ input: messages('a') }, { input: messages('b') })).toBe(
      'the messages before the first turn are different now',
    )
    expect(await change({ input: messages('a') }, { input: 'go' })).toBe(
      'there were 2 messages before the first turn, and 0 now',
    )
  })
})
