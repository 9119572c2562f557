import { InfrastructureError } from '../../errors.ts'
import { createTooLargeError, maxBodyBytes, parseContentEncodings } from './content-encoding.ts'

/**
 * Checks an answer of `fetch`, which decodes by itself: an unknown encoding is refused, and the body ends with an error
 * when it is too large.
 */
export function checkFetchedAnswer(response: Response, url: URL, method = 'GET'): Response {
  const { body, headers, ok, status, statusText } = response
  const encodings = parseContentEncodings(headers.get('content-encoding') ?? undefined, url.host)
  // The status of an error says enough.
  if (ok && encodings instanceof InfrastructureError) {
    body?.cancel().catch(() => {})
    throw encodings
  }
  // An event stream that stays open for the whole run has no size limit.
  const isFeed = method === 'GET' && headers.get('content-type')?.includes('event-stream')
  if (body === null || isFeed) return response
  const limited = new Response(body.pipeThrough(createSizeLimit(url.host)), { status, statusText, headers })
  return Object.defineProperty(limited, 'url', { value: response.url })
}

function createSizeLimit(from: string): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length
      if (size > maxBodyBytes) controller.error(createTooLargeError(from))
      else controller.enqueue(chunk)
    },
  })
}
