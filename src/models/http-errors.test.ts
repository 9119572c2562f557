import { describe, expect, test } from 'vitest'
import { anthropic, escapePattern, openAI } from './model-test-server.ts'

const apis = [
  { api: 'OpenAI', path: '/v1/chat/completions', ...openAI },
  { api: 'Anthropic', path: '/v1/messages', ...anthropic },
]

describe.each(apis)('an error status of $api', ({ path, startFake, failureAt, failureFor }) => {
  test.each([
    ['retry-after', '2', 2000],
    ['retry-after', '0.5', 500],
    ['retry-after-ms', '120', 120],
    ['retry-after', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['retry-after', 'soon', undefined],
  ])('429 is a rate limit, and %s: %s says how long to wait', async (name, value, expected) => {
    const failure = await failureFor({ status: 429, headers: { [name]: value } })
    expect(failure).toMatchObject({ kind: 'rate_limit', retryable: true, retryAfterMs: expected })
  })

  test('429 may name a future time', async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString()
    const { retryAfterMs } = await failureFor({ status: 429, headers: { 'retry-after': later } })
    expect(retryAfterMs).toBeGreaterThan(3_000_000)
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000)
  })

  test('429 for lack of quota is not retryable', async () => {
    const error = { message: 'You exceeded your current quota', code: 'insufficient_quota' }
    const failure = await failureFor({ status: 429, headers: { 'retry-after': '1' }, error })
    expect(failure).toMatchObject({ kind: 'quota', retryable: false, retryAfterMs: undefined })
    expect(failure.message).toContain('You exceeded your current quota')
  })

  test.each([
    [400, { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API' }],
    [402, { type: 'billing_error', message: 'Check your payment details' }],
  ])('%d may be about money, too', async (status, error) => {
    expect(await failureFor({ status, error })).toMatchObject({ kind: 'quota', retryable: false })
  })

  test.each([500, 502, 503, 529, 408, 409])('%d is retryable', async (status) => {
    const failure = await failureFor({ status, headers: { 'retry-after': '3' } })
    expect(failure).toMatchObject({ kind: 'http', retryable: true, retryAfterMs: 3000 })
    expect(failure.message).toContain(String(status))
  })

  test.each([301, 400, 402, 404, 413, 422])('%d is not retryable', async (status) => {
    const failure = await failureFor({ status })
    expect(failure).toMatchObject({ kind: 'http', retryable: false })
    expect(failure.message).toContain(`answered ${status}`)
  })

  test('is reported in the words of the provider, shortened, and with a URL without secrets', async () => {
    const server = await startFake({ status: 400, error: { message: `Unknown field\n${'x'.repeat(5000)}` } })
    const baseURL = `${server.url.replace('//', '//ann:secret@')}?key=hidden`
    const { message } = await failureAt(baseURL)
    expect(message).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/v1\/[\w/]+ answered 400 Bad Request: Unknown field x+…$/,
    )
    expect(message).toContain(path)
    expect(message.length).toBeLessThan(620)
  })

  test.each([
    ['{"error":"plain words"}', 'plain words'],
    ['{"message":"top words"}', 'top words'],
    ['{"detail":"a detail"}', 'a detail'],
    ['[{"error":{"message":"in a list"}}]', 'in a list'],
    ['{"detail":[{"loc":["body"]}]}', '{"detail":[{"loc":["body"]}]}'],
    ['<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
  ])('is reported from the body %s', async (body, words) => {
    expect((await failureFor({ status: 502, body })).message).toMatch(
      new RegExp(`: ${escapePattern(words)}$`),
    )
  })

  test('401 and 403 point to the key', async () => {
    expect((await failureFor({ status: 401 })).message).toContain('no API key was sent')
    expect((await failureFor({ status: 403 }, { apiKey: 'sk-1' })).message).toContain('check the API key')
  })

  test('is reported even when its body is cut or endless, and otherwise leaves the connection usable', async () => {
    expect(await failureFor({ status: 503, cut: 'before-body' })).toMatchObject({
      kind: 'http',
      retryable: true,
    })
    expect(await failureFor({ status: 503, cut: 'mid-stream' })).toMatchObject({
      kind: 'http',
      retryable: true,
    })
    const long = await failureFor({ status: 400, body: `{"error":"words"}${' '.repeat(1024 * 1024)}` })
    expect(long).toMatchObject({ kind: 'http', retryable: false })
    const server = await startFake({ status: 500 })
    for (let call = 0; call < 5; call++) await failureAt(server.url)
    expect(server.requests).toHaveLength(5)
    expect(server.requests.at(-1)?.connection).toBeLessThanOrEqual(2)
  })
})

describe('an error inside an answer', () => {
  const { failureFor } = openAI
  const said = { choices: [{ delta: { content: 'a' } }] }

  test.each([
    [{ message: 'Overloaded', type: 'overloaded_error' }, 'http', true],
    [{ message: 'Internal server error' }, 'http', true],
    [{ message: 'upstream', code: 502 }, 'http', true],
    [{ message: 'upstream', code: '503' }, 'http', true],
    [{ message: 'upstream is unavailable', code: 400 }, 'http', false],
    [{ message: 'too long', code: 'context_length_exceeded' }, 'http', false],
    [{ message: 'slow down', code: 429 }, 'rate_limit', true],
    [{ message: 'Rate limit reached for gpt-5 on requests per min' }, 'rate_limit', true],
    ['529 {"type":"error","error":{"type":"overloaded_error"}}', 'http', true],
    [{ message: 'pay', code: 'insufficient_quota' }, 'quota', false],
    ['just words', 'http', false],
  ])('%j is %s, retryable: %s', async (error, kind, retryable) => {
    const message = expect.stringContaining(typeof error === 'string' ? error : error.message)
    expect(await failureFor({ events: [said, { error }, '[DONE]'] })).toMatchObject({
      kind,
      retryable,
      message,
    })
    expect(await failureFor({ body: { error } }, { stream: false })).toMatchObject({
      kind,
      retryable,
      message,
    })
  })

  test('may be marked by the name of the event', async () => {
    const body = 'event: error\ndata: {"type":"overloaded_error","message":"Overloaded"}\n\n'
    const failure = await failureFor({ body, headers: { 'content-type': 'text/event-stream' } })
    expect(failure).toMatchObject({ kind: 'http', retryable: true })
  })
})
