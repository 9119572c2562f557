import { InfrastructureError } from '../../errors.ts'
import { shorten } from '../../text/shorten.ts'

/** The encodings that can be decoded. */
export type ContentEncoding = 'gzip' | 'deflate' | 'br'

const names: Record<string, ContentEncoding | undefined> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
}

/** Returns the encodings in decoding order, or an error that names an unknown one. */
export function parseContentEncodings(
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

/** The largest body that is accepted, measured after decoding. */
export const maxBodyBytes = 64 * 1024 * 1024

export function createTooLargeError(from: string): InfrastructureError {
  return new InfrastructureError('bad_response', `${from} sent more than ${maxBodyBytes / 1024 / 1024} MB`)
}

/** Brotli has error codes of its own. */
export function isZlibError({ code }: Error & { code?: unknown }): boolean {
  return typeof code === 'string' && /^(?:Z_|ERR__ERROR_)/.test(code)
}

/** Translates an error of zlib. A truncated body may be complete the next time. */
export function createDecodeError(error: Error & { code?: unknown }, from: string): InfrastructureError {
  if (error.code === 'Z_BUF_ERROR')
    return new InfrastructureError('truncated', `the compressed answer of ${from} ended too early`, {
      retryable: true,
      cause: error,
    })
  const message = `the answer of ${from} cannot be decompressed: ${error.message}`
  return new InfrastructureError('bad_response', message, { cause: error })
}
