import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { repository } from './viva.ts'

const certificates = join(repository, 'test/fixtures/network')
/** The authority that signed the certificate of `startTls`. */
export const authority = readFileSync(join(certificates, 'ca.pem'), 'utf8')

export interface ProxyOptions {
  /** The `name:password` that it requires. */
  credentials?: string
  /** The status of every answer. */
  status?: number
  /** Never answers. */
  hang?: boolean
}

export interface Proxy {
  url: string
  /** All requests: `CONNECT host:port` or `POST http://host:port/path`. */
  asked: string[]
}

/** A usual proxy: CONNECT for tunnels, and full addresses for plain requests. */
export async function startProxy({ credentials, status, hang }: ProxyOptions = {}): Promise<Proxy> {
  const asked: string[] = []
  const wanted =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  const refusal = (request: IncomingMessage) => {
    asked.push(`${request.method} ${request.url}`)
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) return 407
    return status
  }

  const server = createServer((request, response) => {
    const refused = refusal(request)
    if (hang) return
    if (refused !== undefined) {
      response.writeHead(refused).end('says the proxy')
      return
    }
    const { 'proxy-authorization': _, ...headers } = request.headers
    const onward = sendRequest(request.url ?? '', { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end('nobody there'))
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const refused = refusal(request)
    if (hang) return
    if (refused !== undefined) {
      socket.end(`HTTP/1.1 ${refused} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const { hostname, port } = new URL(`http://${request.url}`)
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      joinSockets(socket, onward)
    })
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, asked }
}

/** Puts the same server behind TLS and returns its URL. */
export async function startTls(url: string): Promise<string> {
  const { hostname, port, pathname } = new URL(url)
  const key = readFileSync(join(certificates, 'server.key'))
  const cert = readFileSync(join(certificates, 'server.pem'))
  const server = createTlsServer({ key, cert }, (socket) =>
    joinSockets(socket, connect(Number(port), hostname)),
  )
  server.on('tlsClientError', () => {})
  return `https://127.0.0.1:${await listen(server)}${pathname}`
}

/** Accepts connections and never answers. */
export async function startSilentServer(): Promise<{ address: string }> {
  return { address: `127.0.0.1:${await listen(createTcpServer())}` }
}

function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  )
  return (server.address() as AddressInfo).port
}
