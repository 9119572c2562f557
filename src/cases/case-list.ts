import { type ItemList, LazyList } from '../json/lazy-list.ts'
import { HashColumn } from '../results/columns/hash-column.ts'
import { NumberColumn } from '../results/columns/number-column.ts'
import type { CaseEntry } from './entry.ts'

/** The cases of a run. Their entries may be made each time they are asked for, so they have no identity. */
export type CaseList = ItemList<CaseEntry>

/** Fields that most cases of a file have in common. */
type SharedFields = Omit<CaseEntry, 'id' | 'line' | 'hash' | 'name' | 'lacks' | 'files' | 'at'>
/** Fields that only some cases have. */
type RareFields = Partial<Pick<CaseEntry, 'name' | 'lacks' | 'files' | 'at'>>

/** Collects the entries of cases in columns: as objects, each would take 600 bytes until the run ends. */
export class CaseColumns {
  readonly #ids: string[] = []
  readonly #lines = new NumberColumn()
  readonly #hashes = new HashColumn()
  /** Where its bytes begin in its file, in units of 2^32 and below, and how many they are. */
  readonly #startHigh = new NumberColumn()
  readonly #startLow = new NumberColumn()
  readonly #byteLength = new NumberColumn()
  /** The number of its fields in `#shared`. */
  readonly #sharedBy = new NumberColumn()
  readonly #shared: SharedFields[] = []
  readonly #sharedNumbers = new Map<string, number>()
  readonly #rare = new Map<number, RareFields>()

  add(entry: CaseEntry): void {
    const { id, line, hash, name, lacks, files, at, ...shared } = entry
    const place = this.#ids.length
    this.#ids.push(id)
    this.#lines.set(place, line)
    this.#hashes.set(place, hash)
    this.#sharedBy.set(place, this.#share(shared))
    if ('bytes' in at) this.#setBytes(place, at.bytes)
    if (name === undefined && lacks === undefined && files === undefined && 'bytes' in at) return
    const rare: RareFields = {}
    if (name !== undefined) rare.name = name
    if (lacks !== undefined) rare.lacks = lacks
    if (files !== undefined) rare.files = files
    if (!('bytes' in at)) rare.at = at
    this.#rare.set(place, rare)
  }

  list(): CaseList {
    return new LazyList(this.#ids.length, (place) => this.#entry(place))
  }

  #setBytes(place: number, [start, end]: [number, number]): void {
    this.#startHigh.set(place, Math.floor(start / 2 ** 32))
    this.#startLow.set(place, start % 2 ** 32)
    this.#byteLength.set(place, end - start)
  }

  #share(fields: SharedFields): number {
    const text = JSON.stringify(fields)
    const known = this.#sharedNumbers.get(text)
    if (known !== undefined) return known
    const number = this.#shared.push(fields) - 1
    this.#sharedNumbers.set(text, number)
    return number
  }

  #entry(place: number): CaseEntry {
    const [id, shared] = [this.#ids[place], this.#shared[this.#sharedBy.get(place)]]
    if (id === undefined || shared === undefined) throw new RangeError(`there is no case ${place}`)
    const start = this.#startHigh.get(place) * 2 ** 32 + this.#startLow.get(place)
    return {
      id,
      line: this.#lines.get(place),
      hash: this.#hashes.get(place) ?? '',
      at: { bytes: [start, start + this.#byteLength.get(place)] },
      ...shared,
      ...this.#rare.get(place),
    }
  }
}
