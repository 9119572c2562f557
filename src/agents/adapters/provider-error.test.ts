import { describe, expect, it } from 'vitest'
import { ConfigError, InfrastructureError } from '../../errors.ts'
import { thrownFailure } from '../../scripts/protocol/thrown.ts'
import { ScriptThrew } from '../../scripts/runner/script-error.ts'
import { providerError } from './provider-error.ts'

/** As it arrives from the script host. */
function thrown(name: string, fields: object = {}, message = 'it failed'): ScriptThrew {
  return new ScriptThrew(thrownFailure(Object.assign(new Error(message), { name, ...fields })))
}

const url = 'https://api.example.test/v1/chat?key=hidden'

describe('an error of the AI SDK', () => {
  it.each([
    ['rate_limit', { statusCode: 429, isRetryable: true }, true],
    ['quota', { statusCode: 429, responseBody: '{"error":{"code":"insufficient_quota"}}' }, false],
    ['http', { statusCode: 503, isRetryable: true }, true],
    ['http', { statusCode: 401 }, false],
    ['connection', { isRetryable: true }, true],
    ['bad_response', { statusCode: 200 }, false],
  ])('about a call is of the infrastructure: %s of %j', (kind, fields, retryable) => {
    const error = providerError(thrown('AI_APICallError', { url, ...fields }))
    expect(error).toBeInstanceOf(InfrastructureError)
    expect(error).toMatchObject({ kind, retryable })
    expect(error?.message).toContain('https://api.example.test/v1/chat')
    expect(error?.message).not.toContain('hidden')
  })

  it('says what the provider said, and how long to wait', () => {
    const error = providerError(
      thrown('AI_APICallError', {
        url,
        statusCode: 429,
        isRetryable: true,
        responseHeaders: { 'Retry-After': '2', 'set-cookie': 'secret' },
        responseBody: '{"error":{"message":"slow down"}}',
      }),
    )
    expect(error).toMatchObject({ retryAfterMs: 2000 })
    expect(error?.message).toBe('https://api.example.test/v1/chat answered 429: slow down')
  })

  it('is found behind the error of several attempts, and behind the agent’s own', () => {
    const lastError = Object.assign(new Error('busy'), {
      name: 'AI_APICallError',
      url,
      statusCode: 500,
      isRetryable: true,
    })
    expect(providerError(thrown('AI_RetryError', { lastError }))).toMatchObject({ kind: 'http' })
    expect(providerError(thrown('Error', { cause: lastError }))).toMatchObject({ kind: 'http' })
  })

  it('of its gateway has no address', () => {
    const error = providerError(
      thrown('GatewayRateLimitError', { statusCode: 429, isRetryable: true }, 'later'),
    )
    expect(error).toMatchObject({ kind: 'rate_limit', message: 'the provider answered 429: later' })
  })

  it('about a key that is not set is the user’s', () => {
    const error = providerError(thrown('AI_LoadAPIKeyError', {}, 'API key is missing'))
    expect(error).toBeInstanceOf(ConfigError)
    expect(error?.message).toBe('API key is missing')
  })

  it('about an answer without sense is of the infrastructure', () => {
    expect(providerError(thrown('AI_InvalidResponseDataError'))).toMatchObject({ kind: 'bad_response' })
  })

  it.each(['AI_NoSuchToolError', 'AI_InvalidToolInputError', 'AI_NoObjectGeneratedError', 'TypeError'])(
    'that is the agent’s doing stays the agent’s: %s',
    (name) => {
      expect(providerError(thrown(name, { statusCode: 500 }))).toBeUndefined()
    },
  )

  it('is not looked for in what is no error of a script', () => {
    expect(providerError(new Error('x'))).toBeUndefined()
  })
})
