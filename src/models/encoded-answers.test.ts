import { createServer } from 'node:http'
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createPlainScope } from '../scope/plain-scope.ts'
import { sendRequest } from './http-client.ts'
import { createRequest, listen, openAI } from './model-test-server.ts'
import { createNetwork } from './network/network.ts'
import { readText } from './read-answer.ts'

const { failureAt, modelAt } = openAI
const answer = JSON.stringify({ choices: [{ message: { content: 'grüß dich' }, finish_reason: 'stop' }] })

interface Served {
  body: Buffer
  encoding?: string
  status?: number
  type?: string
}

function serve({ body, encoding, status = 200, type = 'application/json' }: Served): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) })
    response.end(body)
  })
  return listen(server)
}

async function fetchText(served: Served): Promise<string> {
  const network = createNetwork({ connections: 1 })
  const request = { url: new URL(await serve(served)), headers: {}, network }
  return sendRequest(request, new AbortController().signal, () => readText((text) => text)).finally(
    network.close,
  )
}

describe('an encoded answer', () => {
  test.each([
    ['gzip', gzipSync(answer)],
    ['x-gzip', gzipSync(answer)],
    ['GZIP', gzipSync(answer)],
    ['deflate', deflateSync(answer)],
    ['deflate', deflateRawSync(answer)],
    ['br', brotliCompressSync(answer)],
    ['identity', Buffer.from(answer)],
    ['gzip, br', brotliCompressSync(gzipSync(answer))],
    ['deflate, gzip', gzipSync(deflateRawSync(answer))],
    ['', Buffer.from(`\uFEFF${answer}`)],
    ['gzip', gzipSync(`\uFEFF${answer}`)],
  ])('with %j is decoded', async (encoding, body) => {
    expect(await fetchText({ body, encoding })).toBe(answer)
  })

  test('without any bytes is empty', async () => {
    expect(await fetchText({ body: Buffer.alloc(0), encoding: 'gzip' })).toBe('')
  })

  test('is decoded for replies and for error messages', async () => {
    const url = await serve({ body: gzipSync(answer), encoding: 'gzip' })
    expect((await modelAt(url).generate(createRequest('Hi'), createPlainScope())).content).toBe('grüß dich')
    const refused = gzipSync(JSON.stringify({ error: { message: 'no such model' } }))
    const failure = await failureAt(await serve({ body: refused, encoding: 'gzip', status: 404 }))
    expect(failure).toMatchObject({ kind: 'http', status: 404 })
    expect(failure.message).toContain('no such model')
  })

  test('is read event by event while the connection stays open', async () => {
    const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      const zip = createGzip()
      zip.pipe(response)
      for (const text of [event('one '), event('two'), 'data: [DONE]\n\n']) {
        zip.write(text)
        zip.flush()
      }
    })
    const model = modelAt(await listen(server))
    expect((await model.generate(createRequest('Hi'), createPlainScope())).content).toBe('one two')
  })
})

describe('an encoded answer that cannot be read', () => {
  const encoded = { kind: 'bad_response', retryable: false }
  const megabyte = Buffer.alloc(1024 * 1024, ' ')

  test('has an unknown encoding', async () => {
    const failure = await failureAt(await serve({ body: Buffer.from(answer), encoding: 'gzip, zstd' }))
    expect(failure).toMatchObject(encoded)
    expect(failure.message).toMatch(
      /^the answer of 127\.0\.0\.1:\d+ has the content-encoding "zstd": only gzip, deflate and br can be read$/,
    )
  })

  test.each(['gzip', 'deflate', 'br'])('is not valid %s', async (encoding) => {
    const failure = await failureAt(await serve({ body: Buffer.from(answer), encoding }))
    expect(failure).toMatchObject(encoded)
    expect(failure.message).toMatch(/^the answer of 127\.0\.0\.1:\d+ cannot be decompressed: /)
  })

  test.each([
    ['gzip', gzipSync(answer)],
    ['deflate', deflateSync(answer)],
    ['br', brotliCompressSync(answer)],
  ])('stops in the middle of its %s', async (encoding, whole) => {
    const body = whole.subarray(0, whole.length - 9)
    const failure = await failureAt(await serve({ body, encoding }))
    expect(failure).toMatchObject({ kind: 'truncated', retryable: true })
    expect(failure.message).toMatch(/^the compressed answer of 127\.0\.0\.1:\d+ ended too early$/)
  })

  test.each([
    ['gzip', Buffer.concat(Array(1000).fill(gzipSync(Buffer.concat(Array(10).fill(megabyte)))))],
    ['br', brotliCompressSync(Buffer.concat(Array(70).fill(megabyte)))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.concat(Array(70).fill(megabyte))))],
  ])('is a decompression bomb of %s', async (encoding, body) => {
    for (const type of ['application/json', 'text/event-stream']) {
      const failure = await failureAt(await serve({ body, encoding, type }))
      expect(failure).toMatchObject(encoded)
      expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ sent more than 64 MB$/)
    }
  })

  test('still has its status when that is an error', async () => {
    for (const encoding of ['zstd', 'gzip']) {
      const failure = await failureAt(await serve({ body: Buffer.from(answer), encoding, status: 503 }))
      expect(failure).toMatchObject({ kind: 'http', status: 503, retryable: true })
    }
  })
})
