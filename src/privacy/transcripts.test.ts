import { expect, test } from 'vitest'
import type { CaseResult } from '../results/result.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { redactTranscripts } from './transcripts.ts'

const said = 'what was said'
const key = { file: 'cases.jsonl', id: 'a', variant: 'agent', run: 1, attempt: 1 }

function redacted(more: Partial<CaseResult>): CaseResult | undefined {
  const result: CaseResult = {
    key,
    caseHash: 'abc',
    tags: [],
    line: 1,
    status: 'passed',
    termination: { reason: 'completed', detail: said },
    singleTurn: true,
    view: { history: [{ role: 'tool', content: said, name: said, toolCallId: said }], turns: [] },
    finals: [],
    unevaluated: [],
    checkpoints: [{ id: 'c', required: true, forbidden: false, status: 'failed', reason: said }],
    unchecked: false,
    logs: [said],
    sessionId: 's',
    usage: {},
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    ...more,
  }
  const event = redactTranscripts({ type: 'case_finished', result })
  return event?.type === 'case_finished' ? event.result : undefined
}

const turn: Turn = {
  number: 1,
  source: 'simulated',
  simulated: {
    by: 'simulator',
    format: 'json',
    reasoning: said,
    rejected: said,
    toolCalls: [{ id: said, name: 'look', arguments: said, result: said }],
  },
  lastUserCalls: [{ id: said, name: 'restart', arguments: said, error: said }],
  input: { value: said, message: { role: 'user', content: said, name: said } },
  reply: {
    output: said,
    content: said,
    messages: [{ role: 'assistant', content: said }],
    toolCalls: [{ id: said, name: 'find', arguments: said, result: said, error: said }],
    inputHint: said,
    finishReason: said,
    raw: said,
  },
  error: said,
  checks: [
    {
      type: 'judge',
      status: 'failed',
      gates: true,
      reason: said,
      expected: said,
      actual: said,
      details: { said },
    },
  ],
  awaiting: { awaiting: true, reason: 'content_is_question', match: said },
  durationMs: 1,
}

test('nothing that was said is left in any field', () => {
  const result = redacted({
    view: { history: [], turns: [turn] },
    status: 'failed',
    failure: { kind: 'x', message: said },
  })
  expect(JSON.stringify(result)).not.toContain(said)
  expect(JSON.stringify(redacted({}))).not.toContain(said)
})

test('a finish reason that is a single word stays', () => {
  const reply = { output: '', content: '', messages: [], toolCalls: [], finishReason: 'tool_calls' }
  const result = redacted({ view: { history: [], turns: [{ ...turn, reply }] } })
  expect(result?.view.turns[0]?.reply?.finishReason).toBe('tool_calls')
})

const skipped = { status: 'skipped', failure: { kind: 'skipped', message: said } } as const

test('the reason for a skip stays only when it was written in the case file', () => {
  const byAuthor = { reason: 'skipped', detail: said } as const
  expect(redacted({ ...skipped, termination: byAuthor })?.failure?.message).toBe(said)
  const script = { assertions: 0, subtests: [] }
  expect(redacted({ ...skipped, termination: byAuthor, script })?.failure?.message).not.toContain(said)
  const bySimulator = { reason: 'simulator_error', detail: said } as const
  expect(redacted({ ...skipped, termination: bySimulator })?.failure?.message).not.toContain(said)
})

test('only the place of a script assertion stays', () => {
  const fields = { message: said, at: 'a_test.ts:3' }
  const finals = [{ type: 'Equal', status: 'failed', gates: true, reason: said, fields }] as const
  const result = redacted({ finals: [...finals], script: { assertions: 1, subtests: [] } })
  expect(result?.finals[0]?.fields).toEqual({ at: 'a_test.ts:3' })
})

test('the arguments after the name of a tool are dropped', () => {
  const exchange = { role: 'tool', target: `files ${said}`, request: said, response: said } as const
  const event = redactTranscripts({
    type: 'exchange',
    key,
    ...exchange,
    error: said,
    retries: 0,
    durationMs: 1,
  })
  expect(event).toMatchObject({ target: 'files' })
  expect(JSON.stringify(event)).not.toContain(said)
})
