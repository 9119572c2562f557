import { isRecord } from '../../json/json.ts'
import type { ProviderCall, ThrewFailure } from './protocol.ts'

/** Reported when the AI SDK prints an error of a stream, which it does not throw. */
export interface PrintedErrorEvent {
  type: 'printed_error'
  failure: ThrewFailure
}

export function isPrintedError(event: unknown): event is PrintedErrorEvent {
  return isRecord(event) && event.type === 'printed_error'
}

const failedCalls = /^(?:AI_APICallError|AI_DownloadError|Gateway\w+Error)$/
const maxBodyLength = 64 * 1024

/** Reads a failed call from an AI SDK error, recognized by name: a project may have several copies of the SDK. */
export function readProviderCall(error: unknown): ProviderCall | undefined {
  if (!isRecord(error) || !failedCalls.test(String(error.name))) return undefined
  const { url, statusCode, isRetryable, responseHeaders, responseBody } = error
  return {
    ...(typeof url === 'string' && { url }),
    ...(typeof statusCode === 'number' && { status: statusCode }),
    retryable: isRetryable === true,
    headers: pickRetryHeaders(responseHeaders),
    body: typeof responseBody === 'string' ? responseBody.slice(0, maxBodyLength) : '',
  }
}

function pickRetryHeaders(headers: unknown): Record<string, string> {
  const kept = Object.entries(isRecord(headers) ? headers : {}).filter(([name]) =>
    /^retry-after(-ms)?$/i.test(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)]))
}
