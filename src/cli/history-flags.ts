import { randomInt } from 'node:crypto'
import { lastFailed } from '../analysis/history/last-failed.ts'
import { orderJobs } from '../analysis/history/order.ts'
import { type History, historyPath, readHistory } from '../analysis/history/read.ts'
import type { createHistoryRecorder } from '../analysis/history/record.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { defined } from '../json/defined.ts'
import type { Redact } from '../privacy/redact.ts'
import type { Project } from '../project/project.ts'
import type { PlannedResults } from '../results/tally.ts'
import type { RunOptions } from '../run/run.ts'
import { counted } from '../text/counted.ts'
import { shownPath } from './outputs.ts'
import { printWarning } from './print-error.ts'
import type { Settings } from './settings.ts'

interface Played {
  /** Undefined where nobody is named or found, as a list allows. */
  variants: Iterable<string> | undefined
  redact(): Redact
  finished?: PlannedResults
  print(line: string): void
}

/** `--last-failed` and `--order`: which cases are played, and which of them begin. */
export async function withHistory(
  { selection, lastFailed: onlyFailed, order, seed = randomInt(2 ** 31) }: Settings,
  project: Project,
  { variants, redact, finished = new Map(), print }: Played,
): Promise<Pick<RunOptions, 'selection' | 'order'>> {
  const isAsked = onlyFailed || (order !== undefined && order !== 'random')
  const history = isAsked ? await openHistory(project) : undefined
  if (order === 'random') print(`  Order: random (--seed ${seed} gives it again)`)
  // Read more than once.
  const all = variants && [...variants]
  return {
    selection: {
      ...selection,
      ...(onlyFailed && {
        narrow: (entries) => lastFailed(entries, { history, variants: all, redact: redact(), finished }),
      }),
    },
    ...defined({
      order: order && ((jobs: Jobs) => orderJobs(jobs, order, { history, seed, redact: redact() })),
    }),
  }
}

type Jobs = Parameters<typeof orderJobs>[0]

async function openHistory(project: Project): Promise<History | undefined> {
  const path = historyPath(project.root)
  const history = await readHistory(path)
  warnOfUnreadable(history, shownPath(project, path))
  return history
}

/** Once, however many there are. */
export function warnOfUnreadable(history: History | undefined, path: string): void {
  const count = history?.unreadable ?? 0
  if (count === 0) return
  const lines = counted(count, 'line that cannot be read is', 'lines that cannot be read are')
  printWarning(`${path}: ${lines} left out`)
}

/** What is kept of a run: cases of files, which are found again by their names. */
export function recordingOf(
  project: Project,
  inputs: readonly DetectedInput[],
  redact: () => Redact,
): Parameters<typeof createHistoryRecorder>[0] {
  const path = historyPath(project.root)
  return {
    path,
    isFile: (file) => isCaseFile(file, inputs, redact()),
    warn: (text) => printWarning(text.replaceAll(path, shownPath(project, path))),
  }
}

/** Whether cases of that name stand in a file, where they are found again: not on stdin, in a message or a generator. */
export function isCaseFile(file: string, inputs: readonly DetectedInput[], redact: Redact): boolean {
  const generators = inputs.flatMap(({ kind, shown }) => (kind === 'generator' ? [shown] : []))
  return !['', '-', ...redact(generators)].includes(file)
}
