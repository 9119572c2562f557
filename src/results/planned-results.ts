import { HashColumn } from './columns/hash-column.ts'
import { KeyNumbers } from './columns/key-numbers.ts'
import type { ResultKey } from './key.ts'

/** Every key that must have a result, with the hash of its case. */
export interface PlannedResults {
  readonly size: number
  /** Undefined for a key that is not planned. */
  hash(key: ResultKey): string | undefined
  /** The number of a key if it is planned with this hash. It stays the same, so that data can be kept in columns. */
  find(key: ResultKey, hash: string): number | undefined
  /** All keys with their numbers, in the order in which they were added. */
  keys(): Iterable<{ number: number; key: ResultKey }>
}

/** Several of them may share the numbers of their keys. */
export class ResultPlan implements PlannedResults {
  readonly #keys: KeyNumbers
  readonly #hashes = new HashColumn()
  #size = 0

  constructor(keys = new KeyNumbers()) {
    this.#keys = keys
  }

  get size(): number {
    return this.#size
  }

  set(key: ResultKey, hash: string): void {
    const number = this.#keys.add(key)
    if (!this.#hashes.has(number)) this.#size += 1
    this.#hashes.set(number, hash)
  }

  delete(key: ResultKey): void {
    const number = this.#keys.find(key)
    if (number === undefined || !this.#hashes.has(number)) return
    this.#hashes.delete(number)
    this.#size -= 1
  }

  hash(key: ResultKey): string | undefined {
    const number = this.#keys.find(key)
    return number === undefined ? undefined : this.#hashes.get(number)
  }

  has(key: ResultKey): boolean {
    const number = this.#keys.find(key)
    return number !== undefined && this.#hashes.has(number)
  }

  find(key: ResultKey, hash: string): number | undefined {
    const number = this.#keys.find(key)
    return number !== undefined && this.#hashes.get(number) === hash ? number : undefined
  }

  *keys(): Generator<{ number: number; key: ResultKey }> {
    for (let number = 0; number < this.#keys.size; number++)
      if (this.#hashes.has(number)) yield { number, key: this.#keys.key(number) }
  }
}
