import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { answerTo, send } from './answer.ts'
import { drawFault, type Fault, faultIn, noFault, retryAfter } from './fault.ts'
import { spoils } from './spoil.ts'

/** A request as the server received it. Times are from `performance.now()`. */
export interface Asked {
  text: string
  /** The number of the request with this text, from 1. */
  attempt: number
  at: number
  authorization: string | undefined
  fault: Fault
  /** The answer asks for no further request before this time. */
  notBefore?: number
}

export interface FaultServer {
  /** For `openai:URL#model`. */
  url: string
  /** For an `http` agent. */
  agentUrl: string
  log: Asked[]
  close(): Promise<void>
}

/** Answers OpenAI chat completions, and JSON on other paths, with the faults that the request asks for. */
export async function startFaultServer(): Promise<FaultServer> {
  const log: Asked[] = []
  const attempts = new Map<string, number>()
  const server = createServer((request, response) => {
    // Errors here are closed connections.
    serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now()
    const body = await readJson(request)
    const path = request.url ?? ''
    const text = lastText(body)
    const attempt = (attempts.get(text) ?? 0) + 1
    attempts.set(text, attempt)
    const written = faultIn(String(body.model)) ?? faultIn(text) ?? noFault
    const fault = withEcho(faultNow(written, text, attempt), request)
    const asked: Asked = { text, attempt, at, authorization: request.headers.authorization, fault }
    log.push(asked)
    const delay = written.get('delay')
    if (delay !== undefined) await wait(Number(delay))
    const { waitMs } = retryAfter(fault)
    if (waitMs !== undefined) asked.notBefore = performance.now() + waitMs
    const answer = answerTo({ path, body, text }, written)
    const [name, value] = [...fault].find(([part]) => part in spoils) ?? []
    const spoil = name === undefined ? undefined : spoils[name]
    if (spoil === undefined) send(response, answer)
    else await spoil(response, answer, value ?? '', fault)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/v1`,
    agentUrl: `${origin}/agent`,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** `times=2`: only the first two requests with this text. `mix=SEED`: what the seed draws for it. */
function faultNow(written: Fault, text: string, attempt: number): Fault {
  const [times, mix] = [written.get('times'), written.get('mix')]
  if (mix !== undefined) return drawFault(mix, text, attempt)
  return times !== undefined && attempt > Number(times) ? noFault : written
}

/** `echo`: the message of an error repeats the key that came with the request, as some providers do. */
function withEcho(fault: Fault, { headers, url }: IncomingMessage): Fault {
  if (!fault.has('echo')) return fault
  return new Map([...fault, ['error', `bad key: ${headers.authorization} ${headers['x-api-key']} at ${url}`]])
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}

function lastText({ messages, input }: Record<string, unknown>): string {
  const content = Array.isArray(messages) ? (messages as { content?: unknown }[]).at(-1)?.content : input
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}
