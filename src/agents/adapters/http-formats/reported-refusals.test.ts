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
  {
    text: 'Failed after 3 attempts. Last error: Cannot connect to API: connect ECONNREFUSED 127.0.0.1:9',
    kind: 'connection',
    retryable: true,
  },
  { text: 'openai.APIConnectionError: Connection error.', kind: 'connection', retryable: true },
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
  'connect ECONNREFUSED 127.0.0.1:5432',
  'Cannot connect to the database',
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

  describe.each<HttpFormatName>(['openai-chat', 'langgraph', 'openai-responses'])(
    'in an event of its own, in the format %s',
    (format) => {
      const readError = (error: unknown) => {
        const event = { ...(format === 'openai-responses' && { type: 'error' }), error }
        return readAnswerIn(format, [`event: error\n${eventLines(event)}`])
      }
      const badRequest = {
        code: 400,
        type: 'invalid_request_error',
        message: 'see our rate limits: exceeded',
      }

      it.each([
        [
          { message: 'boom', code: 503 },
          { kind: 'http', retryable: true },
        ],
        [
          { message: 'boom', code: 429 },
          { kind: 'rate_limit', retryable: true },
        ],
        [
          { message: 'boom', type: 'rate_limit_error' },
          { kind: 'rate_limit', retryable: true },
        ],
        [badRequest, { kind: 'http', retryable: false }],
      ])('is not the agent by %j', (error, expected) => {
        const message = `http://agent.example/chat reported an error: ${error.message}`
        expect(() => readError(error)).toThrow(expect.objectContaining({ ...expected, message }))
      })

      it.each([{ message: 'boom' }, { message: 'boom', code: 500 }, 'boom'])(
        'is the agent by %j',
        (error) => {
          expect(() => readError(error)).toThrow(AgentError)
          expect(() => readError(error)).toThrow(/reported an error: boom$/)
        },
      )
    },
  )

  it('is what `faults` of the config says about its status', () => {
    const stream = eventLines({ error: { code: 429, message: 'Too many requests' } })
    expect(() => readAnswerIn('openai-chat', [stream], { faults: { 429: 'agent' } })).toThrow(AgentError)
  })
})
