import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { assumeVariables } from '../../project/app/env.ts'
import type { Project } from '../../project/project.ts'
import type { RunPlan } from '../../run/run.ts'
import type { Recorder } from '../../scope/recording/recorder.ts'
import { resolveLinks } from '../../system/resolve-links.ts'
import type { CommandStart } from '../command-start.ts'
import { flagNames } from '../option-names.ts'
import { checkWritable, shownPath } from '../outputs/targets.ts'
import { type OpenRecording, openRecording, type RecordingFile } from '../recordings/open-recording.ts'
import { isPrivate } from './privacy.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

interface RecordingNeeds extends CommandStart {
  settings: Settings
  project: Project
  secrets: Secrets
}

/** `--record` and `--replay`. */
export const recordingPhase = {
  name: 'recording',
  open: openFromFlags,
  close: (recording: OpenRecording | undefined) => recording?.close(),
} as const

async function openFromFlags({
  settings,
  project,
  secrets,
  shell: { cwd },
  warn,
}: RecordingNeeds): Promise<OpenRecording | undefined> {
  const { record, replay, resume } = settings
  if (record === undefined && replay === undefined) return undefined
  refusePrivate(settings)
  const located = (file: string) => {
    const path = resolve(cwd, file)
    return { path, shown: shownPath(project, path) || '.' }
  }
  if (record !== undefined) refuseOutput(located(record), settings.outputs, cwd)
  const recording = await openRecording({
    record: record === undefined ? undefined : located(record),
    replay: replay && { file: located(replay.file), rules: replay },
    isResumed: resume !== undefined,
    redact: secrets.redact,
    mayStop: settings.failFast,
    warn,
    names: flagNames,
  })
  if (recording.isOffline) assumeVariables(project.env)
  return recording
}

function refuseOutput({ path, shown }: RecordingFile, outputs: readonly string[], cwd: string): void {
  const place = resolveLinks(path)
  if (outputs.some((output) => resolveLinks(resolve(cwd, output)) === place))
    throw new ConfigError({ code: 'bad_flag', message: `-o and --record are the same file: ${shown}` })
}

/** What is kept must be what was said, because further requests are compared with it. */
function refusePrivate(settings: Settings): void {
  const { record, replay, transcripts } = settings
  const flag =
    record !== undefined ? '--record' : replay?.missing === 'live' ? '--replay-missing live' : undefined
  if (flag === undefined || !isPrivate(settings)) return
  const other = transcripts
    ? '--mask (or `masks` in the config)'
    : '--no-transcripts (or `transcripts` in the config)'
  throw new ConfigError({
    code: 'bad_flag',
    message: `${flag} cannot be combined with ${other}: a recording keeps everything that is said, except secrets`,
  })
}

/** That a recording cannot be written is found before anything is started. */
export const writableRecordingPhase = {
  name: 'writableRecording',
  open({ recording }: Pick<CheckedRecordingNeeds, 'recording'>): void {
    if (recording?.recorder !== undefined) checkWritable(recording.recorder.path)
  },
} as const

interface CheckedRecordingNeeds {
  recording: OpenRecording | undefined
  plan: RunPlan
}

/** Cases that were not recorded are found before anything is played. */
export const checkedRecordingPhase = {
  name: 'checkedRecording',
  open: ({ recording, plan }: CheckedRecordingNeeds) => recording?.check(plan),
} as const

/** Nothing is written before everything else is ready. */
export const recorderPhase = {
  name: 'recorder',
  open({ recording }: Pick<CheckedRecordingNeeds, 'recording'>): Recorder | undefined {
    recording?.recorder?.start()
    return recording?.recorder
  },
  close: (recorder: Recorder | undefined) => recorder?.close(),
} as const
