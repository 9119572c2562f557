import { InfrastructureError } from '../errors.ts'
import { parseJson } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import type { BodyReader, HttpHead } from './http-client.ts'
import { asData, asNumber, asText, excerpt } from './json.ts'
import { redactUrl } from './network/address.ts'
import { findRefusal, type Refusal } from './refusals.ts'

const maxMessageLength = 500
const maxErrorBody = 64 * 1024
const temporaryError =
  /overloaded|unavailable|api_error|server_error|server error|internal[_ ]error|timed?[_ ]?out|capacity/i
/** OpenAI's and Anthropic's words for an account without credit. */
const outOfCredit = /insufficient_quota|billing_error|credit balance is too low/

/** Creates the error for a status that is not a success. The URL may be unknown. */
export function createStatusError(
  url: URL | undefined,
  head: HttpHead,
  body: string,
  keySent: boolean,
): InfrastructureError {
  const { status, statusText } = head
  const who = url === undefined ? 'the provider' : redactUrl(url)
  const explanation = excerpt(findProviderMessage(body), maxMessageLength)
  const message =
    `${who} answered ${status}${statusText === '' ? '' : ` ${statusText}`}` +
    `${explanation === '' ? '' : `: ${explanation}`}${keyHint(status, keySent)}`
  const retryAfterMs = readRetryAfter(head)
  if (status < 500 && outOfCredit.test(body)) return new InfrastructureError('quota', message, { status })
  if (status === 429)
    return new InfrastructureError('rate_limit', message, { retryable: true, retryAfterMs, status })
  const retryable = isTemporaryStatus(status)
  return new InfrastructureError('http', message, { status, ...(retryable && { retryable, retryAfterMs }) })
}

/** Reads as much of an error answer as a message can show, and throws the error. */
export function readStatusError(url: URL, head: HttpHead, keySent: boolean): BodyReader<never> {
  const chunks: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      return size > maxErrorBody
    },
    // The status says enough, even if the body is incomplete.
    end() {
      const body = Buffer.concat(chunks).toString()
      throw createStatusError(url, head, body.replace(/^\uFEFF/, ''), keySent)
    },
  }
}

/** Where the connection's end marks the end of the body, a broken connection looks like a complete body. */
export function mayBeTruncated({ headers }: HttpHead): boolean {
  if (headers['content-length'] !== undefined) return false
  return headers['transfer-encoding'] === undefined || /close/i.test(String(headers.connection))
}

/** Creates the error for an `error` that came with a success status: as a stream event, or instead of a completion. */
export function createReportedError(url: URL, error: unknown): InfrastructureError {
  const explanation = explainReported(error)
  const message = `${redactUrl(url)} reported an error: ${explanation}`
  const number = readErrorNumber(error)
  const refusal = readRefusal(error)
  if (refusal === 'quota') return new InfrastructureError('quota', message)
  if (refusal === 'rate_limit') return new InfrastructureError('rate_limit', message, { retryable: true })
  if (refusal === 'unreachable') return new InfrastructureError('connection', message, { retryable: true })
  const words = [...listNames(error), explanation].join(' ')
  const isTemporary = number === undefined ? temporaryError.test(words) : isTemporaryStatus(number)
  return new InfrastructureError('http', message, { retryable: isTemporary || refusal === 'overloaded' })
}

/** Whether an error that came with a success status says that a provider has refused. */
export function readRefusal(error: unknown): Refusal | undefined {
  return findRefusal({
    names: listNames(error),
    status: readReportedStatus(error),
    text: explainReported(error),
  })
}

/** Some put a name into `name` or `error`, as LangGraph does: `RateLimitError`. */
function listNames(error: unknown): string[] {
  const { code, type, name, error: named } = asData(error) ?? {}
  return [code, type, name, named].flatMap((word) => asText(word) ?? [])
}

function explainReported(error: unknown): string {
  return excerpt(findProviderMessage(JSON.stringify({ error })), maxMessageLength)
}

/** The HTTP status in an error that came with a success status. */
export function readReportedStatus(error: unknown): number | undefined {
  const number = readErrorNumber(error)
  return number !== undefined && number >= 400 && number <= 599 ? number : undefined
}

function readErrorNumber(error: unknown): number | undefined {
  const { code, status } = asData(error) ?? {}
  return asNumber(code) ?? asNumber(status) ?? asNumber(Number(asText(code)))
}

function isTemporaryStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 409
}

function keyHint(status: number, keySent: boolean): string {
  if (status !== 401 && status !== 403) return ''
  return keySent ? ' (check the API key and its permissions)' : ' (no API key was sent; does it need one?)'
}

/** Finds the provider's message in `error.message`, `error`, `message` or `detail`; otherwise returns the body. */
function findProviderMessage(body: string): string {
  const parsed = parseJson(body)
  const data = asData(Array.isArray(parsed) ? parsed[0] : parsed)
  if (data === undefined) return body
  return readMessage(asData(data.error)) ?? asText(data.error) ?? readMessage(data) ?? body
}

function readMessage(data: Data | undefined): string | undefined {
  return asText(data?.message) ?? asText(data?.detail) ?? asText(data?.error)
}

/** Reads `retry-after-ms`, otherwise `retry-after` in seconds or as an HTTP date. */
function readRetryAfter(head: HttpHead): number | undefined {
  const milliseconds = parseAmount(head.headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const text = head.headers['retry-after']
  const seconds = parseAmount(text)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  const date = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function parseAmount(text: unknown): number | undefined {
  return typeof text === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
