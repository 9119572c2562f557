import { randomUUID } from 'node:crypto'

/** One play of one case. Everything that is opened for it is closed when it ends, after the case's `after`. */
export interface Play {
  /** Tells plays apart without revealing anything about the case. */
  readonly id: string
  readonly isOver: boolean
  /** The ids of the MCP servers whose tools were offered to the agent under test or its simulated user. */
  readonly servers: Set<string>
  /** Closers run in reverse order; one that is registered too late runs at once. */
  onEnd(close: () => void): void
}

export class CasePlay implements Play {
  #id: string | undefined
  #servers: Set<string> | undefined
  readonly #closers: (() => void)[] = []
  #over = false

  get id(): string {
    this.#id ??= randomUUID()
    return this.#id
  }

  get isOver(): boolean {
    return this.#over
  }

  get servers(): Set<string> {
    this.#servers ??= new Set()
    return this.#servers
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
