import { type Draft, draftKey } from './draft.ts'
import { type Replayed, replayFor, startsLike } from './replayed.ts'
import type { FailureCount, Rule } from './rules.ts'

/** A draft as it is played: some turns at its start may be given to the agent as history. */
export interface Candidate {
  draft: Draft
  replayed: Replayed
}

/** What came of playing a candidate once. */
export interface Trial {
  /** It failed, for the same reason as the original. */
  isSame: boolean
  /** What the agent added in each turn that was sent, as messages of a case. */
  replies: readonly (readonly object[])[]
  /** Tools that must not be real and were called without their stub: the candidate is never accepted. */
  guardCalls?: readonly string[]
}

export type PlayCandidate = (candidate: Candidate) => Promise<Trial>

/** Plays candidates until a rule decides about them, each as seldom as possible. */
export class Tester {
  readonly #play: PlayCandidate
  readonly #caseStubs: ReadonlySet<string>
  readonly #trials = new Map<string, FailureCount>()
  /** Stubs whose tool was called where they had been left out. */
  readonly #needed = new Set<string>()
  /** Drafts in which another tool that must not be real was called. */
  readonly #unsafe = new Set<string>()
  /** The last conversation that failed. Candidates that begin like it need not say the same again. */
  #base: { draft: Draft; replies: readonly (readonly object[])[] } | undefined
  readonly #onSame: (draft: Draft) => void
  rule: Rule
  isReplaying = false

  constructor(original: Draft, play: PlayCandidate, rule: Rule, onSame: (draft: Draft) => void) {
    this.#caseStubs = new Set(Object.keys(original.stubs))
    this.#play = play
    this.rule = rule
    this.#onSame = onSame
  }

  /** Whether a draft still fails for the same reason. */
  async fails(draft: Draft): Promise<boolean> {
    const key = draftKey(draft)
    const trials = this.#trials.get(key) ?? { runs: 0, failed: 0 }
    this.#trials.set(key, trials)
    while (!this.isUnsafe(draft)) {
      const decided = this.rule(trials)
      if (decided !== undefined) {
        if (decided) this.#onSame(draft)
        return decided
      }
      await this.#count(draft, trials)
    }
    return false
  }

  /** One more run in which everything is sent, whatever is known of the draft. */
  async playWhole(draft: Draft, play = this.#play): Promise<boolean> {
    const trial = await play({ draft, replayed: { turns: 0, messages: [] } })
    this.#noteGuards(draft, trial)
    if (trial.isSame) this.#base = { draft, replies: trial.replies }
    return trial.isSame
  }

  /** Whether a tool that must not be real was called in such a draft. One that was called once may be called again. */
  isUnsafe(draft: Draft): boolean {
    return this.#unsafe.has(draftKey(draft)) || [...this.#needed].some((name) => !(name in draft.stubs))
  }

  /** What was found out by another rule, or with replayed turns, does not count any more. */
  startAgain(rule: Rule): void {
    this.#trials.clear()
    this.rule = rule
    this.isReplaying = false
  }

  async #count(draft: Draft, trials: FailureCount): Promise<void> {
    const replayed = this.#replayed(draft)
    const trial = await this.#play({ draft, replayed })
    this.#noteGuards(draft, trial)
    trials.runs += 1
    if (!trial.isSame) return
    trials.failed += 1
    const before = this.#base?.replies.slice(0, replayed.turns) ?? []
    this.#base = { draft, replies: [...before, ...trial.replies] }
  }

  #noteGuards(draft: Draft, { guardCalls = [] }: Trial): void {
    for (const name of guardCalls) {
      if (this.#caseStubs.has(name)) this.#needed.add(name)
      else this.#unsafe.add(draftKey(draft))
    }
  }

  #replayed(draft: Draft): Replayed {
    const base = this.#base
    return this.isReplaying && base !== undefined
      ? replayFor(draft, base.replies, startsLike(draft, base.draft))
      : { turns: 0, messages: [] }
  }
}
