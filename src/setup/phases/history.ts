import { type History, historyPath } from '../../analysis/history/read.ts'
import { createHistoryRecorder, type HistoryRecorder } from '../../analysis/history/record.ts'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { Project } from '../../project/project.ts'
import { pluralize } from '../../text/counted.ts'
import type { CommandStart } from '../command-start.ts'
import type { CaseFingerprints } from '../fingerprint/case-fingerprints.ts'
import { shownPath } from '../outputs/targets.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

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

interface RecorderNeeds extends Pick<CommandStart, 'warn' | 'signal'> {
  project: Project
  settings: Pick<Settings, 'watch' | 'shard'>
  inputs: readonly DetectedInput[]
  secrets: Secrets
  fingerprints: CaseFingerprints | undefined
  startedAt: number
}

/** Keeps the results of cases in files, which are found again by their names. */
export const historyPhase = {
  name: 'history',
  open({
    project,
    settings,
    inputs,
    secrets,
    fingerprints,
    startedAt,
    signal,
    warn,
  }: RecorderNeeds): HistoryRecorder {
    const path = historyPath(project.root)
    return createHistoryRecorder({
      path,
      isFile: (file) => isCaseFile(file, inputs, (name) => secrets.redact()(name)),
      // Whoever edits a file while its cases run has not seen them fail. Shards are recorded when they are merged.
      isDropped: () => (settings.watch === true && signal.aborted) || settings.shard !== undefined,
      fingerprints: () => (fingerprints === undefined ? [] : fingerprints.madeOf(startedAt)),
      warn: (text) => warn(text.replaceAll(path, shownPath(project, path))),
    })
  },
  close: (recorder: HistoryRecorder) => recorder.write(),
} as const

/** Whether cases of that name stand in a file, where they are found again: not on stdin, in a message or a generator. */
export function isCaseFile(file: string, inputs: readonly DetectedInput[], redact: Redactor): boolean {
  if (file === '' || file === '-') return false
  return !inputs.some(({ kind, shown }) => kind === 'generator' && redact(shown) === file)
}
