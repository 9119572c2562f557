import { realpathSync } from 'node:fs'
import type { Draft } from '../../analysis/shrink/draft.ts'
import { type FailureSignature, hasFailedFor } from '../../analysis/shrink/failure.ts'
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
  reason: FailureSignature
  /** Which of the replies that fail the check are the same mistake. */
  isSameReply(turns: readonly Turn[]): boolean
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

/** A tool that is no longer stubbed must not be called for real to find out whether its stub is needed. */
const guardText = 'viva shrink: this stub was left out'

/** Plays candidates one after the other. */
export class CandidatePlayer {
  readonly effort: Effort = { conversations: 0, turns: 0, usage: {} }
  /** The last result that failed for the same reason. */
  same: CaseResult | undefined
  /** The last result that did not, though it was played. */
  other: CaseResult | undefined
  readonly #options: PlayerOptions
  readonly #spending: Spending
  readonly #targets = new Targets()

  constructor(options: PlayerOptions) {
    this.#options = options
    this.#spending = new Spending(options.budget)
  }

  /** Plays a candidate once. */
  async play(candidate: Candidate): Promise<Trial> {
    const { original, reading } = this.#options
    const { draft } = original
    const written = guardStubs(original.write(candidate), candidate.draft, draft)
    const input: DetectedInput = {
      kind: 'given',
      path: this.#options.target.path,
      folder: folderOf(reading),
      shown: String(written.id),
      write: () => written,
    }
    return this.#playInput(input)
  }

  /** Plays what was written to the file, which proves that it can be run. */
  async playFile(): Promise<boolean> {
    const { path, shown } = this.#options.target
    const trial = await this.#playInput({ kind: 'cases', path: realpathSync(path), shown })
    return trial.isSame
  }

  async #playInput(input: DetectedInput): Promise<Trial> {
    const source = openInputs([input], describeSource(this.#options.reading, [], []))
    try {
      const result = await this.#playUntilJudged(source)
      const isSame = this.#isSame(result)
      if (isSame) this.same = result
      else this.other = result
      return { isSame, replies: result.view.turns.map(writeReplies) }
    } finally {
      await source.close?.()
    }
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
      if (isJudged || failure?.kind === 'judge_unknown') return result
      const isOver = status === 'not_run' || attempt > mostRetries
      if (isOver) throw new ShrinkStopped('infrastructure', failure?.message ?? termination.detail)
    }
  }

  async #playEntry(
    source: CaseSource,
    entry: Parameters<typeof playJob>[0]['entries'][number],
    attempt: number,
  ): Promise<CaseResult> {
    const { stage, variant, signal } = this.#options
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
    const job = { planHash: '', entries: [entry], variant, run: effort.conversations, attempt }
    await playJob(job, { ...stage, source, targets: this.#targets, emit }, signal, (result) => {
      played = result
    })
    if (played === undefined) throw new Error(`${entry.id} has no result`)
    this.#spending.add(played)
    effort.usage = addUsages(effort.usage, played.usage)
    return played
  }

  #isSame(result: CaseResult): boolean {
    const { reason, isSameReply } = this.#options
    const { turns } = result.view
    return hasFailedFor(reason, result) && !callsGuarded(turns) && isSameReply(turns)
  }
}

function folderOf({ inputs }: SourceNeeds): string {
  const [input] = inputs
  return input?.kind === 'given' ? input.folder : ''
}

function guardStubs(written: Data, candidate: Draft, original: Draft): Data {
  const left = Object.keys(original.stubs).filter((name) => !(name in candidate.stubs))
  if (left.length === 0) return written
  const guards = Object.fromEntries(left.map((name) => [name, { error: guardText }]))
  return { ...written, stubs: { ...candidate.stubs, ...guards } }
}

function callsGuarded(turns: readonly Turn[]): boolean {
  return turns.some(
    ({ reply }) =>
      reply !== undefined &&
      reply.toolCalls !== 'hidden' &&
      reply.toolCalls.some(({ error }) => error?.includes(guardText)),
  )
}

function writeReplies({ reply }: Turn): object[] {
  return (reply?.messages ?? []).map((message) => messageAsWritten(messageToLine(message)))
}
