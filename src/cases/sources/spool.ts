import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Cases of formats that cannot be read again piece by piece (YAML, CSV, modules, stdin) are kept on disk until
 * they are played, one line of JSON each, so that even a hundred thousand of them need no memory.
 */
export class Spool {
  readonly #folder = mkdtempSync(join(tmpdir(), 'viva-cases-'))
  readonly path = join(this.#folder, 'cases.jsonl')
  readonly #descriptor = openSync(this.path, 'w', 0o600)
  #end = 0

  /** Returns the byte range of the value. */
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

/** Changes whenever something is written to a file, or it is replaced. */
export type FileStamp = Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino'>

export function fileStamp(path: string): FileStamp | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

/** Cases are mostly read in the order of the file: as much is read at once. */
const blockBytes = 64 * 1024

/** Reads parts of a file, which stays open: opening it for every case would take longer than reading. */
export class PartReader {
  readonly #path: string
  #descriptor: number | undefined
  /** The part of the file that was read last, and where it begins. */
  #block: Buffer = Buffer.alloc(0)
  #blockStart = 0
  /** The file as it was when the block was read. */
  #stamp: FileStamp | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Synchronous on purpose: it takes microseconds, and an asynchronous read would go through the thread pool. */
  read([start, end]: [number, number]): string {
    if (start < this.#blockStart || end > this.#blockStart + this.#block.length) this.#load(start, end)
    return this.#block.toString('utf8', start - this.#blockStart, end - this.#blockStart)
  }

  /** Whether the part that was read last is of the file as it was then. */
  isUnchanged(then: FileStamp | undefined): boolean {
    const now = this.#stamp
    if (now === undefined || then === undefined) return false
    return (
      now.mtimeMs === then.mtimeMs &&
      now.ctimeMs === then.ctimeMs &&
      now.size === then.size &&
      now.ino === then.ino
    )
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #load(start: number, end: number): void {
    this.#descriptor ??= openSync(this.#path, 'r')
    const buffer = Buffer.allocUnsafe(Math.max(blockBytes, end - start))
    this.#block = buffer.subarray(0, readSync(this.#descriptor, buffer, 0, buffer.length, start))
    this.#blockStart = start
    this.#stamp = fstatSync(this.#descriptor)
  }
}
