import { defined, orUndefined } from '../json/defined.ts'
import type { ResultLine } from '../results/line-schema.ts'
import type { CaseResult } from '../results/result.ts'
import type { StartLine, SummaryLine } from '../results/run-line-schema.ts'
import { textOf } from '../results/transcript/message.ts'
import { totalCost } from '../results/usage.ts'
import { oneLine } from './printable.ts'
import { reasonOf, type ShownOutcome, shownOutcome } from './shown-result.ts'

/** What blocks of the file hold; see `html-report.ts`. */
export type BlockKind = 'run' | 'rows' | 'results'

/** The element at the end of the file, which says how many blocks stand before it. */
export const endMark = 'viva-end'

/** What the page knows of a run when it opens. */
export interface PageRun {
  start: StartLine
  summary: SummaryLine
}

/** What the page knows of a result before it is opened: enough for the table, its filters and the charts. */
export interface PageRow {
  file: string
  id: string
  variant: string
  run: number
  attempt: number
  name?: string
  tags?: string[]
  outcome: ShownOutcome
  /** What kind of failure it is: `assertion`, `timeout`… */
  kind?: string
  /** Why it is what it is, on one line. */
  reason?: string
  /** How the conversation begins, on one line. */
  opening?: string
  /** It passed, though its author expects it to fail. */
  unexpectedPass?: true
  flaky?: true
  unchecked?: true
  /** It failed, and was played once more: an attempt that no longer counts. */
  retrying?: true
  /** A script test; others are conversations. */
  script?: true
  turns: number
  durationMs: number
  /** In US dollars; absent when it is not known. */
  cost?: number
  tokens?: number
}

/** All of a result, when it is opened: as it stands in the journal. */
export type PageResult = ResultLine

export function pageRow(result: CaseResult): PageRow {
  const { key, view, status, usage, flaky, unchecked, script } = result
  const [first] = view.turns
  const counts = Object.values(usage).flatMap(({ inputTokens, outputTokens }) => [
    ...(inputTokens === undefined ? [] : [inputTokens]),
    ...(outputTokens === undefined ? [] : [outputTokens]),
  ])
  return {
    ...key,
    outcome: shownOutcome(result),
    turns: view.turns.length,
    durationMs: Math.round(result.durationMs),
    ...defined({
      name: result.name,
      tags: orUndefined(result.tags),
      kind: result.failure?.kind,
      reason: oneLine(reasonOf(result), 300) || undefined,
      opening: first && (oneLine(textOf(first.input.message.content), 160) || undefined),
      unexpectedPass: (status === 'passed' && result.expectedFailure !== undefined) || undefined,
      flaky: flaky || undefined,
      unchecked: unchecked || undefined,
      retrying: result.retrying || undefined,
      script: script && true,
      cost: totalCost(usage),
      tokens: counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0),
    }),
  }
}
