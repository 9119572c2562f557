import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Cases of formats that cannot be read again piece by piece (YAML, CSV, modules, stdin) wait on disk until
 * they are played, one line of JSON each: a hundred thousand of them stay out of memory.
 */
export class Spool {
  readonly #folder = mkdtempSync(join(tmpdir(), 'viva-cases-'))
  readonly path = join(this.#folder, 'cases.jsonl')
  readonly #descriptor = openSync(this.path, 'w', 0o600)
  #end = 0

  /** Gives the bytes it stands in. */
  write(value: unknown): [number, number] {
    const line = Buffer.from(`${JSON.stringify(value)}\n`)
    const start = this.#end
    writeSync(this.#descriptor, line)
    this.#end += line.length
    return [start, this.#end]
  }

  close(): void {
    closeSync(this.#descriptor)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Synchronous on purpose: a few microseconds here, a trip through the thread pool otherwise. */
export function readBytes(path: string, [start, end]: [number, number]): string {
  const descriptor = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(end - start)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, start))
  } finally {
    closeSync(descriptor)
  }
}
