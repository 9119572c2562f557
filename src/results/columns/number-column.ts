/**
 * Whole numbers from 0 to 2^32 - 1, by place; 0 where none was set. They take 4 bytes each, where a field of an object
 * takes 8, and the object itself 24 or more.
 */
export class NumberColumn {
  #values = new Uint32Array(16)

  get(place: number): number {
    return this.#values[place] ?? 0
  }

  set(place: number, value: number): void {
    if (place >= this.#values.length) this.#grow(place + 1)
    this.#values[place] = value
  }

  add(place: number, amount: number): void {
    this.set(place, this.get(place) + amount)
  }

  #grow(least: number): void {
    const grown = new Uint32Array(Math.max(least, Math.ceil(this.#values.length * 1.5)))
    grown.set(this.#values)
    this.#values = grown
  }
}
