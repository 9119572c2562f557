import { InfrastructureError } from '../../errors.ts'
import { shorten } from '../../text/shorten.ts'

/** The encodings that are read, as those who answer name them. */
export type ContentEncoding = 'gzip' | 'deflate' | 'br'

const names: Record<string, ContentEncoding | undefined> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
}

/** In the order in which they must be undone, or what is wrong with one of them. */
export function contentEncodings(
  header: string | undefined,
  from: string,
): ContentEncoding[] | InfrastructureError {
  const written = (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  const unknown = written.find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return written.reverse().flatMap((name) => names[name] ?? [])
  const message = `the answer of ${from} has the content-encoding "${shorten(unknown, 40)}": only gzip, deflate and br can be read`
  return new InfrastructureError('bad_response', message)
}

/** The largest body that is accepted, measured when all encodings are undone. */
export const largestBody = 64 * 1024 * 1024

export function tooLarge(from: string): InfrastructureError {
  return new InfrastructureError('bad_response', `${from} sent more than ${largestBody / 1024 / 1024} MB`)
}

/** Brotli has codes of its own. */
export function isOfZlib({ code }: Error & { code?: unknown }): boolean {
  return typeof code === 'string' && /^(?:Z_|ERR__ERROR_)/.test(code)
}

/** What zlib threw, in our words. One that stops in the middle may be whole the next time. */
export function undecodable(error: Error & { code?: unknown }, from: string): InfrastructureError {
  if (error.code === 'Z_BUF_ERROR')
    return new InfrastructureError('truncated', `the compressed answer of ${from} ended too early`, {
      retryable: true,
      cause: error,
    })
  const message = `the answer of ${from} cannot be decompressed: ${error.message}`
  return new InfrastructureError('bad_response', message, { cause: error })
}
