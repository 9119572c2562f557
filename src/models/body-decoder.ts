import type { InfrastructureError } from '../errors.ts'
import { requireBuiltIn } from '../require-package.ts'
import {
  type ContentEncoding,
  createDecodeError,
  createTooLargeError,
  maxBodyBytes,
} from './network/content-encoding.ts'

/** Receives a body piece by piece. */
export interface BodySink {
  push(chunk: Buffer): void
  /** `problem` says why the body is incomplete, if it is. */
  end(problem?: InfrastructureError): void
}

export interface BodyDecoder extends BodySink {
  /** Discards the rest. */
  destroy(): void
}

/** Decodes a body as its pieces arrive, so that the events of a stream are not delayed. */
export function createBodyDecoder(
  encodings: readonly ContentEncoding[],
  from: string,
  decoded: BodySink,
): BodyDecoder {
  const last: BodyDecoder = { push: decoded.push, end: decoded.end, destroy() {} }
  const first = encodings.reduceRight(
    (next, encoding) => decompress(encoding, from, limitSize(from, next)),
    last,
  )
  return limitSize(from, first)
}

/** A few bytes may expand to more than fits into memory, so the decompressed size is limited too. */
function limitSize(from: string, next: BodyDecoder): BodyDecoder {
  let size = 0
  return {
    push(chunk) {
      size += chunk.length
      if (size <= maxBodyBytes) next.push(chunk)
      else next.end(createTooLargeError(from))
    },
    end: (problem) => next.end(problem),
    destroy: () => next.destroy(),
  }
}

function decompress(encoding: ContentEncoding, from: string, next: BodyDecoder): BodyDecoder {
  let stream: ReturnType<typeof openStream> | undefined
  let cut: InfrastructureError | undefined
  return {
    push(chunk) {
      stream ??= openStream(encoding, chunk)
        .on('data', next.push)
        .on('end', () => next.end(cut))
        .on('error', (error) => next.end(cut ?? createDecodeError(error, from)))
      stream.write(chunk)
    },
    end(problem) {
      cut = problem
      // A body without a single byte is empty, not broken.
      if (stream === undefined) next.end(problem)
      else stream.end()
    },
    destroy() {
      stream?.destroy()
      next.destroy()
    },
  }
}

function openStream(encoding: ContentEncoding, start: Buffer) {
  const zlib = requireBuiltIn('node:zlib') as typeof import('node:zlib')
  if (encoding === 'gzip') return zlib.createGunzip()
  if (encoding === 'br') return zlib.createBrotliDecompress()
  // Some servers leave out the zlib header, which names method 8.
  return ((start[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
}
