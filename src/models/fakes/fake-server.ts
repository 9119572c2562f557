import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parseJson } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import { type FakeAnswer, type FakeApi, type FakeOutcome, fakeOutcome } from './fake-answer.ts'

/** A request that the fake received. */
export interface RecordedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Data
  /** The number of its connection: 1 for the first one that the server accepted. */
  connection: number
  /** How it ended: answered in full, cut by the fake, or abandoned by the client before the answer was complete. */
  ended: Promise<'answered' | 'cut' | 'abandoned'>
}

export interface FakeServerOptions {
  /** Called for each request, in the order of arrival. Default: echoes the last user message. */
  answer?: (request: Data, index: number) => FakeAnswer | Promise<FakeAnswer>
}

export interface FakeServer {
  /** `http://127.0.0.1:<port>/v1` */
  url: string
  requests: RecordedRequest[]
  /** How many connections have been accepted so far. */
  readonly connections: number
  /** Closes the server with all its connections, including hanging ones. */
  close(): Promise<void>
}

/** Starts a server on loopback that answers like a provider, streamed or not as the request asks. */
export async function startFakeServer(api: FakeApi, options: FakeServerOptions): Promise<FakeServer> {
  const requests: RecordedRequest[] = []
  const numbers = new WeakMap<Socket, number>()
  const stopping = new AbortController()
  let connections = 0
  let received = 0

  const server = createServer((request, response) => {
    // Errors here come from a lost connection, or from a delayed answer when the fake is closed.
    serve(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => numbers.set(socket, ++connections))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = numbers.get(request.socket) ?? 0
    const path = request.url ?? ''
    const body = await readBody(request)
    if (request.method !== 'POST' || !path.split('?')[0]?.endsWith(api.path))
      return sendOutcome(response, buildRefusal(api, 404, `no ${request.method} ${path} here`))
    if (body === undefined) return sendOutcome(response, buildRefusal(api, 400, 'the body is not JSON'))
    let cut = false
    const ended = awaitEnd(response, () => cut || stopping.signal.aborted)
    const index = received++
    requests.push({ path, headers: request.headers, body, connection, ended })
    const outcome = fakeOutcome(api, await callAnswer(options, body, index), body)
    if (outcome.delayMs > 0) await wait(outcome.delayMs, undefined, { signal: stopping.signal })
    cut = outcome.cut !== undefined
    await sendOutcome(response, outcome)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get connections() {
      return connections
    },
    close() {
      stopping.abort()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function awaitEnd(response: ServerResponse, isCut: () => boolean): RecordedRequest['ended'] {
  return new Promise((resolve) => {
    response.once('close', () => {
      const unfinished = isCut() ? 'cut' : 'abandoned'
      resolve(response.writableFinished ? 'answered' : unfinished)
    })
  })
}

/** An error thrown by `answer` becomes the answer, so that its author sees it. */
async function callAnswer(options: FakeServerOptions, body: Data, index: number): Promise<FakeAnswer> {
  try {
    return (await options.answer?.(body, index)) ?? {}
  } catch (error) {
    return { status: 500, error: { message: `the fake's answer() threw: ${String(error)}` } }
  }
}

function buildRefusal(api: FakeApi, status: number, message: string): FakeOutcome {
  return fakeOutcome(api, { status, error: { message } }, {})
}

/** Returns undefined for a body that is not JSON. */
async function readBody(request: IncomingMessage): Promise<Data | undefined> {
  return parseJson(await text(request)) as Data | undefined
}

async function sendOutcome(response: ServerResponse, outcome: FakeOutcome): Promise<void> {
  if (outcome.hang) return
  if (outcome.cut === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  response.writeHead(outcome.status, outcome.headers)
  if (outcome.cut === undefined) {
    for (const piece of outcome.pieces) response.write(piece)
    response.end()
    return
  }
  response.flushHeaders()
  const pieces = outcome.cut === 'mid-stream' ? firstHalf(outcome.pieces) : []
  for (const piece of pieces) response.write(piece)
  // What was written so far must be sent before the connection is closed.
  await new Promise<void>((resolve) => response.write('', () => resolve()))
  response.socket?.destroySoon()
}

function firstHalf(pieces: string[]): string[] {
  const text = pieces.join('')
  return pieces.length > 1 ? pieces.slice(0, Math.floor(pieces.length / 2)) : [text.slice(0, text.length / 2)]
}
