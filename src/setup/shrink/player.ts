import { readFileSync, realpathSync } from 'node:fs'
import { guardTools, listGuardCalls } from '../../analysis/shrink/guards.ts'
import type { FailureMatch, SameFailure } from '../../analysis/shrink/same-failure.ts'
import type { Candidate, Trial } from '../../analysis/shrink/tester.ts'
import { collect } from '../../cases/collect.ts'
import type { CaseSource } from '../../cases/entry.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { openInputs } from '../../cases/sources/open.ts'
import { itemAt } from '../../json/lazy-list.ts'
import { messageAsWritten } from '../../results/case-from-result.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import { messageToLine } from '../../results/turn-line.ts'
import { addUsages, type UsageByRole } from '../../results/usage.ts'
import { type Budget, Spending } from '../../run/budget.ts'
import { playJob } from '../../run/play-job.ts'
import type { Stage } from '../../run/stage.ts'
import { Targets } from '../../scope/targets.ts'
import { describeSource, type SourceNeeds } from '../phases/source.ts'
import type { Original } from './original.ts'
import type { ShrunkFile } from './shrunk-file.ts'

/** Nothing more is played. What was found until then is kept. */
export class ShrinkStopped extends Error {
  override readonly name = 'ShrinkStopped'
  readonly why: 'interrupted' | 'budget' | 'infrastructure'

  constructor(why: ShrinkStopped['why'], message: string) {
    super(message)
    this.why = why
  }
}

interface PlayerOptions {
  /** Reads cases as `viva test` does. */
  reading: SourceNeeds
  stage: Omit<Stage, 'source' | 'targets' | 'emit'>
  variant: string
  original: Original
  failure: SameFailure
  /** The number of the recorded run, which may decide what the agent does: every seed is derived from it. */
  run: number
  budget: Budget
  signal: AbortSignal
  target: ShrunkFile
}

/** What was sent and spent so far. */
export interface Effort {
  conversations: number
  turns: number
  usage: UsageByRole
}

/** How often a conversation that infrastructure has broken is played again. */
const mostRetries = 2

/** Plays candidates one after the other. */
export class CandidatePlayer {
  readonly effort: Effort = { conversations: 0, turns: 0, usage: {} }
  /** The last result that failed for the same reason. */
  same: CaseResult | undefined
  /** The last result that did not, though it was played. */
  other: { result: CaseResult; match: FailureMatch } | undefined
  readonly #options: PlayerOptions
  readonly #spending: Spending
  readonly #targets = new Targets()

  constructor(options: PlayerOptions) {
    this.#options = options
    this.#spending = new Spending(options.budget)
  }

  /** Plays a candidate once. */
  async play(candidate: Candidate): Promise<Trial> {
    const written = this.#options.original.writeGuarded(candidate)
    return this.#playInput(this.#describe(written), candidate)
  }

  /** Plays what was written to the file, which proves that it can be run. */
  async playFile(candidate: Candidate): Promise<Trial> {
    const { path, shown } = this.#options.target
    const written = JSON.parse(readFileSync(path, 'utf8')) as Data
    const guarded = guardTools(written, candidate.draft)
    const file: DetectedInput = { kind: 'cases', path: realpathSync(path), shown }
    return this.#playInput(guarded === written ? file : this.#describe(guarded), candidate)
  }

  #describe(written: Data): DetectedInput {
    const { reading, target } = this.#options
    const { path } = target
    return { kind: 'given', path, folder: folderOf(reading), shown: String(written.id), write: () => written }
  }

  async #playInput(input: DetectedInput, candidate: Candidate): Promise<Trial> {
    const source = openInputs([input], describeSource(this.#options.reading, [], []))
    try {
      const { result, match } = await this.#playUntilClear(source)
      const guardCalls = listGuardCalls(candidate, result.view.turns)
      const isSame = match === 'same' && guardCalls.length === 0
      if (isSame) this.same = result
      else this.other = { result, match }
      return { isSame, replies: result.view.turns.map(writeReplies), guardCalls }
    } finally {
      await source.close?.()
    }
  }

  /** If it fails in another way, something may have broken on the way, so it is played once more. */
  async #playUntilClear(source: CaseSource): Promise<{ result: CaseResult; match: FailureMatch }> {
    const { failure } = this.#options
    const first = await this.#playUntilJudged(source)
    const match = failure.compare(first)
    if (match !== 'other_kind') return { result: first, match }
    const result = await this.#playUntilJudged(source)
    return { result, match: failure.compare(result) }
  }

  /** A conversation that infrastructure has broken says nothing, so it is played again. */
  async #playUntilJudged(source: CaseSource): Promise<CaseResult> {
    const entry = itemAt(await collect(source), 0)
    for (let attempt = 1; ; attempt++) {
      const result = await this.#playEntry(source, entry, attempt)
      const { status, fault, failure, termination } = result
      if (status === 'interrupted') throw new ShrinkStopped('interrupted', 'interrupted')
      // A judge that has no opinion has been asked.
      const isJudged = status !== 'not_run' && (fault ?? 'agent') === 'agent'
      // A candidate for whose calls there is no stub fails in every attempt.
      if (isJudged || failure?.kind === 'judge_unknown' || failure?.kind === 'stub') return result
      const isOver = status === 'not_run' || attempt > mostRetries
      if (isOver) throw new ShrinkStopped('infrastructure', failure?.message ?? termination.detail)
    }
  }

  async #playEntry(
    source: CaseSource,
    entry: Parameters<typeof playJob>[0]['entries'][number],
    attempt: number,
  ): Promise<CaseResult> {
    const { stage, variant, run, signal } = this.#options
    if (signal.aborted) throw new ShrinkStopped('interrupted', 'interrupted')
    const over = this.#spending.over() ?? this.#targets.whyNotPlayed(variant)?.message
    if (over !== undefined)
      throw new ShrinkStopped(this.#spending.over() === undefined ? 'infrastructure' : 'budget', over)
    const { effort } = this
    effort.conversations += 1
    let played: CaseResult | undefined
    const emit: Stage['emit'] = (event) => {
      if (event.type === 'turn') effort.turns += 1
    }
    const job = { planHash: '', entries: [entry], variant, run, attempt }
    await playJob(job, { ...stage, source, targets: this.#targets, emit }, signal, (result) => {
      played = result
    })
    if (played === undefined) throw new Error(`${entry.id} has no result`)
    this.#spending.add(played)
    effort.usage = addUsages(effort.usage, played.usage)
    return played
  }
}

function folderOf({ inputs }: SourceNeeds): string {
  const [input] = inputs
  return input?.kind === 'given' ? input.folder : ''
}

function writeReplies({ reply }: Turn): object[] {
  return (reply?.messages ?? []).map((message) => messageAsWritten(messageToLine(message)))
}
