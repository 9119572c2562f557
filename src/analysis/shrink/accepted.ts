import type { Draft } from './draft.ts'

/** The drafts that failed so far, each smaller than the one before. */
export class AcceptedDrafts {
  #drafts: Draft[]
  #first: Draft
  readonly #onChange: (best: Draft) => void

  constructor(original: Draft, onChange: (best: Draft) => void) {
    this.#first = original
    this.#drafts = [original]
    this.#onChange = onChange
  }

  get best(): Draft {
    return this.#drafts.at(-1) ?? this.#first
  }

  /** The largest one, which has failed most surely. */
  get first(): Draft {
    return this.#first
  }

  add(draft: Draft): void {
    this.#drafts.push(draft)
    this.#onChange(draft)
  }

  /** What was accepted after it does not count any more. */
  goBackTo(draft: Draft): void {
    if (draft === this.best) return
    this.#drafts.length = this.#drafts.indexOf(draft) + 1
    this.#onChange(draft)
  }

  /** There is nothing before it to go back to. */
  beginWith(draft: Draft): void {
    const isOther = draft !== this.best
    this.#first = draft
    this.#drafts = [draft]
    if (isOther) this.#onChange(draft)
  }

  findLast(isWanted: (draft: Draft) => boolean): Draft | undefined {
    return this.#drafts.findLast(isWanted)
  }

  /** The last draft, then ones from further and further before it, and the first. */
  listFallbacks(): Draft[] {
    const drafts = new Set<Draft>()
    for (let back = 1; back < this.#drafts.length; back *= 2) {
      const draft = this.#drafts.at(-back)
      if (draft !== undefined) drafts.add(draft)
    }
    return [...drafts.add(this.first)]
  }
}
