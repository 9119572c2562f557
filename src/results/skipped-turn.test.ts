import { describe, expect, it } from 'vitest'
import { resultFromLine, resultToLine } from './line.ts'
import { resultLineSchema } from './line-schema.ts'
import { caseResult } from './result.fixture.ts'
import { type CaseResult, notRecorded } from './result.ts'
import { skippedTurn } from './skipped-turn.ts'

const turn: CaseResult['view']['turns'][number] = {
  number: 1,
  source: 'static',
  input: { value: 'hi', message: { role: 'user', content: 'hi' } },
  reply: {
    output: 'For how many?',
    content: 'For how many?',
    messages: [{ role: 'assistant', content: 'For how many?' }],
    toolCalls: 'hidden',
  },
  checks: [],
  awaiting: { awaiting: true, reason: 'content_is_question' },
  durationMs: 1,
}
const view = { history: [], turns: [turn] }
const waits = 'Agent awaiting input, no next turn defined'
const broken = 'simulator error: out of order'

/** A conversation that ended for this reason after one turn. */
function ended(reason: CaseResult['termination']['reason'], detail: string, rest: Partial<CaseResult>) {
  return caseResult({ singleTurn: false, view, termination: { reason, detail }, ...rest })
}

const missing = ended('missing_input', waits, {
  status: 'skipped',
  failure: { kind: 'missing_input', message: waits },
})

describe('a skipped turn', () => {
  it.each<[string, CaseResult, number, string]>([
    ['there is no next user message', missing, 2, waits],
    [
      'there is no first user message',
      ended('no_initial_input', 'no initial input', {
        status: 'skipped',
        failure: { kind: 'missing_input', message: 'no initial input' },
        view: { history: [], turns: [] },
      }),
      1,
      'no initial input',
    ],
    [
      'the simulator failed',
      ended('simulator_error', broken, {
        status: 'failed',
        failure: { kind: 'simulator_error', message: broken },
      }),
      2,
      broken,
    ],
    [
      'the simulator failed after a check had failed',
      ended('simulator_error', broken, { status: 'failed', failure: { kind: 'assertion', message: 'no' } }),
      2,
      broken,
    ],
    [
      'the simulator failed, and the reason is not recorded',
      ended('simulator_error', '', { status: 'failed', failure: { kind: 'assertion', message: 'no' } }),
      2,
      notRecorded,
    ],
  ])('exists when %s', (_, result, number, reason) => {
    expect(skippedTurn(result)).toEqual({ turn: number, status: 'skipped', skip_reason: reason })
  })

  it.each<[string, CaseResult]>([
    ['a conversation that was completed', ended('completed', '', {})],
    [
      'a case that its author skips',
      ended('skipped', 'later', { status: 'skipped', failure: { kind: 'skipped', message: 'later' } }),
    ],
    [
      'a missing message that fails the case',
      ended('missing_input', waits, {
        status: 'failed',
        failure: { kind: 'missing_input', message: waits },
      }),
    ],
    ['a case of a single turn', { ...missing, singleTurn: true }],
  ])('does not exist for %s', (_, result) => {
    expect(skippedTurn(result)).toBeUndefined()
  })

  it('is written to the result line, but is not counted and not read back as a turn', () => {
    const line = resultLineSchema.parse(JSON.parse(JSON.stringify(resultToLine(missing))))
    expect(line).toMatchObject({
      turns: [
        { turn: 1, status: 'passed' },
        { turn: 2, status: 'skipped', skip_reason: waits },
      ],
      total_turns: 1,
    })
    expect(resultFromLine(line)).toEqual(missing)
  })
})
