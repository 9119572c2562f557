import { describe, expect, it } from 'vitest'
import type { CheckLine, CheckpointLine, TurnLine } from '../src/results/line-schema.ts'
import { wellFormed } from './hash-state.ts'
import type { PageResult } from './report-data.ts'
import { createResult, createTurn } from './result.fixture.ts'
import { failingCheckpoints, failingChecks, listTurns, splitReason, turnsEnd } from './result-turns.ts'

function talk(...turns: TurnLine[]): PageResult {
  return createResult({ mode: 'multi_turn', turns, total_turns: turns.length })
}

function createCheck(status: CheckLine['status'], fields: Partial<CheckLine> = {}): CheckLine {
  return { type: 'contains', status, passed: status === 'passed', reason: `it is ${status}`, ...fields }
}

describe('the end of a conversation', () => {
  it.each([
    ['completed', '', 'completed'],
    ['max_turns', 'the goal was not reached', 'max turns: the goal was not reached'],
    ['agent_error', 'agent error: it broke', 'agent error: it broke'],
    ['timeout', 'Timeout after 30s', 'Timeout after 30s'],
    ['infrastructure_error', 'a\nb', 'infrastructure error: a ⏎ b'],
  ] as const)('by %s, %j, is shown as %j', (reason, detail, text) => {
    expect(turnsEnd({ reason, detail })).toBe(text)
  })
})

describe('the turns of a result', () => {
  it('are those of the conversation', () => {
    const shown = listTurns(
      talk(createTurn(1), createTurn(2, { status: 'failed', error: 'agent error: broke' })),
    )
    expect(shown).toMatchObject([
      { turn: 1, input: 'message 1', failed: false },
      { turn: 2, input: 'message 2', failed: true, error: 'agent error: broke' },
    ])
  })

  it('include a skipped turn with its reason', () => {
    const skipped = { turn: 2, status: 'skipped', skip_reason: 'nobody answered' } as const
    const shown = listTurns(
      createResult({ mode: 'multi_turn', turns: [createTurn(1), skipped], total_turns: 1 }),
    )
    expect(shown).toMatchObject([{ turn: 1 }, { turn: 2, failed: false, skip_reason: 'nobody answered' }])
    expect(shown[0]).not.toHaveProperty('skip_reason')
    expect(listTurns(createResult({ status: 'skipped', skip_reason: 'later' }))[0]).not.toHaveProperty(
      'skip_reason',
    )
  })

  it('name a connector only if it differs from that of the result', () => {
    const turns = [createTurn(1, { connector: 'mind' }), createTurn(2, { connector: 'loud' })]
    const shown = listTurns(createResult({ mode: 'multi_turn', turns, total_turns: 2, connector: 'mind' }))
    expect(shown.map(({ connector }) => connector)).toEqual([undefined, 'loud'])
    expect(listTurns(createResult({ connector: 'mind' }))[0]).not.toHaveProperty('connector')
  })

  it('have the time of the reply, or else of the turn', () => {
    const shown = listTurns(talk(createTurn(1, { reply_ms: 3 }), createTurn(2)))
    expect(shown.map(({ ms }) => ms)).toEqual([3, 10])
    expect(listTurns(createResult({ reply_ms: 4 }))[0]).toHaveProperty('ms', 4)
    expect(listTurns(createResult())[0]).not.toHaveProperty('ms')
  })

  it('are a single one, made of the result itself, for a single-turn case', () => {
    const assertions = [createCheck('passed')]
    const shown = listTurns(createResult({ status: 'passed', assertions, expected: 'hello' }))
    expect(shown).toMatchObject([{ turn: 1, input: 'hi', response: 'hello', failed: false, assertions }])
    expect(shown[0]).not.toHaveProperty('expected')
    expect(shown[0]).not.toHaveProperty('error')
  })

  it('have an error only if the agent gave no reply', () => {
    const error = 'agent error: broke'
    expect(listTurns(createResult({ error, awaiting_reason: 'no_reply' }))).toMatchObject([
      { failed: true, error },
    ])
    expect(listTurns(createResult({ error }))[0]).not.toHaveProperty('error')
    expect(listTurns(createResult({ error: null, awaiting_reason: 'no_reply' }))[0]).not.toHaveProperty(
      'error',
    )
  })

  it.each<[string, Partial<PageResult>]>([
    ['a script test', { kind: 'script' }],
    ['what was skipped', { status: 'skipped', total_turns: 0 }],
    ['a conversation that never began', { mode: 'multi_turn', turns: [], total_turns: 0 }],
  ])('are empty for %s', (_, fields) => {
    expect(listTurns(createResult(fields))).toEqual([])
  })
})

describe('failingChecks', () => {
  const failed = createCheck('failed')

  it('has all checks that gate and did not pass', () => {
    const assertions = [
      createCheck('passed'),
      failed,
      createCheck('unknown'),
      createCheck('error'),
      createCheck('failed', { gates: false }),
    ]
    expect(failingChecks(createResult({ assertions })).map(({ check }) => check.reason)).toEqual([
      'it is failed',
      'it is unknown',
      'it is error',
    ])
  })

  it('has the turn of each check, and none for final ones', () => {
    const result = {
      ...talk(createTurn(1), createTurn(2, { assertions: [failed] })),
      final_assertions: [failed],
    }
    expect(failingChecks(result)).toEqual([{ check: failed, turn: 2 }, { check: failed }])
  })

  it('has the final checks of a script test', () => {
    const result = createResult({ kind: 'script', final_assertions: [failed, createCheck('passed')] })
    expect(failingChecks(result)).toEqual([{ check: failed }])
  })
})

describe('failingCheckpoints', () => {
  it('has required ones that were missed, and forbidden ones that were reached', () => {
    const point = (id: string, passed: boolean, fields: Partial<CheckpointLine> = {}): CheckpointLine => ({
      id,
      passed,
      status: 'failed',
      reason: '',
      ...fields,
    })
    const checkpoints = [
      point('reached', true),
      point('missed', false),
      point('missed, which it may be', false, { required: false }),
      point('forbidden, not reached', true, { forbidden: true }),
      point('forbidden, reached', false, { forbidden: true, reached_at_turn: 1 }),
    ]
    expect(failingCheckpoints(createResult({ checkpoints })).map(({ id }) => id)).toEqual([
      'missed',
      'forbidden, reached',
    ])
    expect(failingCheckpoints(createResult())).toEqual([])
  })
})

describe('the headline of a result', () => {
  it.each<[string, Partial<PageResult>, string]>([
    ['nothing of what passed', { status: 'passed', error: 'x' }, ''],
    [
      'the error',
      { error: 'the error', termination: { reason: 'timeout', detail: 'the detail' } },
      'the error',
    ],
    ['why it was skipped', { status: 'skipped', skip_reason: 'later' }, 'later'],
    [
      'why it ended',
      { error: null, termination: { reason: 'interrupted', detail: 'by ctrl-c' } },
      'by ctrl-c',
    ],
    [
      'the first check that failed',
      { assertions: [createCheck('passed'), createCheck('unknown')] },
      'it is unknown',
    ],
    ['its status where nothing else is known', { status: 'not_run' }, 'not_run'],
  ])('is %s', (_, fields, first) => {
    expect(splitReason(createResult(fields))).toEqual({ first, rest: '' })
  })

  it('is the first line, with the rest separate', () => {
    expect(splitReason(createResult({ error: '\n  one\n\n  two\nthree\n' }))).toEqual({
      first: 'one',
      rest: 'two\nthree',
    })
  })

  it('is shortened if it is too long, with the whole text separate', () => {
    const error = 'x'.repeat(301)
    expect(splitReason(createResult({ error }))).toEqual({ first: `${'x'.repeat(280)}…`, rest: error })
    expect(splitReason(createResult({ error: 'x'.repeat(300) }))).toEqual({
      first: 'x'.repeat(300),
      rest: '',
    })
  })

  it('is never cut through the middle of a character', () => {
    const { first } = splitReason(createResult({ error: `x${'👋'.repeat(200)}` }))
    expect(wellFormed(first)).toBe(first)
  })
})
