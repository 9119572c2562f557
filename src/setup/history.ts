import { randomInt } from 'node:crypto'
import { lastFailed } from '../analysis/history/last-failed.ts'
import { orderJobs } from '../analysis/history/order.ts'
import { type History, historyPath, readHistory } from '../analysis/history/read.ts'
import { createHistoryRecorder, type HistoryRecorder } from '../analysis/history/record.ts'
import type { Selection } from '../cases/select.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { defined } from '../json/defined.ts'
import type { Redactor } from '../privacy/redact.ts'
import type { Project } from '../project/project.ts'
import type { Resumed, RunOptions } from '../run/run.ts'
import { pluralize } from '../text/counted.ts'
import { shownPath } from './outputs.ts'
import type { CommandStart } from './project.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

/** Which cases are played, and which of them start first. */
export interface Chosen {
  selection: Selection
  order?: NonNullable<RunOptions['order']>
}

interface ChosenNeeds extends Pick<CommandStart, 'warn'> {
  settings: Settings
  project: Project
  secrets: Secrets
  /** Undefined where nobody is named or found, as a list allows. */
  variants: Variants | undefined
  resumed: Resumed | undefined
  terminal: { note(line: string): void }
}

/** `--run`, `--tag`, `--last-failed` and `--order`. */
export const chosenPhase = { name: 'chosen', open: chooseCases } as const

async function chooseCases({
  settings: { selection, lastFailed: onlyFailed, order, seed = randomInt(2 ** 31) },
  project,
  secrets: { redact },
  variants,
  resumed,
  terminal,
  warn,
}: ChosenNeeds): Promise<Chosen> {
  const isAsked = onlyFailed || (order !== undefined && order !== 'random')
  const history = isAsked ? await openHistory(project, warn) : undefined
  if (order === 'random') terminal.note(`Order: random (--seed ${seed} gives it again)`)
  const finished = resumed?.finished ?? new Map()
  // Read more than once.
  const all = variants && [...variants.keys()]
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

async function openHistory(project: Project, warn: (text: string) => void): Promise<History | undefined> {
  const path = historyPath(project.root)
  const history = await readHistory(path)
  warnOfUnreadable(history, shownPath(project, path), warn)
  return history
}

/** Once, however many there are. */
export function warnOfUnreadable(
  history: History | undefined,
  path: string,
  warn: (text: string) => void,
): void {
  const count = history?.unreadable ?? 0
  if (count === 0) return
  const lines = pluralize(count, 'line that cannot be read is', 'lines that cannot be read are')
  warn(`${path}: ${lines} left out`)
}

interface RecorderNeeds extends Pick<CommandStart, 'warn'> {
  project: Project
  inputs: readonly DetectedInput[]
  secrets: Secrets
}

/** Keeps the results of cases in files, which are found again by their names. */
export const historyPhase = {
  name: 'history',
  open({ project, inputs, secrets, warn }: RecorderNeeds): HistoryRecorder {
    const path = historyPath(project.root)
    return createHistoryRecorder({
      path,
      isFile: (file) => isCaseFile(file, inputs, secrets.redact()),
      warn: (text) => warn(text.replaceAll(path, shownPath(project, path))),
    })
  },
  close: (recorder: HistoryRecorder) => recorder.write(),
} as const

/** Whether cases of that name stand in a file, where they are found again: not on stdin, in a message or a generator. */
export function isCaseFile(file: string, inputs: readonly DetectedInput[], redact: Redactor): boolean {
  const generators = inputs.flatMap(({ kind, shown }) => (kind === 'generator' ? [shown] : []))
  return !['', '-', ...redact(generators)].includes(file)
}
