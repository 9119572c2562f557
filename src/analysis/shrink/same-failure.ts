import { type RenameReference, renameReferences } from '../../cases/references.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import { type FailureSignature, hasFailedFor, readReason } from './failure.ts'
import { type FailureScope, findFailureScope, isAboutReply } from './failure-scope.ts'
import { isLikeReply } from './like-reply.ts'

/** Which replies are still the same mistake. */
export interface ReplyRule {
  /** A text that the failing reply must contain. */
  reply?: string
  /** Whatever is replied, a failure of the same check counts. */
  anyReply: boolean
}

/** How the result of a candidate compares with the recorded failure. */
export type FailureMatch =
  | 'same'
  /** The same check failed, but the reply is not like the recorded one. */
  | 'other_reply'
  /** It failed in another way: something may have broken on the way. */
  | 'other_kind'
  | 'other_reason'
  | 'passed'

/** A recorded failure, which candidates are compared with. It does not depend on what was played before. */
export class SameFailure {
  readonly reason: FailureSignature
  readonly scope: FailureScope
  readonly #recording: CaseResult
  /** The conversation up to the failing reply. */
  readonly #recorded: readonly Turn[]
  readonly #rule: ReplyRule

  private constructor(recording: CaseResult, reason: FailureSignature, rule: ReplyRule) {
    this.reason = reason
    this.scope = findFailureScope(reason, recording)
    this.#recording = recording
    this.#recorded = recording.view.turns.slice(0, this.scope.last)
    this.#rule = rule
  }

  /** Undefined where no conversation that is written in advance can fail for the recorded reason. */
  static fromRecording(recording: CaseResult, rule: ReplyRule): SameFailure | undefined {
    const reason = readReason(recording)
    return reason && new SameFailure(recording, reason, rule)
  }

  /** The same failure of a case in which scripts and modules have other names. */
  renamed(rename: RenameReference): SameFailure {
    const { reason } = this
    if (reason.kind !== 'assertion') return this
    const check = { ...reason.check, assertion: renameReferences(reason.check.assertion, rename) }
    return new SameFailure(this.#recording, { ...reason, check }, this.#rule)
  }

  compare(result: CaseResult): FailureMatch {
    if (result.status !== 'failed') return 'passed'
    if (result.fault !== 'agent' || result.failure?.kind !== this.reason.kind) return 'other_kind'
    if (!hasFailedFor(this.reason, result)) return 'other_reason'
    return this.#isSameReply(result.view.turns) ? 'same' : 'other_reply'
  }

  /** The turn with the reply that failed. */
  get recordedTurn(): Turn | undefined {
    return this.#recorded.at(-1)
  }

  /** Whether replies are compared with the recorded one. */
  get comparesReplies(): boolean {
    const { reply, anyReply } = this.#rule
    return reply === undefined && !anyReply && isAboutReply(this.reason, this.scope)
  }

  #isSameReply(turns: readonly Turn[]): boolean {
    const { reply } = this.#rule
    if (reply !== undefined) return hasReply(turns.at(-1), reply)
    return !this.comparesReplies || isLikeReply(this.#recorded, turns)
  }
}

/** Whether the reply of a turn, or the error that came in its place, contains a text. */
export function hasReply(turn: Turn | undefined, wanted: string): boolean {
  const text = turn?.reply?.content ?? turn?.error ?? ''
  return text.toLowerCase().includes(wanted.toLowerCase())
}
