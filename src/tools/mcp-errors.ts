import { errorMessage, InfrastructureError } from '../errors.ts'
import { redactUrl } from '../models/network/address.ts'
import { readProxyStatus } from '../models/network/proxy-errors.ts'
import { shortDuration } from '../text/duration.ts'
import { shorten } from '../text/shorten.ts'
import type { McpSettings } from './mcp-settings.ts'

/** What messages say about a server. */
export interface McpPlace {
  id: string
  settings: McpSettings
  stderr(): string
}

/** JSON-RPC codes: unsupported protocol version, and method not found. */
const refusals = [-32022, -32601]

/** Whether a server that knows only the newest protocol has refused an older one. */
export async function isOldProtocolRefusal(error: unknown): Promise<boolean> {
  const { ProtocolError, SdkHttpError } = await import('@modelcontextprotocol/client')
  const cause = error instanceof InfrastructureError ? error.cause : error
  if (cause instanceof ProtocolError) return refusals.includes(cause.code)
  if (!(cause instanceof SdkHttpError) || cause.status !== 400) return false
  return refusals.some((code) => String(cause.data.text).includes(String(code)))
}

/** Describes why a server could not be started or reached. */
export async function createStartError(error: unknown, place: McpPlace): Promise<InfrastructureError> {
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client')
  const ended = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
  const answered = error instanceof ProtocolError ? `it answered with the error ${error.code}: ` : ''
  const why = ended ? 'it ended before it was ready' : `${answered}${describeReason(error)}`
  const what = place.settings.transport === 'stdio' ? 'did not start' : 'could not be reached'
  const message = `MCP server ${place.id} ${what}: ${why}${describePlace(place)}`
  return infrastructureError(error, message, true)
}

/** A request to a server, in the words of messages. */
export interface McpCall {
  /** `tool add` */
  subject: string
  /** `calling add`, after "failed while" */
  activity: string
  /** It changes nothing, so it may be repeated. */
  harmless: boolean
  timeoutMs: number
}

/** Returns the error that the server itself reported; throws all others. */
export async function readCallError(
  error: unknown,
  place: McpPlace,
  call: McpCall,
  onClose: () => void,
): Promise<{ error: string }> {
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client')
  if (error instanceof ProtocolError) return { error: error.message }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    const limit = shortDuration(call.timeoutMs)
    const message = `${call.subject} of MCP server ${place.id} did not answer within ${limit}`
    throw new InfrastructureError('connection', message, { cause: error })
  }
  // A server that forgot the session did not look at the call; the next attempt begins a new session.
  const forgotten = readStatus(error) === 404
  if (forgotten) onClose()
  const ended = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
  const why = ended ? 'it ended before it answered' : describeReason(error)
  const message = `MCP server ${place.id} failed while ${call.activity}: ${why}${describePlace(place)}`
  if (forgotten) throw new InfrastructureError('http', message, { retryable: true, cause: error })
  throw infrastructureError(error, message, call.harmless)
}

/** `nothingDone`: the same call may be repeated without doing anything twice. */
function infrastructureError(error: unknown, message: string, nothingDone: boolean): InfrastructureError {
  const status = readStatus(error) ?? readProxyStatus(error)
  if (status === 429) return new InfrastructureError('rate_limit', message, { retryable: true, cause: error })
  // A network problem or a busy server may be temporary; a command that does not start never will.
  const retryable = nothingDone && (status === undefined ? isNetworkError(error) : status >= 500)
  const kind = status === undefined ? 'connection' : 'http'
  return new InfrastructureError(kind, message, { retryable, cause: error })
}

function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || errorMessage(error).includes('fetch failed')
}

function readStatus(error: unknown): number | undefined {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' ? status : undefined
}

/** `fetch failed` says nothing; its cause does. */
function describeReason(error: unknown): string {
  const status = readStatus(error)
  if (status !== undefined) return `it answered ${status}: ${shorten(errorMessage(error), 300)}`
  if (isValidatorError(error)) return 'it does not speak MCP: its answer is not a message of the protocol'
  const refused = readProxyStatus(error)
  if (refused !== undefined) return `the proxy answered ${refused}`
  const cause = error instanceof Error ? error.cause : undefined
  const { code } = (cause ?? {}) as { code?: unknown }
  const reason = cause instanceof Error ? cause.message : ''
  const parts = [errorMessage(error), typeof code === 'string' ? code : '', reason]
  return parts.filter((part) => part !== '').join(': ')
}

/** An error of the client's own schemas, whose list of faults means nothing to the user. */
function isValidatorError(error: unknown): boolean {
  return error instanceof Error && 'issues' in error && Array.isArray(error.issues)
}

function describePlace({ settings, stderr }: McpPlace): string {
  if (settings.transport !== 'stdio') {
    const proxy = settings.network.proxyTo(settings.url)
    const through = proxy === undefined ? '' : `, through the proxy ${proxy}`
    return ` (${redactUrl(settings.url)}${through})`
  }
  const command = [settings.command, ...settings.args].join(' ')
  const wrote = stderr()
  return ` (${command})${wrote === '' ? '; it wrote nothing to stderr' : `; it wrote to stderr:\n${wrote}`}`
}
