import { describe, expect, it } from 'vitest'
import { InfrastructureError, type InfrastructureErrorKind } from '../../errors.ts'
import { proxyRefusal } from '../../models/network/proxy-errors.ts'
import { unlessHeard } from './unless-heard.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })
const passing = (kind: InfrastructureErrorKind, cause?: unknown) =>
  new InfrastructureError(kind, 'no', { retryable: true, cause })

describe('a message that an agent remembers', () => {
  it.each([
    ['no listener', passing('connection', coded('ECONNREFUSED'))],
    ['no listener, told by fetch', passing('connection', new TypeError('x', { cause: coded('ENOTFOUND') }))],
    ['a proxy that refuses', proxyRefusal(502, 'host', 'proxy', new Error('Proxy response (502)'))],
    ['a refusal for now', passing('rate_limit')],
  ])('is sent again after %s', (_, error) => {
    expect(unlessHeard(error)).toBe(error)
  })

  it.each([
    ['a reset', passing('connection', coded('ECONNRESET'))],
    ['a broken server', passing('http')],
    ['a cut answer', passing('truncated')],
  ])('is not sent again after %s', (_, error) => {
    expect(unlessHeard(error)).toMatchObject({ kind: error.kind, message: 'no', retryable: false })
  })
})
