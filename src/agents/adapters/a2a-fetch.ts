import { AgentError, errorMessage, InfrastructureError } from '../../errors.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import { createStatusError } from '../../models/http-errors.ts'
import { createDecodeError, isZlibError } from '../../models/network/content-encoding.ts'
import type { Network } from '../../models/network/network.ts'
import {
  addProxyToError,
  awaitConnection,
  createProxyRefusalError,
  describeConnection,
  noteConnected,
  readProxyStatus,
} from '../../models/network/proxy-errors.ts'
import type { Faults } from '../../project/config-schema.ts'
import { classifyStatusError, isAgentFault } from './status-fault.ts'

/** Codes of JSON-RPC and A2A for an invalid or unsupported request. REST uses 4xx statuses instead. */
const requestErrorCodes = [-32700, -32600, -32601, -32602, -32005, -32008, -32009]

export interface A2AConnection {
  headers: Record<string, string>
  network: Network
}

/** `fetch` that says in our words why there is no answer. The SDK would put all into plain errors. */
export function createA2AFetch({ headers, network }: A2AConnection, signal?: AbortSignal): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const sent = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    const used = signal ?? init.signal ?? null
    const proxy = network.proxyTo(url)
    if (used !== null) awaitConnection(used, () => describeConnection(url.host, proxy))
    const onSent = () => used !== null && noteConnected(used)
    const answer = network.fetch(url, { ...init, headers: sent, signal: used }, onSent)
    const response = await answer.catch((error: unknown) => {
      used?.throwIfAborted()
      throw error instanceof InfrastructureError ? error : noAnswerError(url, error, proxy)
    })
    if (response.ok) return response
    const body = await response.text()
    const { status, statusText } = response
    // Protocol errors may have such a status, too; the SDK reads them.
    if (isRecord(parseJson(body)) && isRecord((parseJson(body) as { error?: unknown }).error))
      return new Response(body, { status, statusText, headers: response.headers })
    const head = { status, statusText, headers: Object.fromEntries(response.headers) }
    throw addProxyToError(createStatusError(url, head, body, sent.has('authorization')), proxy)
  }
}

function noAnswerError(url: URL, error: unknown, proxy: string | undefined): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  const refused = readProxyStatus(error)
  if (refused !== undefined && proxy !== undefined)
    return createProxyRefusalError(refused, url.host, proxy, error)
  const reason = isRecord(cause) && typeof cause.code === 'string' ? cause.code : errorMessage(cause ?? error)
  const message = `no answer from ${url.host} (${reason})`
  return addProxyToError(
    new InfrastructureError('connection', message, { retryable: true, cause: error }),
    proxy,
  )
}

/** Turns an error of the SDK into one of ours. */
export function a2aError(error: unknown, from: string, faults: Faults | undefined): unknown {
  if (error instanceof InfrastructureError || error instanceof AgentError)
    return classifyStatusError(error, faults)
  const cause = error instanceof Error ? error.cause : undefined
  const code = protocolCode(error) ?? protocolCode(cause)
  const message = errorMessage(error)
  // JSON-RPC codes are negative, REST codes are HTTP statuses.
  if (code !== undefined && code >= 500 && !isAgentFault(code, faults))
    return new InfrastructureError('http', `${from} answered ${code}: ${message}`, {
      status: code,
      retryable: true,
      cause: error,
    })
  if (code !== undefined && !isRequestError(code)) return new AgentError(message, { cause: error })
  if (cause instanceof Error && isZlibError(cause)) return createDecodeError(cause, from)
  if (error instanceof TypeError && message === 'terminated') {
    // Not retryable: the agent has received the message and remembers it.
    return new InfrastructureError('truncated', `the answer of ${from} was cut short`, { cause: error })
  }
  return new InfrastructureError('bad_response', `${from} does not follow the A2A protocol: ${message}`, {
    cause: error,
  })
}

function isRequestError(code: number): boolean {
  return requestErrorCodes.includes(code) || (code >= 400 && code < 500)
}

/** The code of an error that the agent reported, over either of the two transports. */
function protocolCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const { envelopeCode, statusCode } = error as Error & { envelopeCode?: unknown; statusCode?: unknown }
  if (typeof envelopeCode === 'number') return envelopeCode
  return typeof statusCode === 'number' ? statusCode : undefined
}
