import type { Key } from '../../results/key.ts'
import type { KeptPlay, PlayTape, ReplayRules, TapeData, Tapes } from '../tape.ts'
import type { PlayLine } from './line.ts'
import type { Recorder } from './recorder.ts'
import type { RecordedPlay, SavedRecording } from './recording.ts'
import { MemoryTape, type RedactCall } from './tape.ts'

export interface TapeSources {
  /** What is answered from, and what may go out all the same. */
  replay?: { recording: SavedRecording; rules: ReplayRules } | undefined
  /** Where all calls are kept. */
  record?: Recorder | undefined
  /** Where calls are kept that were not in the recording. */
  addTo?: Recorder | undefined
  /** As the file has it: without secrets. */
  redactKey(key: Key): Key
  /** Takes out secrets, before requests are compared. */
  redact: RedactCall
}

/** More differences are not counted one by one. */
const mostDifferences = 1000

/** The tapes of a run, and what they did not find. */
export class RunTapes implements Tapes {
  readonly #sources: TapeSources
  readonly #missing = new Map<string, number>()

  constructor(sources: TapeSources) {
    this.#sources = sources
  }

  /** What was not in the recording, and how often, the most frequent first. */
  missing(): { difference: string; count: number }[] {
    const counted = [...this.#missing].map(([difference, count]) => ({ difference, count }))
    return counted.sort((one, other) => other.count - one.count)
  }

  open(key: Key): PlayTape {
    const { replay, redact, redactKey } = this.#sources
    const asked = redactKey(key)
    const recorded = this.#find(asked)
    const data: TapeData = {
      ...(recorded && { recorded: withoutKey(recorded) }),
      ...(replay && { rules: replay.rules }),
      ...(key.variant === '' && { isAroundRun: true }),
      keeps: this.#keeps(),
    }
    return new MemoryTape(data, redact, ({ isComplete, kept }) => {
      for (const difference of kept.missing) this.#countMissing(difference)
      if (isComplete) this.#write(asked, recorded, kept)
    })
  }

  #find(asked: Key): RecordedPlay | undefined {
    const { recording, rules } = this.#sources.replay ?? {}
    const found = recording?.play(asked, { anyAgent: rules?.missing === 'error' })
    if (found !== undefined || asked.attempt === 1 || rules?.missing === 'live') return found
    // With something live, a case may fail that passed then: a further attempt meets what the last recorded one met.
    return rules === undefined ? undefined : this.#find({ ...asked, attempt: asked.attempt - 1 })
  }

  has(key: Key): boolean {
    const { replay, redactKey } = this.#sources
    const isStrict = replay?.rules.missing === 'error' && replay.rules.live.length === 0
    return !isStrict || replay.recording.find(redactKey(key)) !== undefined
  }

  #keeps(): TapeData['keeps'] {
    const { record, addTo } = this.#sources
    return record !== undefined ? 'all' : addTo !== undefined ? 'missing' : 'none'
  }

  #countMissing(difference: string): void {
    const count = this.#missing.get(difference)
    if (count !== undefined || this.#missing.size < mostDifferences)
      this.#missing.set(difference, (count ?? 0) + 1)
  }

  #write(asked: Key, recorded: RecordedPlay | undefined, kept: KeptPlay): void {
    const { record, addTo } = this.#sources
    if (record !== undefined) record.write(playJson(asked, kept, false))
    else if (kept.calls.length === 0) return
    else if (recorded === undefined) addTo?.write(playJson(asked, kept, false))
    else addTo?.write(playJson(recorded.key, withoutTimes(kept, recorded.times.length), true))
  }
}

function withoutKey({ key: _, ...play }: RecordedPlay): Omit<RecordedPlay, 'key'> {
  return play
}

/** Those that are recorded already were shown first. */
function withoutTimes(kept: KeptPlay, recorded: number): KeptPlay {
  return { ...kept, times: kept.times.slice(recorded) }
}

/** The calls are JSON already. `more`: they are added to those that the recording has. */
function playJson(
  { file, id, variant, run, attempt }: Key,
  { sessionId, times, replies, calls }: KeptPlay,
  more: boolean,
): string {
  const head: Omit<PlayLine, 'calls'> = { type: 'play', file, id, variant, run, attempt }
  if (more) head.more = true
  else if (sessionId !== undefined) head.session_id = sessionId
  if (times.length > 0) head.times = times
  if (replies.length > 0) head.reply_ms = replies
  return `${JSON.stringify(head).slice(0, -1)},"calls":[${calls.join(',')}]}`
}
