import { InfrastructureError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { refusedByProxy } from '../../models/network/proxy-errors.ts'

/** What is said when there is not even a connection. */
const noConnection = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * For agents that remember the conversation: one that may have heard the message must not hear it twice, so only
 * what certainly did not reach it is tried again.
 */
export function unlessHeard(error: unknown): unknown {
  if (!(error instanceof InfrastructureError) || !error.retryable || neverArrived(error)) return error
  return new InfrastructureError(error.kind, error.message, { status: error.status, cause: error })
}

function neverArrived({ kind, cause }: InfrastructureError): boolean {
  if (kind === 'rate_limit') return true
  return kind === 'connection' && (hasNoConnection(cause) || refusedByProxy(cause) !== undefined)
}

/** `fetch` hides the reason among the causes. */
function hasNoConnection(error: unknown): boolean {
  if (!isRecord(error)) return false
  return noConnection.has(String(error.code)) || hasNoConnection(error.cause)
}
