import { defined, emptyToUndefined } from '../json/defined.ts'
import type { Key } from '../results/key.ts'
import type { ResultLine } from '../results/line-schema.ts'
import type { CaseResult, Origin } from '../results/result.ts'
import type { StartLine, SummaryLine } from '../results/run-line-schema.ts'
import { messageText } from '../results/transcript/message.ts'
import { totalCost, totalTokens } from '../results/usage.ts'
import { oneLine } from './printable.ts'
import { describeReason, type ShownOutcome, shownOutcome } from './shown-result.ts'

/** The kinds of blocks in the file; see `html-report.ts`. */
export type BlockKind = 'run' | 'rows' | 'results'

/** The id of the last element of the file, which has the number of blocks before it. */
export const endMark = 'viva-end'

/** The data about the run that the page reads first. */
export interface PageRun {
  start: StartLine
  summary: SummaryLine
}

/** The data about a result that the page has before it is opened: enough for the table, its filters and the charts. */
export interface PageRow extends Key {
  name?: string
  tags?: string[]
  outcome: ShownOutcome
  /** Set if it is not of a live run: then it is in no rate. */
  origin?: Origin
  /** What kind of failure it is: `assertion`, `timeout`… */
  kind?: string
  /** The reason for the outcome, on one line. */
  reason?: string
  /** The first message of the conversation, on one line. */
  opening?: string
  /** It passed although its author expects it to fail. */
  unexpectedPass?: true
  flaky?: true
  unchecked?: true
  /** It failed and was retried: an attempt that no longer counts. */
  retrying?: true
  /** A script test; others are conversations. */
  script?: true
  turns: number
  durationMs: number
  /** In US dollars; absent when unknown. */
  cost?: number
  tokens?: number
}

/** A whole result, as the journal has it. */
export type PageResult = ResultLine

export function pageRow(result: CaseResult): PageRow {
  const { key, view, status, usage, flaky, unchecked, script, origin } = result
  const [first] = view.turns
  return {
    ...key,
    outcome: shownOutcome(result),
    turns: view.turns.length,
    durationMs: Math.round(result.durationMs),
    ...defined({
      origin,
      name: result.name,
      tags: emptyToUndefined(result.tags),
      kind: result.failure?.kind,
      reason: oneLine(describeReason(result), 300) || undefined,
      opening: first && (oneLine(messageText(first.input.message.content), 160) || undefined),
      unexpectedPass: (status === 'passed' && result.expectedFailure !== undefined) || undefined,
      flaky: flaky || undefined,
      unchecked: unchecked || undefined,
      retrying: result.retrying || undefined,
      script: script && true,
      cost: totalCost(usage),
      tokens: totalTokens(usage),
    }),
  }
}
