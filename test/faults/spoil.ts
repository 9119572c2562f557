import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type Answer, event, send } from './answer.ts'
import { type Fault, retryAfter } from './fault.ts'

type Spoil = (response: ServerResponse, answer: Answer, value: string, fault: Fault) => unknown

/** Every fault that a request can ask for, by name. */
export const spoils: Record<string, Spoil> = {
  /** `status=503`, with `retry-after`, `retry-after-ms` or `retry-date` (seconds from now), and `error` as its message. */
  status(response, _, value, fault) {
    const { headers } = retryAfter(fault)
    response.writeHead(Number(value), { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: fault.get('error') ?? `the rig says ${value}` } }))
  },

  /** `reset=before|headers|body`: the connection is reset before the answer, after its headers, or within its body. */
  async reset(response, answer, value) {
    if (value !== 'before') await begin(response, answer, value)
    response.socket?.resetAndDestroy()
  },

  /** `cut=length|body`: the connection ends in the middle, with or without a Content-Length. */
  async cut(response, answer, value) {
    const whole = answer.pieces.join('')
    if (value === 'length') response.setHeader('content-length', Buffer.byteLength(whole) + 100)
    response.writeHead(200, { 'content-type': answer.type })
    await written(response, value === 'length' ? whole : whole.slice(0, whole.length / 2))
    response.socket?.destroySoon()
  },

  /** `stall=before|headers|body`: nothing more comes, and the connection stays open. */
  async stall(response, answer, value) {
    if (value !== 'before') await begin(response, answer, value)
  },

  /** `drip=100`: one byte at a time, with that many milliseconds in between. */
  async drip(response, answer, value) {
    response.writeHead(200, { 'content-type': answer.type })
    for (const byte of Buffer.from(answer.pieces.join(''))) {
      if (response.destroyed) return
      response.write(Buffer.of(byte))
      await wait(Number(value))
    }
    response.end()
  },

  /** `endless=text|spaces|json|events|comments|line|html`, as fast as it is read; with `every=20` one piece every 20 ms. */
  async endless(response, answer, value, fault) {
    const [type, start, more] = endlessBodies[value] ?? ['text/plain', '', 'x']
    response.writeHead(200, { 'content-type': type === '' ? answer.type : type })
    const every = fault.get('every')
    const piece = every === undefined ? more.repeat(Math.ceil(65_536 / more.length)) : more
    await pipeline(forever(start, piece, Number(every ?? 0)), response)
  },

  html(response) {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>')
  },

  /** `body=TEXT`: this text, as JSON. */
  body: (response, _, value) => send(response, { type: 'application/json', pieces: [value] }),

  /** `events=NAME`: a stream of events with a mistake in it. */
  events: (response, _, value) =>
    send(response, { type: 'text/event-stream', pieces: badEvents[value] ?? [value] }),

  /** `encoding=gzip|deflate|br|broken|bomb`: compressed as declared, not compressed, or a gigabyte in a megabyte. */
  encoding(response, answer, value) {
    const pack = packers[value]
    response.writeHead(200, {
      'content-type': answer.type,
      'content-encoding': pack === undefined ? 'gzip' : value,
    })
    if (value === 'bomb') sendBomb(response)
    else response.end(pack?.(answer.pieces.join('')) ?? 'this is not gzip')
  },
}

const packers: Record<string, (text: string) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
}

/** Members of a gzip file are concatenated: 16 of 64 MB are a gigabyte. */
function sendBomb(response: ServerResponse): void {
  const member = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  for (let sent = 0; sent < 16; sent += 1) response.write(member)
  response.end()
}

/** The type, the beginning, and what is repeated endlessly. */
const endlessBodies: Record<string, [string, string, string]> = {
  text: ['text/plain', '', 'blah '],
  spaces: ['application/json', '', ' '],
  json: ['application/json', '{"choices":[{"message":{"content":"', 'blah '],
  events: ['text/event-stream', '', event({ choices: [{ index: 0, delta: { content: 'blah ' } }] })],
  comments: ['text/event-stream', '', ': still here\n\n'],
  line: ['text/event-stream', 'data: {"', 'blah '],
  html: ['text/html', '<html>', '<p>blah'],
}

const chunk = { choices: [{ index: 0, delta: { content: 'x' } }] }
const badEvents: Record<string, string[]> = {
  'not-json': [event('this is not JSON')],
  number: [event('42')],
  null: [event('null')],
  unended: [event(chunk)],
  empty: [],
  error: [event(chunk), event({ error: { message: 'the rig broke down', code: 'server_error' } })],
  'choices-text': [event({ choices: 'none' }), event('[DONE]')],
  'delta-list': [event({ choices: [{ index: 0, delta: [1, 2] }] }), event('[DONE]')],
  'call-number': [event({ choices: [{ index: 0, delta: { tool_calls: 7 } }] }), event('[DONE]')],
  'call-index': [
    event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 1e9, function: { name: 'x' } }] } }] }),
    event('[DONE]'),
  ],
  deep: [event(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), event('[DONE]')],
}

/** Sends the headers, and for `body` half of the answer. */
async function begin(response: ServerResponse, answer: Answer, value: string): Promise<void> {
  response.writeHead(200, { 'content-type': answer.type })
  response.flushHeaders()
  const whole = answer.pieces.join('')
  if (value === 'body') await written(response, whole.slice(0, whole.length / 2))
}

function written(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => response.write(text, () => resolve()))
}

async function* forever(start: string, piece: string, everyMs: number): AsyncGenerator<string> {
  yield start
  for (;;) {
    if (everyMs > 0) await wait(everyMs)
    yield piece
  }
}
