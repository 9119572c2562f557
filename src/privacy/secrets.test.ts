import { describe, expect, it } from 'vitest'
import { createRedactor } from './secrets.ts'

const redact = createRedactor(['s3cr3t/key', 'tiny', 'abc'])

describe('redaction of secrets', () => {
  it('replaces secrets in every text, keys included, and keeps the shape', () => {
    const event = { a: 'Bearer s3cr3t/key', list: [1, null, { 's3cr3t/key': true }] }
    expect(redact(event)).toEqual({ a: 'Bearer [redacted]', list: [1, null, { '[redacted]': true }] })
  })

  it('recognises a secret in a URL, in JSON inside a text and in base64', () => {
    const forms = [encodeURIComponent('s3cr3t/key'), Buffer.from('s3cr3t/key').toString('base64')]
    for (const form of forms) expect(redact(`x${form}y`)).toBe('x[redacted]y')
    expect(createRedactor(['a"b\nc-long'])(JSON.stringify({ key: 'a"b\nc-long' }))).toBe(
      '{"key":"[redacted]"}',
    )
  })

  it.each([
    's3cr3t/%22it%27s%22%2Bkey%3D%3D77%20%28x%29',
    "s3cr3t%2F%22it's%22%2Bkey%3D%3D77%20(x)",
    's3cr3t%2F%22it%27s%22%2Bkey%3D%3D77+%28x%29',
    "s3cr3t%2f%22it's%22%2bkey%3d%3d77%20(x)",
    'czNjcjN0LyJpdCdzIitrZXk9PTc3ICh4KQ==',
  ])('recognises a secret as other languages encode it: %s', (form) => {
    expect(createRedactor([`s3cr3t/"it's"+key==77 (x)`])(`k=${form}&`)).toBe('k=[redacted]&')
  })

  it('recognises a secret that was cut off by an ellipsis', () => {
    expect(redact('output is "s3cr3t/ke…')).toBe('output is "[redacted]…')
    expect(redact('the last lines: …cr3t/key and on')).toBe('the last lines: …[redacted] and on')
    expect(redact('…3cr3t/key, s3cr3t/k…')).toBe('…[redacted], [redacted]…')
    expect(redact('s3cr3t/ke')).toBe('s3cr3t/ke')
    expect(redact('… 3cr3t/key')).toBe('… 3cr3t/key')
  })

  it.each([
    ['postgres://app:hunter2@db/shop', 'postgres://[redacted]@db/shop'],
    [
      'see redis://:hunter2@cache:6379, twice: amqp://a:b@c',
      'see redis://[redacted]@cache:6379, twice: amqp://[redacted]@c',
    ],
    ['https://ghp_0123456789@github.com/a/b', 'https://[redacted]@github.com/a/b'],
    ['{"url":"https://me:pass@host/path?x=1@2"}', '{"url":"https://[redacted]@host/path?x=1@2"}'],
    ['postgres://user:pa@ssw0rd@host/db', 'postgres://[redacted]@host/db'],
    ['ssh://git@github.com/a/b.git', 'ssh://git@github.com/a/b.git'],
    ['https://host/@someone/path:x@y', 'https://host/@someone/path:x@y'],
    ['https://host and a:b@c', 'https://host and a:b@c'],
  ])('replaces the credentials of any URL: %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted)
    expect(createRedactor([])(text)).toBe(redacted)
  })

  it('is fast with texts that almost look like URLs', () => {
    for (const text of ['a'.repeat(500_000), 'a://'.repeat(200_000), `a://${'b:'.repeat(300_000)}`])
      expect(redact(`${text}://`)).toBe(`${text}://`)
  })

  it('accepts secrets of any length', () => {
    const key = Array.from({ length: 20_000 }, (_, index) => index.toString(36)).join('-')
    const redactKey = createRedactor([key])
    expect(redactKey(`a ${key} b ${key.slice(0, 9000)}… c …${key.slice(9000)} d`)).toBe(
      'a [redacted] b [redacted]… c …[redacted] d',
    )
  })

  it('ignores values that are too short to be secrets', () => {
    expect(redact('abc')).toBe('abc')
  })

  it('returns the same value, not a copy, when there is nothing to redact', () => {
    const event = { a: ['fine'] }
    expect(redact(event)).toBe(event)
    expect(createRedactor([])(event)).toBe(event)
  })
})
