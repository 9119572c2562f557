import { describe, expect, it } from 'vitest'
import { InfrastructureError, type InfrastructureErrorKind } from '../../errors.ts'
import { createProxyRefusalError } from '../../models/network/proxy-errors.ts'
import { retryIfUndelivered } from './unless-heard.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })
const passing = (kind: InfrastructureErrorKind, cause?: unknown) =>
  new InfrastructureError(kind, 'no', { retryable: true, cause })

describe('a message to an agent that remembers the conversation', () => {
  it.each([
    ['no listener', passing('connection', coded('ECONNREFUSED'))],
    [
      'no listener, reported by fetch',
      passing('connection', new TypeError('x', { cause: coded('ENOTFOUND') })),
    ],
    [
      'a refusal by the proxy',
      createProxyRefusalError(502, 'host', 'proxy', new Error('Proxy response (502)')),
    ],
    ['a rate limit', new InfrastructureError('rate_limit', 'no', { retryable: true, status: 429 })],
  ])('is sent again after %s', (_, error) => {
    expect(retryIfUndelivered(error)).toBe(error)
  })

  it.each([
    ['a connection reset', passing('connection', coded('ECONNRESET'))],
    ['a server error', passing('http')],
    ['a rate limit that an answer reports', passing('rate_limit')],
    ['a truncated answer', passing('truncated')],
  ])('is not sent again after %s', (_, error) => {
    expect(retryIfUndelivered(error)).toMatchObject({ kind: error.kind, message: 'no', retryable: false })
  })
})
