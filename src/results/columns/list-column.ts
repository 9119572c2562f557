import { AmountColumn } from './amount-column.ts'
import { NumberColumn } from './number-column.ts'

/** A list of numbers for each place. A number takes 12 bytes; an array takes 60 more, even for a single number. */
export class ListColumn {
  readonly #values = new AmountColumn()
  #count = 0
  /** By value: the number of the value before it in its list, from 1; 0 for the first one. */
  readonly #before = new NumberColumn()
  /** By place: the number of the last value of its list, from 1. */
  readonly #last = new NumberColumn()

  push(place: number, value: number): void {
    this.#values.add(this.#count, value)
    this.#before.set(this.#count, this.#last.get(place))
    this.#count += 1
    this.#last.set(place, this.#count)
  }

  list(place: number): number[] {
    const values: number[] = []
    for (let number = this.#last.get(place); number > 0; number = this.#before.get(number - 1))
      values.push(this.#values.get(number - 1) ?? Number.NaN)
    return values.reverse()
  }
}
