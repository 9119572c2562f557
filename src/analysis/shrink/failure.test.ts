import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult, CheckpointResult } from '../../results/result.ts'
import type { CheckResult } from '../../results/transcript/check-result.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import { hasFailedFor, readReason } from './failure.ts'
import { findFailureScope } from './failure-scope.ts'

function failed(kind: string, more: Partial<CaseResult> = {}, message = 'it failed'): CaseResult {
  return caseResult({ status: 'failed', fault: 'agent', failure: { kind, message }, ...more })
}

function turn(number: number, checks: readonly CheckResult[] = []): Turn {
  return {
    number,
    source: 'static',
    input: { value: 'x', message: { role: 'user', content: 'x' } },
    checks: [...checks],
    awaiting: { awaiting: false, reason: 'completed' },
    durationMs: 1,
  }
}

function check(type: string, fields: Record<string, unknown>, status: CheckResult['status'] = 'failed') {
  return { type, status, gates: true, reason: 'a reason', fields } satisfies CheckResult
}

const conversation = (turns: readonly Turn[]) => ({ view: { history: [], turns: [...turns] } })
const failedCheck = (turns: readonly Turn[], finals: CheckResult[] = []) =>
  failed('assertion', { ...conversation(turns), finals })

function isSame(recorded: CaseResult, candidate: CaseResult): boolean {
  const reason = readReason(recorded)
  if (reason === undefined) throw new Error('there is no reason')
  return hasFailedFor(reason, candidate)
}

describe('the same reason', () => {
  const recorded = failedCheck([turn(1), turn(2, [check('contains', { value: 'a' })])])

  it('a check with the same values is the same, in any turn and for any text', () => {
    const other = { ...check('contains', { value: 'a' }), reason: 'another', actual: 'other words' }
    expect(isSame(recorded, failedCheck([turn(1, [other])]))).toBe(true)
  })

  it.each<[string, CaseResult]>([
    ['other values', failedCheck([turn(1, [check('contains', { value: 'b' })])])],
    ['another type', failedCheck([turn(1, [check('equals', { value: 'a' })])])],
    ['a final check', failedCheck([turn(1)], [check('contains', { value: 'a' })])],
    [
      'a check that could not be judged',
      failedCheck([turn(1, [check('contains', { value: 'a' }, 'unknown')])]),
    ],
    ['a pass', caseResult()],
    ['an infrastructure error', { ...recorded, fault: 'infrastructure' }],
    ['an error of the agent', failed('agent_error')],
  ])('%s is another reason', (_, candidate) => {
    expect(isSame(recorded, candidate)).toBe(false)
  })

  it('a final check that names a turn may name another one, in groups too', () => {
    const group = (number: number) =>
      failedCheck(
        [turn(1)],
        [check('any_of', { assertions: [{ type: 'contains', value: 'a', turn: number }] })],
      )
    expect(isSame(group(3), group(1))).toBe(true)
  })

  it.each([
    ['order 17 is gone', 'order 4711 is gone', true],
    ['cannot book "x"', "cannot book 'x '", true],
    ["reading 'rate'", "reading 'table'", false],
    ["KeyError: 'rate'", "KeyError: 'table'", false],
    ['request 3f2a-99bc failed', 'request 0c1d-77ee failed', true],
    ['order 17 is gone', 'order 17 is closed', false],
  ])('the error %s and the error %s', (one, other, same) => {
    const error = (message: string) => failed('agent_error', conversation([turn(1)]), message)
    expect(isSame(error(one), error(other))).toBe(same)
  })

  it('a checkpoint that is missing is the same if those that had been reached are reached', () => {
    const missing = (...reached: string[]) =>
      failed('missing_checkpoints', {
        checkpoints: ['greeted', 'booked', 'paid'].map(
          (id): CheckpointResult => ({
            id,
            required: true,
            forbidden: false,
            status: reached.includes(id) ? 'passed' : 'failed',
            reason: '',
            ...(reached.includes(id) && { turn: 1 }),
          }),
        ),
      })
    expect(isSame(missing('greeted'), missing('greeted'))).toBe(true)
    expect(isSame(missing('greeted'), missing('greeted', 'paid'))).toBe(true)
    expect(isSame(missing('greeted'), missing())).toBe(false)
    expect(isSame(missing('greeted'), missing('greeted', 'booked'))).toBe(false)
  })

  it('other ends are the same if they are of the same kind, and some depend on the user', () => {
    expect(isSame(failed('timeout', {}, 'after 5m'), failed('timeout', {}, 'after 1s'))).toBe(true)
    expect(isSame(failed('timeout'), failed('empty_reply'))).toBe(false)
    expect(readReason(failed('max_turns'))).toBeUndefined()
    expect(readReason(failed('exhausted'))).toBeUndefined()
  })
})

describe('the turns that a failure is about', () => {
  const turns = (count: number, checked?: number, fields: Record<string, unknown> = { value: 'a' }) =>
    Array.from({ length: count }, (_, index) =>
      turn(index + 1, index + 1 === checked ? [check('contains', fields)] : []),
    )
  function scope(result: CaseResult) {
    const reason = readReason(result)
    if (reason === undefined) throw new Error('there is no reason')
    const { pinned, ...rest } = findFailureScope(reason, result)
    return { pinned: [...pinned], ...rest }
  }

  it.each<[string, CaseResult, ReturnType<typeof scope>]>([
    ['a check of a turn', failedCheck(turns(5, 3)), { pinned: [3], last: 3, looksAtFewTurns: true }],
    [
      'a check of a turn that looks at all turns so far',
      failedCheck(turns(5, 3, { value: 'a', scope: 'all' })),
      { pinned: [3], last: 3, looksAtFewTurns: false },
    ],
    [
      'a final check of the last reply',
      failedCheck(turns(5), [check('contains', { value: 'a' })]),
      { pinned: [5], last: 5, looksAtFewTurns: true },
    ],
    [
      'a final check of one turn',
      failedCheck(turns(5), [check('contains', { value: 'a', turn: 2 })]),
      { pinned: [2], last: 2, looksAtFewTurns: true },
    ],
    [
      'a final check of all turns',
      failedCheck(turns(5), [check('tool_not_called', { name: 'a' })]),
      { pinned: [], last: 5, looksAtFewTurns: false },
    ],
    [
      'a final check that something is missing in all turns, which is seen in the last one',
      failedCheck(turns(5), [check('tool_called', { name: 'a' })]),
      { pinned: [5], last: 5, looksAtFewTurns: false },
    ],
    [
      'a missing checkpoint',
      failed('missing_checkpoints', {
        ...conversation(turns(4)),
        checkpoints: [{ id: 'paid', required: true, forbidden: false, status: 'failed', reason: '' }],
      }),
      { pinned: [4], last: 4, looksAtFewTurns: false },
    ],
    [
      'an error',
      failed('agent_error', conversation(turns(4))),
      { pinned: [], last: 4, looksAtFewTurns: false },
    ],
    [
      'an open question',
      failed('missing_input', conversation(turns(4))),
      { pinned: [4], last: 4, looksAtFewTurns: true },
    ],
  ])('%s', (_, result, expected) => {
    expect(scope(result)).toEqual(expected)
  })
})
