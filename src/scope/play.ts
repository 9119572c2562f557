import { randomUUID } from 'node:crypto'

/** One play of one case: everything that is opened for it ends with it, after its `after`. */
export interface Play {
  /** Tells plays apart, and says nothing about the case. */
  readonly id: string
  /** What is opened last is closed first. */
  onEnd(close: () => void): void
}

export class CasePlay implements Play {
  readonly id = randomUUID()
  readonly #closers: (() => void)[] = []

  onEnd(close: () => void): void {
    this.#closers.push(close)
  }

  end(): void {
    for (const close of this.#closers.splice(0).reverse()) close()
  }
}
