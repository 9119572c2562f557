/** Lets many pass at once, or one alone. First come, first served. */
export class Turnstile {
  #inside = 0
  #isAlone = false
  readonly #waiting: { alone: boolean; enter(): void }[] = []

  /** Waits until there is room. The returned function leaves. */
  async enter(alone: boolean): Promise<() => void> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ alone, enter })
      this.#serve()
    })
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      this.#inside -= 1
      this.#isAlone = false
      this.#serve()
    }
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#isAlone || (next.alone && this.#inside > 0)) return
      this.#waiting.shift()
      this.#inside += 1
      this.#isAlone = next.alone
      next.enter()
    }
  }
}
