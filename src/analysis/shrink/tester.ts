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
}

export type PlayCandidate = (candidate: Candidate) => Promise<Trial>

/** Plays candidates until a rule decides about them, each as seldom as possible. */
export class Tester {
  readonly #play: PlayCandidate
  readonly #trials = new Map<string, FailureCount>()
  /** The last conversation that failed. Candidates that begin like it need not say the same again. */
  #base: { draft: Draft; replies: readonly (readonly object[])[] } | undefined
  readonly #onSame: (draft: Draft) => void
  rule: Rule
  isReplaying = false

  constructor(play: PlayCandidate, rule: Rule, onSame: (draft: Draft) => void) {
    this.#play = play
    this.rule = rule
    this.#onSame = onSame
  }

  /** Whether a draft still fails for the same reason. */
  async fails(draft: Draft): Promise<boolean> {
    const key = draftKey(draft)
    const trials = this.#trials.get(key) ?? { runs: 0, failed: 0 }
    this.#trials.set(key, trials)
    for (;;) {
      const decided = this.rule(trials)
      if (decided !== undefined) {
        if (decided) this.#onSame(draft)
        return decided
      }
      await this.#count(draft, trials)
    }
  }

  /** One more run in which everything is sent, whatever is known of the draft. */
  async playWhole(draft: Draft): Promise<boolean> {
    const trial = await this.#play({ draft, replayed: { turns: 0, messages: [] } })
    if (trial.isSame) this.#base = { draft, replies: trial.replies }
    return trial.isSame
  }

  /** What was found out by another rule, or with replayed turns, does not count any more. */
  startAgain(rule: Rule): void {
    this.#trials.clear()
    this.rule = rule
    this.isReplaying = false
  }

  async #count(draft: Draft, trials: FailureCount): Promise<void> {
    const replayed = this.#replayed(draft)
    const { isSame, replies } = await this.#play({ draft, replayed })
    trials.runs += 1
    if (!isSame) return
    trials.failed += 1
    const before = this.#base?.replies.slice(0, replayed.turns) ?? []
    this.#base = { draft, replies: [...before, ...replies] }
  }

  #replayed(draft: Draft): Replayed {
    const base = this.#base
    return this.isReplaying && base !== undefined
      ? replayFor(draft, base.replies, startsLike(draft, base.draft))
      : { turns: 0, messages: [] }
  }
}
