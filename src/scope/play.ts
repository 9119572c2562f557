import { randomUUID } from 'node:crypto'

/** One play of one case: everything that is opened for it ends with it, after its `after`. */
export interface Play {
  /** Tells plays apart, and says nothing about the case. */
  readonly id: string
  readonly isOver: boolean
  /** What is opened last is closed first; what is opened too late is closed at once. */
  onEnd(close: () => void): void
}

export class CasePlay implements Play {
  readonly id = randomUUID()
  readonly #closers: (() => void)[] = []
  #over = false

  get isOver(): boolean {
    return this.#over
  }

  onEnd(close: () => void): void {
    if (this.#over) close()
    else this.#closers.push(close)
  }

  end(): void {
    this.#over = true
    for (const close of this.#closers.splice(0).reverse()) close()
  }
}
