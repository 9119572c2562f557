import { InfrastructureError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { readProxyStatus } from '../../models/network/proxy-errors.ts'

/** Error codes that mean that no connection was made. */
const noConnectionCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * For agents that remember the conversation: they must not receive a message twice, so it is only sent again if it
 * certainly did not arrive.
 */
export function retryIfUndelivered(error: unknown): unknown {
  if (!(error instanceof InfrastructureError) || !error.retryable || wasNotDelivered(error)) return error
  return new InfrastructureError(error.kind, error.message, { status: error.status, cause: error })
}

function wasNotDelivered({ kind, status, cause }: InfrastructureError): boolean {
  // Without a status, it was reported within an answer.
  if (kind === 'rate_limit') return status !== undefined
  return kind === 'connection' && (hasNoConnection(cause) || readProxyStatus(cause) !== undefined)
}

/** `fetch` has the reason in one of the causes. */
function hasNoConnection(error: unknown): boolean {
  if (!isRecord(error)) return false
  return noConnectionCodes.has(String(error.code)) || hasNoConnection(error.cause)
}
