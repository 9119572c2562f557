import { describe, expect, it } from 'vitest'
import { ConfigError, InfrastructureError } from '../../errors.ts'
import { describeThrown } from '../../scripts/protocol/thrown.ts'
import { ScriptThrew } from '../../scripts/runner/script-error.ts'
import { providerError } from './provider-error.ts'

/** An error as it arrives from the script host. */
function thrown(name: string, fields: object = {}, message = 'it failed'): ScriptThrew {
  return new ScriptThrew(describeThrown(Object.assign(new Error(message), { name, ...fields })))
}

const url = 'https://api.example.test/v1/chat?key=hidden'

describe('providerError', () => {
  it.each([
    ['rate_limit', { statusCode: 429, isRetryable: true }, true],
    ['quota', { statusCode: 429, responseBody: '{"error":{"code":"insufficient_quota"}}' }, false],
    ['http', { statusCode: 503, isRetryable: true }, true],
    ['http', { statusCode: 401 }, false],
    ['connection', { isRetryable: true }, true],
    ['bad_response', { statusCode: 200 }, false],
  ])('reports a failed provider call as an infrastructure error: %s for %j', (kind, fields, retryable) => {
    const error = providerError(thrown('AI_APICallError', { url, ...fields }))
    expect(error).toBeInstanceOf(InfrastructureError)
    expect(error).toMatchObject({ kind, retryable })
    expect(error?.message).toContain('https://api.example.test/v1/chat')
    expect(error?.message).not.toContain('hidden')
  })

  it('includes the provider’s message and how long to wait', () => {
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

  it('finds the provider error behind a retry error and behind the agent’s own error', () => {
    const lastError = Object.assign(new Error('busy'), {
      name: 'AI_APICallError',
      url,
      statusCode: 500,
      isRetryable: true,
    })
    expect(providerError(thrown('AI_RetryError', { lastError }))).toMatchObject({ kind: 'http' })
    expect(providerError(thrown('Error', { cause: lastError }))).toMatchObject({ kind: 'http' })
  })

  it('reports a gateway error without an address', () => {
    const error = providerError(
      thrown('GatewayRateLimitError', { statusCode: 429, isRetryable: true }, 'later'),
    )
    expect(error).toMatchObject({ kind: 'rate_limit', message: 'the provider answered 429: later' })
  })

  it('reports a missing API key as a config error', () => {
    const error = providerError(thrown('AI_LoadAPIKeyError', {}, 'API key is missing'))
    expect(error).toBeInstanceOf(ConfigError)
    expect(error?.message).toBe('API key is missing')
  })

  it('reports an invalid provider response as an infrastructure error', () => {
    expect(providerError(thrown('AI_InvalidResponseDataError'))).toMatchObject({ kind: 'bad_response' })
  })

  it.each(['AI_NoSuchToolError', 'AI_InvalidToolInputError', 'AI_NoObjectGeneratedError', 'TypeError'])(
    'leaves errors of the agent itself alone: %s',
    (name) => {
      expect(providerError(thrown(name, { statusCode: 500 }))).toBeUndefined()
    },
  )

  it('ignores errors that do not come from a script', () => {
    expect(providerError(new Error('x'))).toBeUndefined()
  })
})
