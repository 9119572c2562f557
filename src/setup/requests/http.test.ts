import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createNetwork } from '../../models/network/network.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import { askHttp } from './http.ts'

const network = createNetwork({ connections: 4, headers: { 'x-gateway': 'secret' } })
afterAll(() => network.close())

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A server that remembers what it is asked. */
async function server(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end(),
) {
  const received: Received[] = []
  const listening = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { method, url, headers } = request
    received.push({ method, url, headers, body })
    answer(response, request)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listening.closeAllConnections()
    listening.close()
  })
  const { port } = listening.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, received }
}

async function ask(name: string, args: unknown[], signal?: AbortSignal) {
  const asked = askHttp(name, args, network, createPlainScope(signal && { signal }))
  if (asked === undefined) throw new Error(`${name} is none`)
  return asked
}

describe('a request of a script', () => {
  it.each<[string, (url: string) => unknown[], Partial<Received>]>([
    ['http.Get', (url) => [url, { q: 'a b' }, { 'X-A': '1' }], { method: 'GET', url: '/?q=a+b', body: '' }],
    ['http.Post', (url) => [url, { a: 1 }, null, 'q=1'], { method: 'POST', url: '/?q=1', body: '{"a":1}' }],
    ['http.Put', (url) => [url, [1], { q: 1 }], { method: 'PUT', url: '/?q=1', body: '[1]' }],
    ['http.Patch', (url) => [url, 'text'], { method: 'PATCH', url: '/', body: 'text' }],
    ['http.Delete', (url) => [url, null, { q: 1 }], { method: 'DELETE', url: '/?q=1', body: '' }],
    ['http.Head', (url) => [url, null, { q: 1 }], { method: 'HEAD', url: '/?q=1', body: '' }],
    ['http.Send', (url) => ['options', url, 7, { q: 1 }], { method: 'OPTIONS', url: '/?q=1', body: '7' }],
    ['http.Send', (url) => ['GET', url, { ignored: 1 }], { method: 'GET', url: '/', body: '' }],
  ])('is made by %s', async (name, args, sent) => {
    const { url, received } = await server()
    expect(await ask(name, args(url))).toMatchObject({ code: 200, status: 200, data: null, message: '' })
    expect(received).toMatchObject([sent])
  })

  it.each<[string, unknown, string]>([
    ['an object', { a: 1, b: ['x', 'y'], c: null }, '/?own=0&a=1&b=x&b=y&c='],
    [
      'pairs',
      [
        ['a', 1],
        ['a', 2],
      ],
      '/?own=0&a=1&a=2',
    ],
    ['objects', [{ a: 1 }, { a: 2, b: 3 }], '/?own=0&a=1&a=2&b=3'],
    ['texts', ['a=1', 'b=2'], '/?own=0&a=1&b=2'],
    ['a text', 'a=1&b=%20', '/?own=0&a=1&b=+'],
    ['nothing', null, '/?own=0'],
  ])('has a query that is %s', async (_, query, path) => {
    const { url, received } = await server()
    await ask('http.Get', [`${url}?own=0`, query])
    expect(received[0]?.url).toBe(path)
  })

  it('has headers that are an object or a list of objects, and none of the project', async () => {
    const { url, received } = await server()
    await ask('http.Get', [url, null, { 'X-A': 'a', 'User-Agent': 'me' }])
    await ask('http.Get', [url, null, [{ 'X-A': 'a' }, { 'X-A': 'b' }]])
    expect(received[0]?.headers).toMatchObject({ 'x-a': 'a', 'user-agent': 'me' })
    expect(received[1]?.headers['x-a']).toBe('a, b')
    expect(received[0]?.headers['x-gateway']).toBeUndefined()
  })

  it('says what its payload is, unless its headers do', async () => {
    const { url, received } = await server()
    await ask('http.Post', [url, { a: 1 }])
    await ask('http.Post', [url, '<a/>', null, null, { 'content-type': 'application/xml' }])
    await ask('http.Post', [
      url,
      { a: 'x y', b: [1, 2] },
      null,
      null,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    ])
    expect(received.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/json; charset=utf-8', '{"a":1}'],
      ['application/xml', '<a/>'],
      ['application/x-www-form-urlencoded', 'a=x+y&b=1&b=2'],
    ])
  })

  it('takes name and password from its URL', async () => {
    const { port, received } = await server()
    await ask('http.Get', [`http://ann:pass@127.0.0.1:${port}/`])
    expect(received[0]?.headers.authorization).toBe(`Basic ${btoa('ann:pass')}`)
  })

  it.each<[string, unknown[], string]>([
    ['http.Get', [], 'http.Get needs a URL'],
    ['http.Get', [{}], 'http.Get needs a URL'],
    ['http.Send', [null, 'http://a/'], 'http.Send needs a method'],
    ['http.Get', ['http://a/', 7], 'the query of http.Get: an object or a list is needed, got number'],
    ['http.Get', ['http://a/', {}, [[7]]], 'the headers of http.Get: an object or a list is needed'],
    ['http.Post', ['http://a/', null, { f: '/a.txt' }], 'http.Post with files: viva does not have it'],
    ['http.Send', ['POST', 'http://a/', null, null, null, [{ name: 'f' }]], 'http.Send with files'],
    [
      'http.Post',
      ['http://a/', 'f', {}, {}, { 'Content-Type': 'multipart/form-data' }],
      'http.Post with files',
    ],
  ])('is refused: %s %j', async (name, args, message) => {
    await expect(ask(name, args)).rejects.toThrow(message)
  })

  it.each(['http.Stream', 'http', 'https.Get', '__proto__', 'scripts.http.Get'])(
    'is not %s',
    async (name) => {
      await expect(askHttp(name, ['http://a/'], network, createPlainScope())).rejects.toMatchObject({
        kind: 'stub',
      })
    },
  )
})

describe('an answer', () => {
  it('is data where it is JSON, with its message', async () => {
    const { url } = await server((response) => {
      response.writeHead(404, {
        'content-type': 'application/problem+json; charset=utf-8',
        'set-cookie': ['a=1', 'b=2'],
      })
      response.end('{"message":"not there"}')
    })
    const answer = await ask('http.Get', [url])
    expect(answer).toMatchObject({
      code: 404,
      status: 404,
      data: { message: 'not there' },
      message: 'not there',
    })
    expect(answer.headers).toMatchObject({
      'Content-Type': ['application/problem+json; charset=utf-8'],
      'Set-Cookie': ['a=1', 'b=2'],
    })
  })

  it.each<[string, string, unknown]>([
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['text/html; x=application/json', 'grüße', 'grüße'],
    ['application/json', '{broken', '{broken'],
    ['application/json', 'null', null],
    ['application/json', '', null],
  ])('of the type %s: %j', async (type, text, data) => {
    const { url } = await server((response) => response.writeHead(200, { 'content-type': type }).end(text))
    expect((await ask('http.Get', [url])).data).toEqual(data)
  })

  it('may be compressed, or come from elsewhere', async () => {
    const { url } = await server((response, request) => {
      if (request.url === '/') response.writeHead(302, { location: '/there' }).end()
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('found'))
    })
    expect(await ask('http.Get', [url])).toMatchObject({ code: 200, data: 'found' })
  })

  it('that does not come is no error', async () => {
    const nothing = { code: 0, status: 0, data: null, headers: {} }
    const { url, port } = await server((response) => response.destroy())
    expect(await ask('http.Get', [url])).toEqual({
      ...nothing,
      message: expect.stringMatching(/^fetch failed: ./),
    })
    for (const address of ['file:///etc/passwd', 'ftp://a/', 'nonsense', '', `127.0.0.1:${port}`])
      expect(await ask('http.Get', [address])).toEqual({
        ...nothing,
        message: `${address} is no http:// or https:// URL`,
      })
    expect(await ask('http.Get', [url, null, { 'bad name': 'x' }])).toMatchObject({ code: 0, data: null })
    expect(await ask('http.Send', ['bad method', url])).toMatchObject({ code: 0, data: null })
  })

  it('cannot be taken to another protocol', async () => {
    const { url } = await server((response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    expect(await ask('http.Get', [url])).toMatchObject({ code: 0, data: null })
  })

  it('is no larger than 16 MB', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'a')
    const size = (count: number) => (response: ServerResponse) =>
      response.end(Buffer.concat(Array(count).fill(megabyte)))
    const [fits, tooLarge] = [await server(size(16)), await server(size(17))]
    expect(String((await ask('http.Get', [fits.url])).data)).toHaveLength(16 * 1024 * 1024)
    expect(await ask('http.Get', [tooLarge.url])).toMatchObject({
      code: 0,
      message: 'the answer is larger than 16 MB',
    })
  })

  it('is not waited for when the script has ended', async () => {
    const controller = new AbortController()
    const { url } = await server(() => controller.abort(new Error('the case is over')))
    await expect(ask('http.Get', [url], controller.signal)).rejects.toThrow('the case is over')
  })
})
