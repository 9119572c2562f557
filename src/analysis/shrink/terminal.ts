import type { Inked, Pen } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { spentText } from '../../reporters/spent-text.ts'
import type { Key } from '../../results/key.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import type { UsageByRole } from '../../results/usage.ts'
import { pluralize } from '../../text/counted.ts'
import { formatDollars } from '../../text/dollars.ts'
import { type Draft, measureDraft } from './draft.ts'
import type { ShrinkEstimate } from './estimate.ts'
import type { ReductionName } from './reduction-names.ts'
import type { FailureCount } from './rules.ts'

/** What is to be made smaller, and what that may come to. */
export function startLines(
  { id, run }: Pick<Key, 'id' | 'run'>,
  why: string,
  draft: Draft,
  estimate: ShrinkEstimate,
  pen: Pen,
): Inked[] {
  const { conversations, turns, cost, mostIfFlaky } = estimate
  const costs =
    cost === undefined
      ? 'unknown, because the results file does not say what the case cost'
      : `about ${range(cost, formatDollars)}, by what the recorded case cost`
  const flaky =
    mostIfFlaky === undefined
      ? ''
      : `; up to ${mostIfFlaky.toLocaleString('en-US')} conversations if it is flaky (see --max-cost)`
  return [
    pen.line`► [${oneLine(id)}] ${sizeText(draft)}, ${run === 1 ? '' : `run ${run} `}failed: ${why}`,
    pen.line`  Calls: about ${range(conversations)} conversations, ${range(turns)} turns${flaky}`,
    pen.line`  Cost:  ${costs}`,
  ]
}

function range(
  { least, most }: { least: number; most: number },
  show = (value: number) => value.toLocaleString('en-US'),
): string {
  return show(least) === show(most) ? show(least) : `${show(least)} to ${show(most)}`
}

/** `12 turns with 96 words` */
export function sizeText(draft: Draft): string {
  const { turns, words } = measureDraft(draft)
  return `${pluralize(turns, 'turn')} with ${pluralize(words, 'word')}`
}

/** `14 conversations, 63 turns, $0.12` */
export function effortText(effort: { conversations: number; turns: number; usage: UsageByRole }): string {
  const spent = spentText(effort.usage)
  return [
    pluralize(effort.conversations, 'conversation'),
    pluralize(effort.turns, 'turn'),
    ...(spent === undefined ? [] : [spent]),
  ].join(', ')
}

const sizes: Record<ReductionName, (draft: Draft) => number> = {
  turns: (draft) => measureDraft(draft).turns,
  sentences: (draft) => measureDraft(draft).words,
  words: (draft) => measureDraft(draft).words,
  history: (draft) => measureDraft(draft).history,
  stubs: (draft) => measureDraft(draft).stubs,
}

const units: Record<ReductionName, string> = {
  turns: 'turn',
  sentences: 'word',
  words: 'word',
  history: 'message',
  stubs: 'stub',
}

/** `Turns: 12 → 2 turns`; undefined where nothing of that kind was left out. */
export function reducedText(name: ReductionName, before: Draft, after: Draft): string | undefined {
  const [from, to] = [sizes[name](before), sizes[name](after)]
  if (from === to && name !== 'turns') return undefined
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}:`.padEnd(10)
  return from === to ? `${title} all are needed` : `${title} ${from} → ${pluralize(to, units[name])}`
}

/** Whether it still is the same error is for the reader to judge. */
export function errorNote(recorded: string | undefined, left: string | undefined): string | undefined {
  return recorded === undefined || recorded === left ? undefined : `The recorded error was ${quote(recorded)}`
}

/** Whether it still is the same mistake is for the reader to judge. */
export function replyNote(recorded: Turn | undefined, left: Turn | undefined): string | undefined {
  const [before, now] = [recorded?.reply?.content, left?.reply?.content]
  if (before === undefined || now === undefined || before === now) return undefined
  return `The recorded reply was ${quote(before)}, and now it is ${quote(now)}. If this is another mistake, use --reply with a part of the recorded one`
}

const mostQuoted = 80

function quote(text: string): string {
  return `"${oneLine(text, mostQuoted)}"`
}

/** `5 of 5 runs` */
export function trialsText({ runs, failed }: FailureCount): string {
  return `${failed} of ${pluralize(runs, 'run')}`
}
