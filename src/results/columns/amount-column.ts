import { roundAmount } from '../usage.ts'

/** Numbers that may have fractions, by place; 8 bytes each. */
export class AmountColumn {
  #values = new Float64Array(16).fill(Number.NaN)

  /** Undefined where none was set. */
  get(place: number): number | undefined {
    const value = this.#values[place]
    return Number.isNaN(value) ? undefined : value
  }

  set(place: number, amount: number): void {
    if (place >= this.#values.length) this.#grow(place + 1)
    this.#values[place] = amount
  }

  /** Adds to what is there already, if anything is. */
  add(place: number, amount: number): void {
    this.set(place, roundAmount((this.get(place) ?? 0) + amount))
  }

  #grow(least: number): void {
    const grown = new Float64Array(Math.max(least, Math.ceil(this.#values.length * 1.5))).fill(Number.NaN)
    grown.set(this.#values)
    this.#values = grown
  }
}
