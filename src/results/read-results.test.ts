import { describe, expect, it } from 'vitest'
import { isResultLine } from './read-results.ts'

const line = {
  type: 'result',
  file: 'cases.jsonl',
  id: 'a',
  variant: 'desk',
  status: 'passed',
  case_hash: 'x',
  mode: 'multi_turn',
  session_id: 's',
  run: 1,
  attempt: 1,
  duration_ms: 1,
  termination: { reason: 'completed', detail: '' },
  turns: [{ turn: 1, messages: [{ role: 'assistant', content: '' }], tool_calls: 'hidden' }],
  logs: ['one'],
}

describe('a result line', () => {
  it('is one with all that its readers rely on, and may have more', () => {
    expect(isResultLine({ ...line, newer: true })).toBe(true)
  })

  it.each([
    { turns: [{ turn: 1, tool_calls: 'x' }] },
    { turns: [{ turn: 1, messages: [null] }] },
    { turns: [{ turn: 1, messages: [{ role: 'assistant', content: '', tool_calls: [1] }] }] },
    { turns: [null] },
    { turns: {} },
    { history: ['hello'] },
    { final_assertions: [7] },
    { tags: 'smoke' },
    { session_id: 1 },
  ])('is none where a part is damaged: %j', (damage) => {
    expect(isResultLine({ ...line, ...damage })).toBe(false)
  })
})
