import { AcceptedDrafts } from './accepted.ts'
import { type Draft, draftKey } from './draft.ts'
import { dropSpare, reduceList } from './reduce-list.ts'
import type { ReductionName } from './reduction-names.ts'
import { type PartList, type Reduction, reductions } from './reductions.ts'
import { atRate, type FailureCount, isRateKnown, once, type Rule } from './rules.ts'
import { type PlayCandidate, Tester } from './tester.ts'

export interface ShrinkOptions {
  play: PlayCandidate
  /** Plays what was made of the last `onSmaller`. Without it, that is played like any other. */
  playLast?: PlayCandidate
  /** When a candidate counts as failing. Without it, that is found out. */
  rule?: Rule
  /** Only these kinds of parts are left out. */
  only?: readonly ReductionName[]
  /** Turns at the start may be given to the agent as history. */
  mayReplay: boolean
  /** Called with every draft that still fails. It is larger than the last if that turned out not to fail. */
  onSmaller?(draft: Draft): void
  /** Called when all parts of a kind were tried. */
  onReduced?(name: ReductionName, draft: Draft): void
  /** Called when it turns out that the failure is flaky, with what is known of its rate. */
  onFlaky?(trials: FailureCount): void
}

export interface ProvenShrink {
  status: 'proven'
  draft: Draft
  /** The runs at the end, in which everything was sent. */
  last: FailureCount
}

export type ShrinkResult =
  | ProvenShrink
  /** Neither what is left nor the original failed often enough when they were played again. */
  | { status: 'unproven'; draft: Draft; last: FailureCount }
  /** How often the original was played, and how often it failed for the same reason: too seldom, or never. */
  | { status: 'notReproduced'; tries: FailureCount }

/** How often the original is played before it counts as one that no longer fails. */
export const mostTries = 8
/** How often what is left is played at the end. */
export const lastRuns = 5
/** The same for a flaky failure, at least. */
const lastFlakyRuns = 12
/** How often everything is tried again from a larger draft, because what was left did not fail often enough. */
const mostRounds = 2

/** Makes a failing conversation as small as possible. Errors of `play` end it: the last `onSmaller` stays valid. */
export async function shrinkDraft(original: Draft, options: ShrinkOptions): Promise<ShrinkResult> {
  const shrinking = new Shrinking(original, options)
  return options.rule === undefined ? shrinking.run() : shrinking.runByRule(options.rule)
}

class Shrinking {
  readonly #original: Draft
  readonly #options: ShrinkOptions
  readonly #tester: Tester
  readonly #tries: FailureCount = { runs: 0, failed: 0 }
  readonly #accepted: AcceptedDrafts

  constructor(original: Draft, options: ShrinkOptions) {
    this.#original = original
    this.#options = options
    this.#accepted = new AcceptedDrafts(original, (draft) => options.onSmaller?.(draft))
    this.#tester = new Tester(original, options.play, once, (draft) => this.#accepted.add(draft))
  }

  async runByRule(rule: Rule): Promise<ShrinkResult> {
    const isOnce = rule({ runs: 1, failed: 0 }) === false
    this.#tester.rule = rule
    while (rule(this.#tries) === undefined) await this.#playOriginal()
    if (rule(this.#tries) !== true) return this.#notReproduced()
    if (isOnce && this.#options.mayReplay) await this.#tryReplaying()
    return this.#reduceByRule(rule, 0)
  }

  /** At first, one run decides. What is left at the end is small, and is used to find out whether that was right. */
  async run(): Promise<ShrinkResult> {
    while (this.#tries.failed === 0 && this.#tries.runs < mostTries) await this.#playOriginal()
    if (this.#tries.failed === 0) return this.#notReproduced()
    if (this.#tries.runs > 1) return this.#runFlaky({ ...this.#tries })
    if (this.#options.mayReplay) await this.#tryReplaying()
    const wasReplaying = this.#tester.isReplaying
    const found = await this.#reduceOnce()
    if (found.isSure) return { status: 'proven', draft: this.#best, last: found.last }
    if (!wasReplaying || (found.last.failed > 0 && !found.hasSpare)) return this.#runFlaky(found.last)
    // New replies are not as good as those that were replayed, so nothing is replayed.
    if (found.last.failed === 0) this.#accepted.beginWith(this.#original)
    this.#tester.startAgain(once)
    const again = await this.#reduceOnce()
    if (again.isSure) return { status: 'proven', draft: this.#best, last: again.last }
    return this.#runFlaky(again.last)
  }

  /** Reduces as if one run could decide, and finds out whether that was right. */
  async #reduceOnce(): Promise<{ last: FailureCount; hasSpare: boolean; isSure: boolean }> {
    let last: FailureCount
    do {
      await this.#reduce()
      last = await this.#playBest(({ runs }) => runs === lastRuns)
    } while (this.#leaveUnsafe())
    const hasSpare = last.failed === last.runs && (await this.#hasSpareTurn())
    return { last, hasSpare, isSure: last.failed === last.runs && !hasSpare }
  }

  async #runFlaky(seen: FailureCount): Promise<ShrinkResult> {
    this.#options.onFlaky?.(seen)
    let rate = await this.#measureRate()
    if (rate.failed === 0 && this.#best !== this.#original) {
      // It failed by chance, and is too small.
      this.#accepted.beginWith(this.#original)
      rate = await this.#measureRate()
    }
    if (rate.failed === 0) {
      this.#tries.runs += rate.runs
      return this.#notReproduced()
    }
    this.#accepted.beginWith(this.#best)
    const rule = atRate(rate)
    this.#tester.startAgain(rule)
    return this.#reduceByRule(rule, lastFlakyRuns)
  }

  async #measureRate(): Promise<FailureCount> {
    let rate: FailureCount
    do rate = await this.#playBest(isRateKnown)
    while (this.#leaveUnsafe())
    return rate
  }

  /** Whatever is left is played again: a candidate may have been accepted by mistake. */
  async #reduceByRule(rule: Rule, leastRuns: number): Promise<ShrinkResult> {
    for (let round = 1; ; round++) {
      await this.#reduce()
      const found = this.#best
      const proof = await this.#prove(rule, leastRuns)
      const draft = this.#best
      if (!proof.isProven) return { status: 'unproven', draft, last: proof.last }
      if (draft === found || round === mostRounds) return { status: 'proven', draft, last: proof.last }
      this.#tester.startAgain(rule)
    }
  }

  /** If what is left does not fail often enough, what was left before may. Ends with the first draft that does. */
  async #prove(rule: Rule, leastRuns: number): Promise<{ isProven: boolean; last: FailureCount }> {
    let proof = { isProven: false, last: { runs: 0, failed: 0 } }
    for (const draft of this.#accepted.listFallbacks()) {
      if (this.#tester.isUnsafe(draft) && draft !== this.#accepted.first) continue
      this.#accepted.goBackTo(draft)
      let decided: boolean | undefined
      const last = await this.#playBest((trials) => {
        decided ??= rule(trials)
        return decided === false || (decided === true && trials.runs >= leastRuns)
      })
      proof = { isProven: decided === true && !this.#tester.isUnsafe(draft), last }
      if (proof.isProven) break
    }
    return proof
  }

  /** Goes back to what was left before a tool was called whose stub was left out. Returns whether it had to. */
  #leaveUnsafe(): boolean {
    if (!this.#tester.isUnsafe(this.#best)) return false
    const safe = this.#accepted.findLast((draft) => !this.#tester.isUnsafe(draft))
    if (safe === undefined) return false
    this.#accepted.goBackTo(safe)
    return true
  }

  #notReproduced(): ShrinkResult {
    return { status: 'notReproduced', tries: this.#tries }
  }

  async #playOriginal(): Promise<void> {
    this.#tries.runs += 1
    if (!(await this.#tester.playWhole(this.#original))) return
    this.#tries.failed += 1
    if (this.#tries.failed === 1) this.#options.onSmaller?.(this.#original)
  }

  async #playBest(isEnough: (trials: FailureCount) => boolean): Promise<FailureCount> {
    const trials: FailureCount = { runs: 0, failed: 0 }
    while (!isEnough(trials)) {
      trials.runs += 1
      if (await this.#tester.playWhole(this.#best, this.#options.playLast)) trials.failed += 1
    }
    return trials
  }

  /** If the whole conversation does not fail with its recorded start, everything is sent. */
  async #tryReplaying(): Promise<void> {
    // There must be something to replay.
    if (this.#original.turns.findIndex(({ isPinned }) => isPinned) < 1) return
    this.#tester.isReplaying = true
    if (!(await this.#tester.fails(this.#original))) this.#tester.startAgain(this.#tester.rule)
  }

  /** A second opinion about every turn, because one run may have been wrong. */
  async #hasSpareTurn(): Promise<boolean> {
    const turns = this.#reductions().find(({ name }) => name === 'turns')
    for (const list of turns?.lists(this.#best) ?? [])
      for (let index = 0; index < list.count; index++) {
        const others = list.keep(this.#best, allBut(index, list.count))
        if (others === undefined || !(await this.#tester.playWhole(others))) continue
        this.#accepted.add(others)
        return true
      }
    return false
  }

  /** Goes through all kinds of parts until nothing more can be left out. */
  async #reduce(): Promise<void> {
    let reduce = reduceList
    for (let before: Draft | undefined; before !== this.#best; ) {
      before = this.#best
      for (const { name, lists } of this.#reductions()) {
        for (const list of lists(this.#best)) await this.#reduceList(list, reduce)
        if (reduce === reduceList) this.#options.onReduced?.(name, this.#best)
      }
      // What was needed once is mostly needed still.
      reduce = (count, fails) =>
        dropSpare(
          Array.from({ length: count }, (_, index) => index),
          fails,
        )
    }
  }

  async #reduceList(list: PartList, reduce: typeof reduceList): Promise<void> {
    const draft = this.#best
    const kept = await reduce(list.count, async (parts) => {
      const smaller = list.keep(draft, parts)
      return smaller !== undefined && this.#tester.fails(smaller)
    })
    const smallest = kept.length < list.count ? list.keep(draft, kept) : undefined
    if (smallest !== undefined && draftKey(smallest) !== draftKey(this.#best)) this.#accepted.add(smallest)
  }

  #reductions(): readonly Reduction[] {
    const { only } = this.#options
    return only === undefined ? reductions : reductions.filter(({ name }) => only.includes(name))
  }

  get #best(): Draft {
    return this.#accepted.best
  }
}

function allBut(index: number, count: number): number[] {
  return Array.from({ length: count }, (_, each) => each).filter((each) => each !== index)
}
