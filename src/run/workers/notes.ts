export interface NotesOptions {
  note(line: string): void
  /** A line about something that went wrong. */
  complain(line: string): void
}

const most = 20

/** What a coordinator says beside the results: each thing once, and not too many of them. */
export class Notes {
  readonly #options: NotesOptions
  readonly #said = new Set<string>()

  constructor(options: NotesOptions) {
    this.#options = options
  }

  /** `about`: what it is about, where several lines say the same of different things, or in other numbers. */
  note(line: string, about = line): void {
    if (this.#isNew(about)) this.#options.note(line)
  }

  /** The same for something that went wrong. */
  complain(line: string, about = line): void {
    if (this.#isNew(about)) this.#options.complain(line)
  }

  /** However much was said before. */
  last(line: string): void {
    this.#options.complain(line)
  }

  #isNew(about: string): boolean {
    if (this.#said.has(about) || this.#said.size >= most) return false
    this.#said.add(about)
    return true
  }
}
