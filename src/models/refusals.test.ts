import { describe, expect, it } from 'vitest'
import { findRefusal, type Refusal } from './refusals.ts'

/** As providers and their libraries write them. */
const refusals: Record<Refusal, string[]> = {
  rate_limit: [
    'Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000',
    'Rate limit exceeded: free-models-per-day',
    'Requests rate limit exceeded',
    'Your rate limit has been reached',
    'openai.RateLimitError: Error code: 429',
    'litellm.RateLimitError: wait a moment',
    "RateLimitError: 429 {'error': {}}",
    'Error code: 429 - slow down',
    'Request failed with status code 429',
    'HTTP 429',
    'HTTP error! status: 429',
    'the provider answered with status 429',
    'status_code: 429, body: {}',
    '{"statusCode":429}',
    "{'error': {'code': 429, 'message': 'wait'}}",
    'Error: 429 - wait',
    '429',
    'Too Many Requests',
    'AI_RetryError: Failed after 3 attempts. Last error: Too many requests',
    'Too many tokens, please wait before trying again.',
    'An error occurred (ThrottlingException) when calling the InvokeModel operation: slow down',
    'Throttling: Rate exceeded',
    'Request was throttled. Expected available in 5 seconds.',
    '{"type":"error","error":{"type":"rate_limit_error","message":"wait"}}',
    "This request would exceed your organization's rate limit of 50,000 input tokens per minute",
    'This request would exceed the rate limit for your organization',
    'Number of request tokens has exceeded your per-minute rate limit',
    'Requests to the operation have exceeded token rate limit of your current OpenAI S0 pricing tier',
    'a-model is temporarily rate-limited upstream. Please retry shortly',
    'Resource has been exhausted (e.g. check quota).',
    '8 RESOURCE_EXHAUSTED: wait',
    'Quota exceeded for requests per minute',
    '429 Quota exceeded for aiplatform.googleapis.com/generate_content_requests_per_minute_per_project',
    'Service tier capacity exceeded for this model.',
  ],
  quota: [
    'You exceeded your current quota, please check your plan and billing details',
    'Error code: 429 - You exceeded your current quota',
    "Error code: 429 - {'error': {'message': 'pay', 'code': 'insufficient_quota'}}",
    'Error: insufficient_quota',
    'Your credit balance is too low to access the Anthropic API',
    'Quota exceeded for metric: generate_content_free_tier_requests, limit: 50',
  ],
  overloaded: [
    'Overloaded',
    'The model is currently overloaded. Please try again later.',
    'The model `gpt-5.1` is overloaded',
    'That model is currently overloaded with other requests',
    'The server is overloaded or not ready yet',
    'The model is at capacity',
    'a-model is currently over capacity. Please try again and back off exponentially',
    'This model is currently experiencing high demand',
    '{"type":"error","error":{"type":"overloaded_error","message":"x"}}',
    'litellm.ServiceUnavailableError: try again',
    'Error code: 529',
    '529 {"type":"error"}',
  ],
  unreachable: [
    'Cannot connect to API: connect ECONNREFUSED 127.0.0.1:21999',
    'Cannot connect to API: getaddrinfo ENOTFOUND api.example.test',
    'Failed after 3 attempts. Last error: Cannot connect to API: read ETIMEDOUT',
    'litellm.APIConnectionError: Connection error.',
    'openai.APITimeoutError: Request timed out.',
  ],
}

/** What agents say about mistakes and limits of their own. */
const failures = [
  "AttributeError: 'Settings' object has no attribute 'rate_limit'",
  "KeyError: 'rate_limit'",
  "KeyError: 'RESOURCE_EXHAUSTED'",
  "KeyError: 'insufficient_quota'",
  'KeyError: 429',
  "Cannot read properties of undefined (reading 'rateLimit')",
  'rate_limit: Field required',
  'rateLimited is not a function',
  'RateLimitError is not defined',
  "name 'RateLimitError' is not defined",
  "module 'openai' has no attribute 'RateLimitError'",
  'The interest rate limit of this loan is unknown',
  'The interest rate limit is reached',
  'This loan exceeds the interest rate limit',
  'the rate limiter has a bug',
  'Your leave quota is exceeded',
  'Leave quota exceeded for requests in March',
  'a quota of 5',
  'Your credit balance is too low',
  'no matching overloaded constructor',
  'The elevator is overloaded',
  'The restaurant is currently at capacity',
  'Invalid status 429 for order',
  'Unknown status code 429',
  'order 429 is unknown',
  '429 orders failed',
  'The search returned 429 results',
  '{"seat":"12A","status":"unavailable"}',
  '{"order":{"code":429}}',
  'The seat is unavailable',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'Cannot connect to the database',
  "name 'APIConnectionError' is not defined",
  'boom',
]

const pairs = (Object.keys(refusals) as Refusal[]).flatMap((refusal) =>
  refusals[refusal].map((text): [Refusal, string] => [refusal, text]),
)

describe('the text of an error', () => {
  it.each(pairs)('is a refusal (%s): %s', (refusal, text) => {
    expect(findRefusal({ names: [], status: undefined, text })).toBe(refusal)
    expect(findRefusal({ names: [], status: 500, text })).toBe(refusal)
  })

  it.each(failures)('is no refusal: %s', (text) => {
    expect(findRefusal({ names: [], status: undefined, text })).toBeUndefined()
  })

  it('does not count beside a status of another reason, unless the account has no credit', () => {
    expect(findRefusal({ names: [], status: 400, text: 'Rate limit exceeded' })).toBeUndefined()
    const text = 'Your credit balance is too low to access the Anthropic API'
    expect(findRefusal({ names: ['invalid_request_error'], status: 400, text })).toBe('quota')
  })
})

describe('the name of an error', () => {
  it.each<[string, Refusal | undefined]>([
    ['rate_limit', 'rate_limit'],
    ['rate_limit_error', 'rate_limit'],
    ['rate_limit_exceeded', 'rate_limit'],
    ['rateLimitExceeded', 'rate_limit'],
    ['model_rate_limit', 'rate_limit'],
    ['RateLimitReached', 'rate_limit'],
    ['litellm.exceptions.RateLimitError', 'rate_limit'],
    ['Too Many Requests', 'rate_limit'],
    ['ThrottlingException', 'rate_limit'],
    ['RESOURCE_EXHAUSTED', 'rate_limit'],
    ['ResourceExhausted', 'rate_limit'],
    ['insufficient_quota', 'quota'],
    ['billing_error', 'quota'],
    ['overloaded_error', 'overloaded'],
    ['engine_overloaded_error', 'overloaded'],
    ['service_unavailable', 'overloaded'],
    ['ServiceUnavailableError', 'overloaded'],
    ['UNAVAILABLE', 'overloaded'],
    ['SEAT_UNAVAILABLE', undefined],
    ['TOOL_UNAVAILABLE', undefined],
    ['OrderUnavailableError', undefined],
    ['unavailable', undefined],
    ['INTEREST_RATE_LIMIT_EXCEEDED', undefined],
    ['LEAVE_QUOTA_EXCEEDED', undefined],
    ['OverloadedMethodError', undefined],
    ['billing', undefined],
    ['KeyError', undefined],
  ])('%s: %s', (name, refusal) => {
    expect(findRefusal({ names: ['error', name], status: undefined, text: 'x' })).toBe(refusal)
  })
})
