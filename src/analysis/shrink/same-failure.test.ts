import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import { expectsSomething } from './failure-scope.ts'
import { type ReplyRule, SameFailure } from './same-failure.ts'

type Said = [input: string, reply: string]

/** A conversation of which the last turn fails a check. */
function failed(said: readonly Said[], type = 'contains', more: Partial<CaseResult> = {}): CaseResult {
  const turns = said.map(
    ([input, content], index): Turn => ({
      number: index + 1,
      source: 'static',
      input: { value: input, message: { role: 'user', content: input } },
      reply: { content, output: content, messages: [], toolCalls: [] },
      checks:
        index === said.length - 1
          ? [{ type, status: 'failed', gates: true, reason: '', fields: { value: 'booked' } }]
          : [],
      awaiting: { awaiting: false, reason: 'completed' },
      durationMs: 1,
    }),
  )
  const failure = { kind: 'assertion', message: 'it failed' }
  return caseResult({ status: 'failed', fault: 'agent', failure, view: { history: [], turns }, ...more })
}

const recorded: Said[] = [
  ['Hello', 'Hi'],
  ['Confirm order 17', 'Order 17 cannot be found anywhere'],
]

function same(recording: CaseResult, rule: ReplyRule = { anyReply: false }): SameFailure {
  const failure = SameFailure.fromRecording(recording, rule)
  if (failure === undefined) throw new Error('there is no reason')
  return failure
}

describe('SameFailure', () => {
  it.each<[string, Said]>([
    ['the same', ['Confirm order 17', 'Order 17 cannot be found anywhere']],
    ['another number', ['Confirm', 'Order 99 cannot be found anywhere']],
    ['a few other words', ['Confirm', 'This order cannot be found']],
  ])('%s is the same mistake', (_, said) => {
    expect(same(failed(recorded)).compare(failed([said]))).toBe('same')
  })

  it.each<[string, Said]>([
    ['an answer to something else', ['Confirm', 'What would you like to confirm?']],
    ['nothing', ['Confirm', '']],
  ])('%s is another mistake, however often it was seen before', (_, said) => {
    const failure = same(failed(recorded))
    for (let seen = 0; seen < 3; seen++) expect(failure.compare(failed([said]))).toBe('other_reply')
  })

  it('what the agent repeats of the message does not count', () => {
    const echo = same(
      failed([['please confirm the table for Sunday', 'fault: please confirm the table for Sunday']]),
    )
    const compare = (...said: Said) => echo.compare(failed([said]))
    expect(compare('please confirm the table', 'fault: please confirm the table')).toBe('same')
    expect(compare('Sunday', 'fault: Sunday')).toBe('same')
    expect(compare('Sunday', 'noted: Sunday')).toBe('other_reply')
  })

  it('a text may be given that the reply must contain, and any reply may be enough', () => {
    const other: Said = ['Confirm', 'I have not FOUND your table, sorry']
    expect(same(failed(recorded)).compare(failed([other]))).toBe('other_reply')
    expect(same(failed(recorded), { reply: 'found', anyReply: false }).compare(failed([other]))).toBe('same')
    expect(same(failed(recorded), { reply: 'order', anyReply: false }).compare(failed([other]))).toBe(
      'other_reply',
    )
    expect(same(failed(recorded), { anyReply: true }).compare(failed([['a', 'b']]))).toBe('same')
  })

  it.each(['contains', 'equals', 'similar', 'script', 'not_contains', 'length'])(
    'an apology alone does not make two replies alike (%s)',
    (type) => {
      const failure = same(failed([['Confirm', 'Sorry, no rate was found.']], type))
      const compare = (...said: Said) => failure.compare(failed([said], type))
      expect(compare('Please', 'Sorry, I did not understand that.')).toBe('other_reply')
      expect(compare('Please', 'Sorry.')).toBe('other_reply')
      expect(compare('Please', 'Sorry, no table was found.')).toBe('other_reply')
      expect(compare('Please', 'Unfortunately, no rate could be found!')).toBe('same')
    },
  )

  it('a word that the user says no more does not make a reply another one', () => {
    const said: Said[] = [
      ['Book a table on Sunday for francs', 'Fine'],
      ['Confirm', 'I cannot book a table for Sunday'],
    ]
    const failure = same(failed(said, 'not_contains'))
    expect(failure.compare(failed([['Confirm', 'I cannot book a table']], 'not_contains'))).toBe('same')
  })

  it('replies that are nothing but an apology are compared by all their words', () => {
    const failure = same(failed([['Confirm', 'Sorry!']], 'not_contains'))
    const compare = (reply: string) => failure.compare(failed([['Please', reply]], 'not_contains'))
    expect(compare('Sorry.')).toBe('same')
    expect(compare('Sorry, what is it that you want?')).toBe('other_reply')
  })

  it('a long reply may be worded in another way', () => {
    const failure = same(
      failed([
        [
          'Rate',
          'Our exchange desk closes early today since every teller attends weekly training upstairs again, downtown',
        ],
      ]),
    )
    const compare = (reply: string) => failure.compare(failed([['Rate', reply]]))
    expect(compare('The exchange desk is closed today, because every teller has weekly training')).toBe(
      'same',
    )
    expect(compare('Every customer wishing another kind of today menu needs printed vouchers, friend')).toBe(
      'other_reply',
    )
  })

  it('a check of calls, of time or of costs is not compared with a reply', () => {
    for (const type of ['tool_not_called', 'latency', 'cost'])
      expect(same(failed(recorded, type)).compare(failed([['a', 'quite another reply']], type))).toBe('same')
  })

  it('another kind of failure is distinguished from another check', () => {
    const failure = same(failed(recorded))
    const error = { failure: { kind: 'agent_error', message: 'ECONNRESET' } }
    expect(failure.compare(failed(recorded, 'contains', error))).toBe('other_kind')
    expect(failure.compare(failed(recorded, 'equals'))).toBe('other_reason')
    expect(failure.compare(caseResult())).toBe('passed')
  })
})

describe('expectsSomething', () => {
  it('a check that any other reply fails expects something', () => {
    const check = (assertion: { type: string; negate?: boolean }) =>
      ({ kind: 'assertion', check: { where: 'turn', assertion } }) as const
    expect(expectsSomething(check({ type: 'contains' }))).toBe(true)
    expect(expectsSomething(check({ type: 'judge' }))).toBe(true)
    expect(expectsSomething(check({ type: 'contains', negate: true }))).toBe(false)
    expect(expectsSomething(check({ type: 'not_contains' }))).toBe(false)
    expect(expectsSomething({ kind: 'timeout' })).toBe(false)
    expect(expectsSomething({ kind: 'missing_checkpoints', id: 'paid', reached: [] })).toBe(true)
  })
})
