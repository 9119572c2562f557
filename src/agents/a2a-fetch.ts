import { AgentError, messageOf, WorldError } from '../errors.ts'
import { isRecord, parseJson } from '../json.ts'
import { statusError } from '../models/http-errors.ts'

/** JSON-RPC's codes for a question that was not understood, and A2A's for one that cannot be asked. REST has 4xx. */
const notUnderstood = [-32700, -32600, -32601, -32602, -32005, -32008, -32009]

/** `fetch` that says in our words why there is no answer. The SDK would put all into plain errors. */
export function createFetch(headers: Record<string, string>, signal?: AbortSignal): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const sent = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    const used = signal ?? init.signal ?? null
    const response = await fetch(url, { ...init, headers: sent, signal: used }).catch((error: unknown) => {
      used?.throwIfAborted()
      throw noAnswer(url, error)
    })
    if (response.ok) return response
    const body = await response.text()
    const { status, statusText } = response
    // Errors of the protocol come with such a status too; those the SDK reads.
    if (isRecord(parseJson(body)) && isRecord((parseJson(body) as { error?: unknown }).error))
      return new Response(body, { status, statusText, headers: response.headers })
    const head = { status, statusText, headers: Object.fromEntries(response.headers) }
    throw statusError(url, head, body, sent.has('authorization'))
  }
}

function noAnswer(url: URL, error: unknown): WorldError {
  const cause = error instanceof Error ? error.cause : undefined
  const told = isRecord(cause) && typeof cause.code === 'string' ? cause.code : messageOf(cause ?? error)
  return new WorldError('connection', `no answer from ${url.host} (${told})`, {
    retryable: true,
    cause: error,
  })
}

/** What the SDK threw, in our words. */
export function a2aError(error: unknown, from: string): unknown {
  if (error instanceof WorldError || error instanceof AgentError) return error
  const cause = error instanceof Error ? error.cause : undefined
  const code = protocolCode(error) ?? protocolCode(cause)
  const message = messageOf(error)
  if (code !== undefined && !isMisunderstanding(code)) return new AgentError(message, { cause: error })
  if (error instanceof TypeError && message === 'terminated') {
    // Not asked again: the agent heard the message, and remembers it.
    return new WorldError('truncated', `the answer of ${from} was cut short`, { cause: error })
  }
  return new WorldError('bad_response', `${from} does not speak A2A as it should: ${message}`, {
    cause: error,
  })
}

function isMisunderstanding(code: number): boolean {
  return notUnderstood.includes(code) || (code >= 400 && code < 500)
}

/** The code of an error that the other side reported, over either of the two transports. */
function protocolCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const { envelopeCode, statusCode } = error as Error & { envelopeCode?: unknown; statusCode?: unknown }
  if (typeof envelopeCode === 'number') return envelopeCode
  return typeof statusCode === 'number' ? statusCode : undefined
}
