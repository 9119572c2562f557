import type { ResultKey } from '../key.ts'

/** The keys that differ only in their ids. */
interface KeyGroup {
  file: string
  variant: string
  run: number
  numbers: Map<string, number>
}

/**
 * Numbers keys from 0 in the order in which they are added, whatever their attempt. Data about keys can then be kept in
 * columns. Of each key only the id is kept: texts of whole keys would take more memory than all the data.
 */
export class KeyNumbers {
  /** By file, variant and run. */
  readonly #groups = new Map<string, Map<string, Map<number, KeyGroup>>>()
  readonly #ids: string[] = []
  readonly #groupOf: KeyGroup[] = []
  /** Mostly the next key is of the same group. */
  #last: KeyGroup | undefined

  get size(): number {
    return this.#ids.length
  }

  /** Undefined for a key that was not added. */
  find({ file, variant, run, id }: ResultKey): number | undefined {
    return this.#find(file, variant, run)?.numbers.get(id)
  }

  /** The number of a key, which is added if it is new. */
  add({ file, variant, run, id }: ResultKey): number {
    const group = this.#find(file, variant, run) ?? this.#addGroup(file, variant, run)
    const known = group.numbers.get(id)
    if (known !== undefined) return known
    const number = this.#ids.length
    group.numbers.set(id, number)
    this.#ids.push(id)
    this.#groupOf.push(group)
    return number
  }

  key(number: number): ResultKey {
    const [group, id] = [this.#groupOf[number], this.#ids[number]]
    if (group === undefined || id === undefined) throw new RangeError(`no key has the number ${number}`)
    const { file, variant, run } = group
    return { file, id, variant, run }
  }

  #find(file: string, variant: string, run: number): KeyGroup | undefined {
    const last = this.#last
    if (last !== undefined && last.run === run && last.file === file && last.variant === variant) return last
    const found = this.#groups.get(file)?.get(variant)?.get(run)
    if (found !== undefined) this.#last = found
    return found
  }

  #addGroup(file: string, variant: string, run: number): KeyGroup {
    const group = { file, variant, run, numbers: new Map<string, number>() }
    const variants = this.#groups.get(file) ?? new Map<string, Map<number, KeyGroup>>()
    const runs = variants.get(variant) ?? new Map<number, KeyGroup>()
    this.#groups.set(file, variants.set(variant, runs.set(run, group)))
    this.#last = group
    return group
  }
}
