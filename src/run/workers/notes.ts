export interface NotesOptions {
  note(line: string): void
  /** A line about something that went wrong. */
  complain(line: string): void
}

const most = 20

/** What a coordinator says beside the results: each line once, and not too many of them. */
export class Notes {
  readonly #options: NotesOptions
  readonly #said = new Set<string>()

  constructor(options: NotesOptions) {
    this.#options = options
  }

  note(line: string): void {
    if (this.#isNew(line)) this.#options.note(line)
  }

  complain(line: string): void {
    if (this.#isNew(line)) this.#options.complain(line)
  }

  #isNew(line: string): boolean {
    if (this.#said.has(line) || this.#said.size >= most) return false
    this.#said.add(line)
    return true
  }
}
