import { NumberColumn } from './number-column.ts'

/** A hash as viva computes it. */
const hexadecimal = /^[0-9a-f]{16}$/

/** Hashes of cases, by place. One takes 8 bytes; as a text it would take 40. */
export class HashColumn {
  readonly #high = new NumberColumn()
  readonly #low = new NumberColumn()
  /** Hashes that another program has written, and those that are all zeros, which would look like none. */
  readonly #others = new Map<number, string>()

  /** Undefined where none was set. */
  get(place: number): string | undefined {
    const [high, low] = [this.#high.get(place), this.#low.get(place)]
    if (high === 0 && low === 0) return this.#others.get(place)
    return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
  }

  has(place: number): boolean {
    return this.#high.get(place) !== 0 || this.#low.get(place) !== 0 || this.#others.has(place)
  }

  set(place: number, hash: string): void {
    const isPlain = hexadecimal.test(hash)
    const high = isPlain ? Number.parseInt(hash.slice(0, 8), 16) : 0
    const low = isPlain ? Number.parseInt(hash.slice(8), 16) : 0
    this.#high.set(place, high)
    this.#low.set(place, low)
    if (high === 0 && low === 0) this.#others.set(place, hash)
    else if (this.#others.size > 0) this.#others.delete(place)
  }

  delete(place: number): void {
    this.#high.set(place, 0)
    this.#low.set(place, 0)
    this.#others.delete(place)
  }
}
