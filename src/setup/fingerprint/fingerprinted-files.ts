import { readFileSync, statSync } from 'node:fs'
import type { Redactor } from '../../privacy/redact.ts'
import { hashPart } from './hash-part.ts'
import { listVariables } from './variables.ts'

interface FingerprintedFile {
  hash: string
  /** The variables of the environment that it names. */
  variables: readonly string[]
}

/** The files of which fingerprints are made, each read once. */
export class FingerprintedFiles {
  readonly #files = new Map<string, FingerprintedFile | undefined>()

  /** Undefined for a file that cannot be read. */
  read(path: string, redact: Redactor): FingerprintedFile | undefined {
    if (!this.#files.has(path)) this.#files.set(path, readFile(path, redact))
    return this.#files.get(path)
  }

  /** A file that was written after that time (in ms), or removed: what was loaded may differ from what was hashed. */
  changedSince(time: number): string | undefined {
    for (const [path, file] of this.#files) {
      const found = statSync(path, { throwIfNoEntry: false })
      const isThere = found !== undefined
      if (isThere !== (file !== undefined)) return path
      if (isThere && (found.mtimeMs > time || found.ctimeMs > time)) return path
    }
    return undefined
  }
}

function readFile(path: string, redact: Redactor): FingerprintedFile | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    return undefined
  }
  const text = bytes.toString('utf8')
  // A file that is not text has no variables and no secrets that could be found.
  if (text.includes('\uFFFD')) return { hash: hashPart(bytes), variables: [] }
  return { hash: hashPart(redact(text)), variables: listVariables(text) }
}
