import { type CarryDecision, type Carrying, decideCarrying } from '../../analysis/history/carried.ts'
import { readFingerprintParts, wholeParts } from '../../analysis/history/fingerprint-parts.ts'
import { type History, historyPath, readHistory } from '../../analysis/history/read.ts'
import type { CaseList } from '../../cases/case-list.ts'
import type { CaseEntry } from '../../cases/entry.ts'
import { errorMessage } from '../../errors.ts'
import { redactKey } from '../../privacy/redact.ts'
import type { Project } from '../../project/project.ts'
import type { CarriedOver } from '../../results/carried-over.ts'
import { anyRun } from '../../results/key.ts'
import { ResultPlan } from '../../results/planned-results.ts'
import { leastRuns } from '../../results/statistics/sequential.ts'
import { entryVariants, type IsWanted } from '../../run/jobs.ts'
import type { Resumed } from '../../run/run.ts'
import { pluralize } from '../../text/counted.ts'
import type { CommandStart } from '../command-start.ts'
import type { CaseFingerprints } from '../fingerprint/case-fingerprints.ts'
import { shownPath } from '../outputs/targets.ts'
import type { Terminal } from '../terminal-contract.ts'
import type { SelectedCases } from './cases.ts'
import { warnOfUnreadable } from './history.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

/** What `--changed` makes of the selected cases. */
export interface Carried {
  /** Those that run with at least one variant. */
  cases: CaseList
  isWanted: IsWanted
  carriedOver: CarriedOver[]
  /** Why a case runs, with each of its variants that run. */
  reasonsOf(entry: CaseEntry): string[]
}

interface CarriedNeeds extends Pick<CommandStart, 'warn'> {
  settings: Settings
  project: Project
  secrets: Secrets
  selected: SelectedCases
  variants: Variants
  fingerprints: CaseFingerprints | undefined
  resumed: Resumed | undefined
  terminal: Pick<Terminal, 'note'>
}

/** Undefined without `--changed`. */
export const carriedPhase = { name: 'carried', open: openCarried } as const

async function openCarried(needs: CarriedNeeds): Promise<Carried | undefined> {
  const { settings, secrets, selected, fingerprints, resumed } = needs
  if (settings.changed !== true) return undefined
  const redact = secrets.redact()
  const carrying = await openCarrying(needs)
  const variants = [...needs.variants.keys()]
  const decide = (entry: CaseEntry, variant: string): CarryDecision => {
    if (fingerprints === undefined) return { reason: 'it is in no file' }
    // A case that the interrupted run has begun is finished in its file.
    if (isWritten(resumed, redactKey(keyOf(entry, variant), redact), settings.runs))
      return { reason: 'the resumed run has begun it' }
    return decideCarrying(entry, variant, carrying)
  }
  const reasons = new Map<string, number>()
  const carriedOver: CarriedOver[] = []
  const carried = new ResultPlan()
  const isWanted: IsWanted = (entry, variant) =>
    !carried.has(anyRun(redactKey(keyOf(entry, variant), redact)))
  const cases = selected.cases.filter((entry) => {
    let runs = false
    for (const variant of entryVariants(entry, variants)) {
      const decision = decide(entry, variant)
      if ('since' in decision) {
        const key = redactKey(keyOf(entry, variant), redact)
        carried.set(anyRun(key), entry.hash)
        carriedOver.push([key.file, key.id, key.variant, decision.since])
        continue
      }
      runs = true
      reasons.set(decision.reason, (reasons.get(decision.reason) ?? 0) + 1)
    }
    return runs
  })
  const reasonsOf = (entry: CaseEntry) => [
    ...new Set(
      entryVariants(entry, variants).flatMap((variant) => {
        const decision = decide(entry, variant)
        return 'reason' in decision ? decision.reason : []
      }),
    ),
  ]
  if (!settings.list)
    for (const line of settings.verbose ? listReasons(cases, reasonsOf) : countReasons(reasons))
      needs.terminal.note(redact(line))
  return {
    cases,
    isWanted,
    carriedOver,
    reasonsOf,
  }
}

/** More would hide what follows. */
const mostReasons = 10

/** Why cases run, the most frequent reason first. */
function countReasons(reasons: ReadonlyMap<string, number>): string[] {
  const sorted = [...reasons].sort(([, one], [, other]) => other - one)
  const lines = sorted.slice(0, mostReasons).map(([reason, count]) => `Runs ${count}: ${reason}`)
  const more = sorted.slice(mostReasons)
  if (more.length === 0) return lines
  const rest = more.reduce((sum, [, count]) => sum + count, 0)
  return [...lines, `Runs ${rest} for ${pluralize(more.length, 'other reason')} (-v lists them)`]
}

function* listReasons(cases: CaseList, reasonsOf: (entry: CaseEntry) => string[]): Generator<string> {
  for (const entry of cases) yield `Runs ${entry.id}: ${reasonsOf(entry).join('; ')}`
}

async function openCarrying({
  settings: { runs, gates: { case: gate, confidence } = {} },
  project,
  secrets,
  fingerprints,
  warn,
}: CarriedNeeds): Promise<Carrying> {
  const path = historyPath(project.root)
  let known: ReturnType<typeof readFingerprintParts> | undefined
  return {
    history: await openHistory(path, shownPath(project, path), warn),
    redact: secrets.redact(),
    // Passes alone decide after as many runs.
    runs: gate === undefined || confidence === undefined ? runs : leastRuns({ gate, confidence }).reached,
    sight: (entry, variant) => fingerprints?.of(entry, variant) ?? { unseen: 'it is in no file', names: [] },
    earlierParts(hash) {
      known ??= readFingerprintParts(path)
      return wholeParts(known, hash)
    },
  }
}

/** Without a history that can be read, all cases run. */
async function openHistory(
  path: string,
  shown: string,
  warn: (text: string) => void,
): Promise<History | undefined> {
  try {
    const history = await readHistory(path)
    warnOfUnreadable(history, shown, warn)
    return history
  } catch (error) {
    warn(`${errorMessage(error).replaceAll(path, shown)}, so all cases run`)
    return undefined
  }
}

function keyOf({ file, id }: CaseEntry, variant: string) {
  return { file, id, variant, run: 1, attempt: 1 }
}

function isWritten(resumed: Resumed | undefined, key: ReturnType<typeof keyOf>, runs: number): boolean {
  if (resumed === undefined) return false
  for (let run = 1; run <= runs; run++) if (resumed.written.hash({ ...key, run }) !== undefined) return true
  return false
}
