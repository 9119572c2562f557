import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNetwork } from './network.ts'

interface Served {
  encoding: string
  body: Buffer
  status?: number
  type?: string
}

async function fetchFrom(
  { encoding, body, status = 200, type = 'application/json' }: Served,
  method = 'POST',
) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-encoding': encoding, 'content-type': type })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const network = createNetwork({ connections: 1 })
  onTestFinished(async () => {
    await network.close()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  // Node's own fetch, and that of our undici, which reports when a request is sent.
  return { url, fetches: [undefined, () => {}].map((onSent) => () => network.fetch(url, { method }, onSent)) }
}

const json = '{"a":1}'
const bomb = Buffer.concat(Array(10).fill(gzipSync(Buffer.alloc(10 * 1024 * 1024, ' '))))

describe('a fetched answer', () => {
  it.each([
    ['gzip', gzipSync(`\uFEFF${json}`)],
    ['deflate', deflateRawSync(json)],
    ['br', brotliCompressSync(json)],
  ])('is decoded from %s', async (encoding, body) => {
    const { url, fetches } = await fetchFrom({ encoding, body })
    for (const fetch of fetches) {
      const response = await fetch()
      expect(response.url).toBe(url)
      expect(await response.json()).toEqual({ a: 1 })
    }
  })

  it('is refused when its encoding is unknown, unless its status says enough', async () => {
    const unknown = { encoding: 'zstd', body: Buffer.from(json) }
    for (const fetch of (await fetchFrom(unknown)).fetches)
      await expect(fetch()).rejects.toMatchObject({
        kind: 'bad_response',
        message: expect.stringContaining('has the content-encoding "zstd"'),
      })
    for (const fetch of (await fetchFrom({ ...unknown, status: 503 })).fetches)
      expect((await fetch()).status).toBe(503)
  })

  it('ends with an error when it is larger than 64 MB after decoding', async () => {
    for (const fetch of (await fetchFrom({ encoding: 'gzip', body: bomb })).fetches) {
      const response = await fetch()
      await expect(response.text()).rejects.toMatchObject({
        kind: 'bad_response',
        message: expect.stringMatching(/^127\.0\.0\.1:\d+ sent more than 64 MB$/),
      })
    }
  })

  it('may have any size when it is an event stream', async () => {
    const feed = { encoding: 'gzip', body: bomb, type: 'text/event-stream' }
    for (const fetch of (await fetchFrom(feed, 'GET')).fetches)
      expect((await (await fetch()).arrayBuffer()).byteLength).toBe(100 * 1024 * 1024)
  })

  it('reports why it cannot be decoded', async () => {
    for (const encoding of ['gzip', 'br'])
      for (const fetch of (await fetchFrom({ encoding, body: Buffer.from(json) })).fetches) {
        const failure = await (await fetch()).text().catch((error: unknown) => error)
        expect(failure).toMatchObject({ cause: { code: expect.stringMatching(/^(Z_|ERR_)/) } })
      }
  })
})
