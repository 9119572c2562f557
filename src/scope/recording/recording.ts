import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { ConfigError } from '../../errors.ts'
import { parseJson } from '../../json/json.ts'
import { type Key, scriptVariant } from '../../results/key.ts'
import { isRecording } from '../../results/written-by-run.ts'
import { type FileLine, readFileLines } from '../../system/read-lines.ts'
import type { FoundCall } from '../tape.ts'
import {
  callFromLine,
  type HeaderLine,
  type PlayLine,
  playName,
  type RecordedTool,
  recordingVersion,
  unsealLine,
} from './line.ts'

/** One play of a case, as it was recorded. */
export interface RecordedPlay {
  key: Key
  sessionId?: string
  times: string[]
  replies?: number[]
  calls: FoundCall[]
}

export type Range = [start: number, end: number]

/** Where a play is in the file, and the number of the run that has written it, from 0. */
export interface RecordedPlace {
  run: number
  lines: Range[]
}

/** What a later run has recorded of a play replaces what an earlier one has, unless it was added to it. */
export function addPlace(
  places: Map<string, RecordedPlace>,
  play: PlayLine,
  range: Range,
  run: number,
): void {
  const name = playName(play)
  const known = places.get(name)
  if (known !== undefined && (play.more || known.run === run)) known.lines.push(range)
  else places.set(name, { run, lines: [range] })
}

/** A recording that can be read play by play. Only where each play is in the file is kept in memory. */
export class SavedRecording {
  readonly path: string
  readonly header: HeaderLine
  readonly tools = new Map<string, RecordedTool[]>()
  /** Whether the last line is incomplete: the run was killed while it was written. */
  isTorn = false
  readonly #plays = new Map<string, RecordedPlace>()
  /** When each run that has written to it began. */
  readonly #runs: string[]
  readonly #descriptor: number
  #variants: string[] | undefined

  private constructor(path: string, header: HeaderLine, descriptor: number) {
    this.path = path
    this.header = header
    this.#runs = [header.created_at]
    this.#descriptor = descriptor
  }

  /** `shown` is the name of the file in messages. Throws `ConfigError` for a file that cannot be relied on. */
  static async open(path: string, shown: string): Promise<SavedRecording> {
    refuseOtherFiles(path, shown)
    let recording: SavedRecording | undefined
    try {
      for await (const line of readFileLines(path)) {
        if (recording === undefined)
          recording = new SavedRecording(path, readHeader(line, shown), openSync(path, 'r'))
        else recording.#add(line, shown)
      }
    } catch (error) {
      recording?.close()
      throw error
    }
    if (recording === undefined) throw new ConfigError(noRecording(shown))
    return recording
  }

  #add(line: FileLine, shown: string): void {
    if (line.text === '') return
    const read = unsealLine(line.text)
    if (read?.type === 'tools') this.tools.set(read.server, read.tools as RecordedTool[])
    else if (read?.type === 'play') addPlace(this.#plays, read, line.bytes, this.#runs.length - 1)
    else if (read?.type === 'recording') this.#addRun(read, shown)
    else if (line.complete) throw new ConfigError(changedLine(shown, line.number))
    else this.isTorn = true
  }

  #addRun(header: HeaderLine, shown: string): void {
    refuseNewer(header, shown)
    this.#runs.push(header.created_at)
  }

  /** When a play was recorded first, and how many bytes of the file it takes. */
  measure(key: Key): { recordedAt: string; bytes: number } {
    const { run = 0, lines = [] } = this.#plays.get(playName(key)) ?? {}
    const bytes = lines.reduce((sum, [start, end]) => sum + end - start, 0)
    return { recordedAt: this.#runs[run] ?? '', bytes }
  }

  /** The recorded key: what was recorded with one agent only can be replayed with any. */
  find(key: Key, { anyAgent = true } = {}): Key | undefined {
    if (this.#plays.has(playName(key))) return key
    if (!anyAgent) return undefined
    const [only, ...others] = this.variants()
    if (only === undefined || others.length > 0 || key.variant === '') return undefined
    const recorded = { ...key, variant: only }
    return this.#plays.has(playName(recorded)) ? recorded : undefined
  }

  /** The agents that it was recorded with. */
  variants(): string[] {
    this.#variants ??= [...new Set([...this.keys()].map(({ variant }) => variant))].filter(
      (variant) => variant !== '' && variant !== scriptVariant,
    )
    return this.#variants
  }

  /** The keys of all plays, in the order in which they were recorded first. */
  *keys(): Generator<Key> {
    for (const name of this.#plays.keys()) {
      const [file, id, variant, run, attempt] = JSON.parse(name) as [string, string, string, number, number]
      yield { file, id, variant, run, attempt }
    }
  }

  /** The lines of a play, as they are in the file. */
  lines(key: Key): string[] {
    return (this.#plays.get(playName(key))?.lines ?? []).map((range) => this.#read(range))
  }

  play(asked: Key, options?: { anyAgent?: boolean }): RecordedPlay | undefined {
    const key = this.find(asked, options)
    if (key === undefined) return undefined
    const lines = this.lines(key).map((text) => parseJson(text) as unknown as PlayLine)
    const [first] = lines
    if (first === undefined) return undefined
    const replies = lines.findLast(({ reply_ms }) => reply_ms !== undefined)?.reply_ms
    return {
      key,
      ...(first.session_id !== undefined && { sessionId: first.session_id }),
      times: lines.flatMap(({ times = [] }) => times),
      ...(replies && { replies }),
      calls: lines.flatMap(({ calls }) => calls.map(callFromLine)),
    }
  }

  #read([start, end]: Range): string {
    const bytes = Buffer.alloc(end - start)
    readSync(this.#descriptor, bytes, 0, bytes.length, start)
    return bytes.toString('utf8').trimEnd()
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

export function refuseOtherFiles(path: string, shown: string): void {
  if (!existsSync(path)) throw new ConfigError({ code: 'no_such_file', message: `${shown}: no such file` })
  if (!isRecording(path)) throw new ConfigError(noRecording(shown))
}

function noRecording(shown: string) {
  const hint = 'viva test --record FILE makes one'
  return { code: 'bad_recording', message: `${shown} is not a recording of viva`, hint }
}

function readHeader({ text, number }: FileLine, shown: string): HeaderLine {
  // Even of a damaged line, what can be read of its version counts.
  refuseNewer(parseJson(text), shown)
  const read = unsealLine(text)
  if (read?.type !== 'recording') throw new ConfigError(changedLine(shown, number))
  return read
}

export function refuseNewer(header: unknown, shown: string): void {
  const { schema_version: version, viva_version: viva } = (header ?? {}) as Partial<HeaderLine>
  if (typeof version === 'number' && version > recordingVersion)
    throw new ConfigError({
      code: 'newer_recording',
      message: `${shown} was recorded by viva ${String(viva)}, which is newer than this one`,
      hint: 'use that version, or record again',
    })
}

function changedLine(shown: string, line: number) {
  return {
    code: 'changed_recording',
    message: `${shown}:${line} is damaged, or was changed by hand`,
    hint: '`viva recording prune` removes such lines; the plays in them must be recorded again',
  }
}
