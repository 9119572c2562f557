import type { Draft } from './draft.ts'
import { dropSpare, reduceList } from './reduce-list.ts'
import type { ReductionName } from './reduction-names.ts'
import { type PartList, type Reduction, reductions } from './reductions.ts'
import { atRate, type FailureCount, once, type Rule } from './rules.ts'
import { type PlayCandidate, Tester } from './tester.ts'

export interface ShrinkOptions {
  play: PlayCandidate
  /** Plays the last candidate of `onSmaller`, and says whether it failed. Without it, that is played like any other. */
  playLast?(): Promise<boolean>
  /** When a candidate counts as failing. Without it, that is found out. */
  rule?: Rule
  /** Only these kinds of parts are left out. */
  only?: readonly ReductionName[]
  /** Turns at the start may be given to the agent as history. */
  mayReplay: boolean
  /** Called with every draft that still fails, each smaller than the last. */
  onSmaller?(draft: Draft): void
  /** Called when all parts of a kind were tried. */
  onReduced?(name: ReductionName, draft: Draft): void
  /** Called when it turns out that the failure is flaky, with what is known of its rate. */
  onFlaky?(trials: FailureCount): void
}

export interface Shrunk {
  draft: Draft
  /** Runs of what is left, in which everything was sent. */
  last: FailureCount
  /** How often it had to be played until it failed: more than once is flaky. */
  isFlaky: boolean
}

/** The original did not fail for the same reason any more. */
export class NotReproducedError extends Error {
  override readonly name = 'NotReproducedError'
  readonly runs: number

  constructor(runs: number) {
    super(`it did not fail for the same reason in ${runs} runs`)
    this.runs = runs
  }
}

/** How often the original is played before it counts as one that no longer fails. */
const mostTries = 8
/** How often what is left is played at the end. */
const lastRuns = 5
/** From how many runs the rate of a flaky failure is estimated. */
const rateRuns = 12

/** Makes a failing conversation as small as possible. Errors of `play` end it: the last `onSmaller` stays valid. */
export async function shrinkDraft(original: Draft, options: ShrinkOptions): Promise<Shrunk> {
  const shrinking = new Shrinking(original, options)
  return options.rule === undefined ? shrinking.run() : shrinking.runByRule(options.rule)
}

class Shrinking {
  readonly #original: Draft
  readonly #options: ShrinkOptions
  readonly #tester: Tester
  #best: Draft

  constructor(original: Draft, options: ShrinkOptions) {
    this.#original = original
    this.#options = options
    this.#best = original
    this.#tester = new Tester(options.play, once, (draft) => this.#accept(draft))
  }

  async runByRule(rule: Rule): Promise<Shrunk> {
    const { mayReplay } = this.#options
    const isOnce = rule({ runs: 1, failed: 0 }) === false
    this.#tester.rule = rule
    const trials: FailureCount = { runs: 0, failed: 0 }
    while (rule(trials) === undefined) await this.#playOriginal(trials)
    if (rule(trials) !== true) throw new NotReproducedError(trials.runs)
    if (isOnce && mayReplay) await this.#tryReplaying()
    await this.#reduce()
    const last: FailureCount = { runs: 0, failed: 0 }
    while (rule(last) === undefined) await this.#playLast(last)
    return { draft: this.#best, last, isFlaky: last.failed < last.runs }
  }

  /** At first, one run decides. What is left at the end is small, and is used to find out whether that was right. */
  async run(): Promise<Shrunk> {
    const first: FailureCount = { runs: 0, failed: 0 }
    while (first.failed === 0 && first.runs < mostTries) await this.#playOriginal(first)
    if (first.failed === 0) throw new NotReproducedError(first.runs)
    if (first.runs > 1) return this.#runFlaky(first)
    if (this.#options.mayReplay) await this.#tryReplaying()
    const wasReplaying = this.#tester.isReplaying
    const found = await this.#reduceOnce()
    if (found.isSure) return { draft: this.#best, last: found.last, isFlaky: false }
    if (!wasReplaying || (found.last.failed > 0 && !found.hasSpare)) return this.#runFlaky(found.last)
    // New replies are not as good as those that were replayed, so nothing is replayed.
    if (found.last.failed === 0) this.#accept(this.#original)
    this.#tester.startAgain(once)
    const again = await this.#reduceOnce()
    return again.isSure ? { draft: this.#best, last: again.last, isFlaky: false } : this.#runFlaky(again.last)
  }

  /** Reduces as if one run could decide, and finds out whether that was right. */
  async #reduceOnce(): Promise<{ last: FailureCount; hasSpare: boolean; isSure: boolean }> {
    await this.#reduce()
    const last = await this.#playBest(lastRuns)
    const hasSpare = last.failed === last.runs && (await this.#hasSpareTurn())
    return { last, hasSpare, isSure: last.failed === last.runs && !hasSpare }
  }

  async #runFlaky(seen: FailureCount): Promise<Shrunk> {
    this.#options.onFlaky?.(seen)
    let rate = await this.#playBest(rateRuns)
    if (rate.failed === 0 && this.#best !== this.#original) {
      // It failed by chance, and is too small.
      this.#accept(this.#original)
      rate = await this.#playBest(rateRuns)
    }
    this.#tester.startAgain(atRate(rate.failed / rate.runs))
    const before = this.#best
    await this.#reduce()
    const last = this.#best === before ? rate : await this.#playBest(rateRuns)
    return { draft: this.#best, last, isFlaky: true }
  }

  async #playOriginal(trials: FailureCount): Promise<void> {
    trials.runs += 1
    if (!(await this.#tester.playWhole(this.#original))) return
    trials.failed += 1
    if (trials.failed === 1) this.#options.onSmaller?.(this.#original)
  }

  async #playBest(runs: number): Promise<FailureCount> {
    const trials: FailureCount = { runs: 0, failed: 0 }
    while (trials.runs < runs) await this.#playLast(trials)
    return trials
  }

  async #playLast(trials: FailureCount): Promise<void> {
    trials.runs += 1
    const { playLast = () => this.#tester.playWhole(this.#best) } = this.#options
    if (await playLast()) trials.failed += 1
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
        this.#accept(others)
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
    if (smallest !== undefined) this.#best = smallest
  }

  #reductions(): readonly Reduction[] {
    const { only } = this.#options
    return only === undefined ? reductions : reductions.filter(({ name }) => only.includes(name))
  }

  #accept(draft: Draft): void {
    this.#best = draft
    this.#options.onSmaller?.(draft)
  }
}

function allBut(index: number, count: number): number[] {
  return Array.from({ length: count }, (_, each) => each).filter((each) => each !== index)
}
