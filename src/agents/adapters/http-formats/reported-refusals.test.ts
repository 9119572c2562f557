import { describe, expect, it } from 'vitest'
import { AgentError } from '../../../errors.ts'
import { type HttpFormatName, httpFormatNames } from '../../../project/http-formats.ts'
import { eventLines, readAnswerIn } from './answers.fixture.ts'

/** How each format reports an error in a stream that has begun. */
const reports: Record<HttpFormatName, (text: string) => string> = {
  'ai-sdk-ui': (errorText) => eventLines({ type: 'start' }, { type: 'error', errorText }),
  'openai-chat': (message) => eventLines({ choices: [{ delta: {} }] }, { error: { message } }),
  'openai-responses': (message) =>
    eventLines({ type: 'response.failed', response: { status: 'failed', error: { message }, output: [] } }),
  'ag-ui': (message) => eventLines({ type: 'RUN_STARTED' }, { type: 'RUN_ERROR', message }),
  langgraph: (message) => `event: error\n${eventLines({ error: 'APIError', message })}`,
}

function pairWithFormats<T>(rows: readonly T[]): [HttpFormatName, T][] {
  return httpFormatNames.flatMap((format) => rows.map((row): [HttpFormatName, T] => [format, row]))
}

const refusals = [
  { text: 'Rate limit reached for gpt-5 in organization org-1', kind: 'rate_limit', retryable: true },
  { text: 'litellm.RateLimitError: wait a moment', kind: 'rate_limit', retryable: true },
  { text: 'Error code: 429 - slow down', kind: 'rate_limit', retryable: true },
  { text: 'Too Many Requests', kind: 'rate_limit', retryable: true },
  { text: 'Quota exceeded for requests per minute', kind: 'rate_limit', retryable: true },
  { text: 'You exceeded your current quota, please check your plan', kind: 'quota', retryable: false },
  { text: 'Your credit balance is too low to access the API', kind: 'quota', retryable: false },
  { text: 'The model is currently overloaded', kind: 'http', retryable: true },
  { text: '{"statusCode":529,"name":"AI_APICallError"}', kind: 'http', retryable: true },
  { text: '529 {"type":"error"}', kind: 'http', retryable: true },
]
const failures = [
  'order 429 is unknown',
  '429 orders failed',
  'the rate limiter has a bug',
  'boom',
  'a quota of 5',
  "AttributeError: 'Settings' object has no attribute 'rate_limit'",
  'Your leave quota is exceeded',
  'no matching overloaded constructor',
]

describe('an error that a stream reports', () => {
  it.each(pairWithFormats(refusals))(
    'is a refusal by its text, in the format %s: %j',
    (format, { text, ...expected }) => {
      expect(() => readAnswerIn(format, [reports[format](text)])).toThrow(expect.objectContaining(expected))
    },
  )

  it.each(pairWithFormats(failures))(
    'is otherwise a failure of the agent, in the format %s: %j',
    (format, text) => {
      expect(() => readAnswerIn(format, [reports[format](text)])).toThrow(AgentError)
    },
  )

  it('is a refusal by the name that LangGraph gives it', () => {
    const stream = `event: error\n${eventLines({ error: 'RateLimitError', message: 'wait' })}`
    expect(() => readAnswerIn('langgraph', [stream])).toThrow(expect.objectContaining({ kind: 'rate_limit' }))
  })

  it.each([
    ['code', 'SEAT_UNAVAILABLE'],
    ['name', 'OrderUnavailableError'],
  ])('is a failure of the agent by a name of its own: %s %s', (field, name) => {
    const stream = eventLines({ type: 'RUN_STARTED' }, { type: 'RUN_ERROR', message: 'sorry', [field]: name })
    expect(() => readAnswerIn('ag-ui', [stream])).toThrow(AgentError)
  })

  it('is what `faults` of the config says about its status', () => {
    const stream = eventLines({ error: { code: 429, message: 'Too many requests' } })
    expect(() => readAnswerIn('openai-chat', [stream], { faults: { 429: 'agent' } })).toThrow(AgentError)
  })
})
