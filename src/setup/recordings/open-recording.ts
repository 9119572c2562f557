import { ConfigError } from '../../errors.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { oneLine } from '../../reporters/printable.ts'
import { isRecording } from '../../results/written-by-run.ts'
import type { RunPlan } from '../../run/run.ts'
import type { RecordedTool } from '../../scope/recording/line.ts'
import { Recorder } from '../../scope/recording/recorder.ts'
import { SavedRecording } from '../../scope/recording/recording.ts'
import { RunTapes } from '../../scope/recording/tapes.ts'
import type { ReplayRules, Tapes } from '../../scope/tape.ts'
import type { ToolLists } from '../../tools/mcp-server.ts'
import type { OptionNames } from '../option-names.ts'
import { checkRecorded } from './check-plan.ts'

/** Where the calls of a run are kept, and answered from. */
export interface OpenRecording {
  tapes: Tapes
  toolLists: ToolLists
  /** The tools of all servers, as they were recorded. */
  recordedTools(): [string, readonly RecordedTool[]][]
  /** Whether nothing but what the user configured beside the agent goes out. */
  isOffline: boolean
  recorder: Recorder | undefined
  /** Throws `ConfigError` when cases are not in the recording. */
  check(plan: RunPlan): void
  /** What was not in the recording, for the end of the run. What differs may have been said, and goes through `redactLine`. */
  notices(redactLine?: (text: string) => string): string[]
  close(): void
}

export interface RecordingFile {
  path: string
  /** As messages have it. */
  shown: string
}

export interface RecordingOptions {
  record: RecordingFile | undefined
  replay: { file: RecordingFile; rules: ReplayRules } | undefined
  /** An interrupted run goes on in the recording that it began. */
  isResumed: boolean
  redact(): Redactor
  /** The run may stop early, as it did when it was recorded. */
  mayStop?: boolean
  warn(text: string): void
  names: OptionNames
}

export async function openRecording(options: RecordingOptions): Promise<OpenRecording> {
  const { record, replay, isResumed, redact, warn, names, mayStop = false } = options
  const { file, rules } = replay ?? {}
  if (record !== undefined && record.path === file?.path)
    throw new ConfigError({
      code: 'bad_flag',
      message: `${names.record} ${record.shown}: it is the recording that is replayed`,
      hint: `${names.addMissing} adds what is missing to it`,
    })
  const recorder = record && (await openRecorder(record, isResumed))
  const recording = file && (await SavedRecording.open(file.path, file.shown))
  const addTo =
    file && rules?.missing === 'live' ? new Recorder(file.path, file.shown, { isNew: false }) : undefined
  if (recording?.isTorn) warn(`${file?.shown}: the last line is incomplete and is left out`)
  const tapes = new RunTapes({
    replay: recording && rules && { recording, rules },
    record: recorder,
    addTo,
    redactKey: (key) => redactKey(key, redact()),
    redact: (call) => redact()(call),
  })
  const isLive = rules?.live.includes('tools') === true
  return {
    tapes,
    isOffline: rules !== undefined && rules.live.length === 0 && rules.missing === 'error',
    recorder: recorder ?? addTo,
    toolLists: {
      find: (server) => (isLive ? undefined : recording?.tools.get(server)),
      keep: (server, tools) => (recorder ?? addTo)?.writeTools(server, redact()(tools)),
      answersCalls: rules !== undefined && !isLive && rules.missing === 'error',
    },
    recordedTools: () => (isLive ? [] : [...(recording?.tools ?? [])]),
    check(plan) {
      if (recording !== undefined && rules?.missing === 'error')
        checkRecorded(plan, recording, file?.shown ?? '', redact(), names, mayStop)
    },
    notices: (redactLine = (text) => text) =>
      describeMissing(tapes, file?.shown ?? '', names, redactLine).map((line) =>
        oneLine(redact()(line), noticeLength),
      ),
    close: () => recording?.close(),
  }
}

/** A resumed run goes on in its recording, if that can be relied on. */
async function openRecorder({ path, shown }: RecordingFile, isResumed: boolean): Promise<Recorder> {
  const goesOn = isResumed && isRecording(path)
  if (goesOn) (await SavedRecording.open(path, shown)).close()
  return new Recorder(path, shown, { isNew: !goesOn })
}

function describeMissing(
  tapes: RunTapes,
  path: string,
  names: OptionNames,
  redactLine: (text: string) => string,
): string[] {
  const missing = tapes.missing()
  const total = missing.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return []
  const shown = missing
    .slice(0, mostNoticed)
    .map(({ difference, count }) => `${count} × ${redactLine(difference)}`)
  const more = missing.length - shown.length
  const calls = total === 1 ? '1 call is' : `${total} calls are`
  return [
    `${calls} not in ${path}: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    `Let a layer go out again with ${names.live}, or record what is missing with ${names.addMissing}`,
  ]
}

const mostNoticed = 5
const noticeLength = 2000
