import { randomInt } from 'node:crypto'
import { lastFailed } from '../../analysis/history/last-failed.ts'
import { orderJobs } from '../../analysis/history/order.ts'
import { type History, historyPath, readHistory } from '../../analysis/history/read.ts'
import { usualTimes } from '../../analysis/history/usual-times.ts'
import type { CaseList } from '../../cases/case-list.ts'
import { type Division, divideByHash, divideByTime } from '../../cases/divide.ts'
import type { Selection } from '../../cases/select.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import { ResultPlan } from '../../results/planned-results.ts'
import type { ShardChoice } from '../../results/shard.ts'
import type { Resumed, RunOptions } from '../../run/run.ts'
import type { CommandStart } from '../command-start.ts'
import { shownPath } from '../outputs/targets.ts'
import { warnOfUnreadable } from './history.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

/** Which cases are played, and which of them start first. */
export interface Chosen {
  selection: Selection
  order?: NonNullable<RunOptions['order']>
  shard?: ShardChoice & { divide(entries: CaseList): Division }
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

/** `--run`, `--tag`, `--last-failed`, `--order` and `--shard`. */
export const chosenPhase = { name: 'chosen', open: chooseCases } as const

async function chooseCases({
  settings: { selection, lastFailed: onlyFailed, order, shard, seed = randomInt(2 ** 31) },
  project,
  secrets: { redact },
  variants,
  resumed,
  terminal,
  warn,
}: ChosenNeeds): Promise<Chosen> {
  const isAsked = onlyFailed || (order !== undefined && order !== 'random') || shard?.by === 'time'
  const history = isAsked ? await openHistory(project, warn) : undefined
  if (order === 'random') terminal.note(`Order: random (--seed ${seed} gives it again)`)
  const finished = resumed?.finished ?? new ResultPlan()
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
      shard: shard && {
        ...shard,
        divide: (entries: CaseList) =>
          shard.by === 'hash'
            ? divideByHash(shard.of)
            : divideByTime(entries, shard.of, usualTimes(history, all, redact())),
      },
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
