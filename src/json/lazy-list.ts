/** A list that is only read. An array is one; the items of a `LazyList` are made each time they are asked for. */
export interface ItemList<T> extends Iterable<T> {
  readonly length: number
  /** Undefined outside of the list. */
  at(index: number): T | undefined
  filter(test: (item: T) => boolean): ItemList<T>
}

/** A list of many items that would take too much memory as objects. */
export class LazyList<T> implements ItemList<T> {
  readonly length: number
  readonly #make: (index: number) => T

  constructor(length: number, make: (index: number) => T) {
    this.length = length
    this.#make = make
  }

  at(index: number): T | undefined {
    return index >= 0 && index < this.length ? this.#make(index) : undefined
  }

  filter(test: (item: T) => boolean): LazyList<T> {
    const kept = new Uint32Array(this.length)
    let count = 0
    for (let index = 0; index < this.length; index++) {
      if (!test(this.#make(index))) continue
      kept[count] = index
      count += 1
    }
    if (count === this.length) return this
    const places = kept.slice(0, count)
    return new LazyList(count, (index) => this.#make(places[index] ?? 0))
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = 0; index < this.length; index++) yield this.#make(index)
  }
}

/** The items of a list at these places, in this order. */
export function pickItems<T>(list: ItemList<T>, places: readonly number[]): LazyList<T> {
  const picked = Uint32Array.from(places)
  return new LazyList(picked.length, (index) => itemAt(list, picked[index] ?? -1))
}

/** The item of a list at a place that it has. */
export function itemAt<T>(list: ItemList<T>, index: number): T {
  if (index < 0 || index >= list.length) throw new RangeError(`a list of ${list.length} has no item ${index}`)
  return list.at(index) as T
}
