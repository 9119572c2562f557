import type { CaseEntry } from '../../cases/entry.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { caseText } from '../../results/stability.ts'
import { pluralize } from '../../text/counted.ts'
import type { HistoryLine } from './line.ts'
import { historyOutcome } from './outcome.ts'
import type { History } from './read.ts'

/** What viva sees of all that decides the result of a case, besides the case as it is written. */
export type Sight =
  | { hash: string; parts: Readonly<Record<string, string>> }
  /** Why it does not see everything, and the names under `fingerprint` in the config that would make up for it. */
  | { unseen: string; names: readonly string[] }

export interface Carrying {
  history: History | undefined
  redact: Redactor
  /** How many runs of a case must have passed. */
  runs: number
  /** What is known of a case now. */
  sight(entry: CaseEntry, variant: string): Sight
  /** The parts of an earlier fingerprint, if they are known. */
  earlierParts(hash: string): Readonly<Record<string, string>> | undefined
}

/** `since`: its last pass still holds. `reason`: why it must run. */
export type CarryDecision = { since: string } | { reason: string }

/** Whether the last pass of a case with a variant still holds. When in doubt, it runs. */
export function decideCarrying(entry: CaseEntry, variant: string, carrying: Carrying): CarryDecision {
  const { history, redact, sight } = carrying
  const key = redactKey({ file: entry.file, id: entry.id, variant, run: 1, attempt: 1 }, redact)
  const { newest, isDoubtful } = history?.cases.get(caseText(key)) ?? {}
  if (newest === undefined) return { reason: 'never run before' }
  if (isDoubtful) return { reason: 'the history is damaged since its last run' }
  const unfit = whyUnfit(newest, carrying.runs)
  if (unfit !== undefined) return { reason: unfit }
  const now = sight(entry, variant)
  if ('unseen' in now) return { reason: unseenText(now) }
  if (newest.case_hash !== entry.hash) return { reason: 'the case changed' }
  if (entry.unchecked) return { reason: 'it has no checks' }
  if (newest.fingerprint === undefined) return { reason: 'its last pass has no fingerprint' }
  if (newest.fingerprint === now.hash) return { since: newest.time }
  return { reason: changedText(carrying.earlierParts(newest.fingerprint), now.parts) }
}

/** Why a result is no pass that could be carried over. */
function whyUnfit(line: HistoryLine, wanted: number): string | undefined {
  const outcome = historyOutcome(line)
  if (outcome === 'failed') return 'it failed last time'
  if (outcome === 'expected') return 'it failed last time, as expected'
  if (outcome === 'unjudged') return 'it could not be judged last time'
  if (outcome === 'skipped') return 'it was skipped last time'
  if ((line.flaky ?? 0) > 0) return 'it was flaky last time'
  // A gate may allow some runs to fail, or somebody may have edited the file.
  if (line.passed !== line.runs || line.failed > 0 || line.unjudged > 0) return 'not all of its runs passed'
  if (line.runs < wanted) return `it passed ${pluralize(line.runs, 'run')} of ${wanted}`
  return undefined
}

function unseenText({ unseen, names }: Extract<Sight, { unseen: string }>): string {
  const [name] = names
  return name ? `${unseen} (unless the config has "fingerprint": {${JSON.stringify(name)}: […]})` : unseen
}

const mostNamed = 3

/** Which parts are different now. */
function changedText(
  before: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>>,
): string {
  if (before === undefined) return 'something that it depends on changed'
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => before[name] !== now[name])
    .sort()
  if (names.length === 0) return 'something that it depends on changed'
  const shown = names.slice(0, mostNamed).map((name) => describeChange(name, before[name], now[name]))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function describeChange(name: string, before: string | undefined, now: string | undefined): string {
  if (before === undefined) return `${name} is new`
  return now === undefined ? `${name} is gone` : `${name} changed`
}
