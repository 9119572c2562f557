import { hash } from 'node:crypto'
import { errorMessage, InfrastructureError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { sortedJson } from '../../json/json.ts'
import { formatZonedTime, parseZonedTime, type ZonedTime, zonedNow } from '../../text/zoned-time.ts'
import { errorToData } from '../error-data.ts'
import type {
  FoundCall,
  KeepCall,
  KeptPlay,
  Layer,
  PlayEnd,
  PlayTape,
  RecordedCall,
  ReplayRules,
  SeenCall,
  TapeCall,
  TapeData,
} from '../tape.ts'
import { callToLine, roundTime } from './line.ts'
import { describeMissing, describeSkipped, describeStale, notRecordedError } from './not-recorded.ts'

/** Takes secrets out of a call. */
export type RedactCall = <Call extends TapeCall | RecordedCall>(call: Call) => Call

/** The tape of one play, in memory: it answers calls from an earlier play, and keeps those that go out. */
export class MemoryTape implements PlayTape {
  readonly isOffline: boolean
  readonly data: TapeData
  readonly #redact: RedactCall
  /** Recorded calls that were not taken yet, in their order. */
  readonly #left: Set<FoundCall>
  readonly #places = new Map<string, { calls: FoundCall[]; next: number }>()
  /** In the order in which they were made; as JSON, because answers may change after they were given. */
  readonly #calls: (string | undefined)[] = []
  readonly #kept: Omit<KeptPlay, 'calls'> = { times: [], replies: [], missing: [] }
  #timesShown = 0
  /** Where the calls are answered that another side remembers, by the name of that side. */
  readonly #answeredBy = new Map<string, 'recording' | 'live'>()
  /** Where the calls were answered that may have changed something. */
  readonly #changed = { inRecording: false, live: false }
  readonly #onClose: (end: PlayEnd) => void

  constructor(data: TapeData, redact: RedactCall, onClose: (end: PlayEnd) => void = () => {}) {
    this.data = data
    this.#onClose = onClose
    this.isOffline = data.rules?.live.length === 0 && data.rules.missing === 'error'
    this.#redact = redact
    const calls = data.recorded?.calls ?? []
    this.#left = new Set(calls)
    for (const call of calls) {
      const place = placeName(call.name, call.sees)
      const same = this.#places.get(place)
      if (same) same.calls.push(call)
      else this.#places.set(place, { calls: [call], next: 0 })
    }
  }

  take(asked: TapeCall): RecordedCall | KeepCall | undefined {
    const { rules, keeps } = this.data
    const call = fingerprintSight(this.#redact(asked))
    const name = callName(call)
    const keep = () => this.#keep(name, call.sees)
    const goOut = () => {
      if (mayChange(call)) this.#changed.live = true
      return keeps === 'all' ? keep() : undefined
    }
    if (rules === undefined) return goOut()
    // What was done according to the recording can be seen nowhere else.
    const isBound = call.observes && this.#changed.inRecording
    if (rules.live.includes(asked.layer) && !isBound) return goOut()
    const before = call.continues && this.#answeredBy.get(call.continues)
    const found = before === 'live' ? undefined : this.#find(call, name, rules)
    if (found !== undefined) {
      for (const side of [call.continues ?? [], found.innerContinues ?? []].flat())
        this.#answeredBy.set(side, 'recording')
      if (mayChange(call)) this.#changed.inRecording = true
      if (keeps === 'all') this.#calls.push(JSON.stringify(callToLine(asAsked(found, call), name)))
      return found
    }
    if (isBound) throw this.#missing(call, name)
    // Code that is given something new is run again: that costs nothing.
    if (rules.live.length > 0 && call.isCode) return goOut()
    if (rules.missing === 'error' || before === 'recording') throw this.#missing(call, name)
    if (call.continues) this.#answeredBy.set(call.continues, 'live')
    if (mayChange(call)) this.#changed.live = true
    return keeps === 'none' ? undefined : keep()
  }

  /** The recorded call with the same request, after the same calls. */
  #find(call: SeenCall, name: string, { live }: ReplayRules): FoundCall | undefined {
    const found =
      this.#findExact(call, name) ?? (this.#isAnsweredInTurn(call, live) ? this.#next(call) : undefined)
    // What is live within the user's code is reached only by running it.
    if (found === undefined || (call.isCode && found.inner?.some((layer) => live.includes(layer))))
      return undefined
    if ((call.observes && this.#changed.live) || this.#findSkipped(call, found) !== undefined)
      return undefined
    if (found.innerContinues?.some((side) => this.#answeredBy.get(side) === 'live')) return undefined
    this.#left.delete(found)
    for (const inner of found.innerNames ?? []) this.#drop(inner)
    return found
  }

  #findExact({ sees }: SeenCall, name: string): FoundCall | undefined {
    return this.#nextAt(placeName(name, sees)) ?? this.#nextAt(placeName(name))
  }

  /** A call that had ended when this one was recorded, may have changed its answer, and was not made now. */
  #findSkipped({ observes, follows }: SeenCall, found: FoundCall): FoundCall | undefined {
    if (observes === undefined && follows === undefined) return undefined
    for (const each of this.#left) {
      if (each === found) return undefined
      const isBefore = each.startedMs + each.durationMs <= found.startedMs + roundingMs
      if (isBefore && (observes ? mayChange(each) : each.follows === follows)) return each
    }
    return undefined
  }

  /** A call that is not made again, because the code around it is not run. */
  #drop(name: string): void {
    const call = this.#nextAt(name)
    if (call !== undefined) this.#left.delete(call)
  }

  nameOf(call: TapeCall): string {
    const seen = fingerprintSight(this.#redact(call))
    return placeName(callName(seen), seen.sees)
  }

  /** The first call of this name that was not taken yet. */
  #nextAt(name: string): FoundCall | undefined {
    const place = this.#places.get(name)
    if (place === undefined) return undefined
    let call = place.calls[place.next]
    while (call !== undefined && !this.#left.has(call)) {
      place.next += 1
      call = place.calls[place.next]
    }
    return call
  }

  /**
   * When something else is live, the user says the same whatever the agent says. When nothing is, what was prepared for
   * the recorded run is prepared for a part of it, too.
   */
  #isAnsweredInTurn({ layer }: TapeCall, live: readonly Layer[]): boolean {
    if (layer === 'simulator') return live.length > 0
    return layer === 'script' && this.isOffline && this.data.isAroundRun === true
  }

  /** The next recorded call of the same kind. Code that was changed is not the same. */
  #next({ layer, target, depends }: TapeCall): FoundCall | undefined {
    for (const each of this.#left) {
      const isSame = layer !== 'script' || each.depends === depends
      if (each.layer === layer && each.target === target && isSame) return each
    }
    return undefined
  }

  #missing(call: SeenCall, name: string): Error {
    const { rules, recorded } = this.data
    const reason = this.#describeOrder(call, name) ?? describeMissing(call, recorded?.calls ?? [], this.#left)
    const other = call.continues ?? 'what it looks at'
    const rest =
      rules?.missing === 'live'
        ? `, and ${other} does not know the calls before it: record the case again`
        : ''
    const difference = `${reason}${rest}`
    this.#kept.missing.push(difference)
    return notRecordedError(difference)
  }

  #describeOrder(call: SeenCall, name: string): string | undefined {
    const found = this.#findExact(call, name)
    if (found === undefined) return undefined
    const skipped = this.#findSkipped(call, found)
    if (skipped !== undefined) return describeSkipped(call, skipped)
    return call.observes && this.#changed.live ? describeStale(call) : undefined
  }

  #keep(name: string, sees: string | undefined): KeepCall {
    const place = this.#calls.push(undefined) - 1
    const toJson = (call: RecordedCall) =>
      JSON.stringify(callToLine({ ...this.#redact(call), ...defined({ sees }) }, name))
    return (call) => {
      try {
        this.#calls[place] = toJson(call)
      } catch (error) {
        this.#calls[place] = toJson(withoutAnswer(call, error))
      }
    }
  }

  session(id: string): string {
    this.#kept.sessionId = this.data.recorded?.sessionId ?? id
    return this.#kept.sessionId
  }

  now(): ZonedTime {
    const recorded = this.data.recorded?.times[this.#timesShown]
    const shown = recorded === undefined ? zonedNow() : parseZonedTime(recorded)
    this.#timesShown += 1
    this.#kept.times.push(formatZonedTime(shown))
    return shown
  }

  reply(measuredMs: number, isLive: boolean): number {
    const { replies } = this.#kept
    const recorded = isLive ? undefined : this.data.recorded?.replies?.[replies.length]
    const ms = recorded ?? roundTime(measuredMs)
    replies.push(ms)
    return ms
  }

  close({ isComplete, kept = this.kept() }: { isComplete: boolean; kept?: KeptPlay | undefined }): void {
    this.#onClose({ isComplete, kept })
  }

  kept(): KeptPlay {
    return { ...this.#kept, calls: this.#calls.filter((json) => json !== undefined) }
  }
}

/** Recorded times are rounded. */
const roundingMs = 0.02

/** Whether a check that looks at what was done may find something else after it. */
function mayChange({
  layer,
  follows,
  onlyReads,
}: Pick<TapeCall, 'layer' | 'follows' | 'onlyReads'>): boolean {
  return !onlyReads && (layer === 'agent' || follows !== undefined)
}

/** A recorded call under the request that it answers now: a simulated user may have been asked something else then. */
function asAsked({ depends: _, ...found }: FoundCall, { request, depends, sees }: SeenCall): RecordedCall {
  return { ...found, request, ...defined({ depends, sees }) }
}

/** An answer that is no plain JSON is one for the case, but not for the recording: a replay cannot give it again. */
function withoutAnswer(call: RecordedCall, error: unknown): RecordedCall {
  const { response: _response, effects: _effects, ...rest } = call
  const message = `the answer of ${call.target} could not be recorded: ${errorMessage(error)}`
  return { ...rest, error: errorToData(new InfrastructureError('not_recorded', message)) }
}

/** Secrets were taken out of what is seen, as of the request. */
function fingerprintSight({ sees, ...call }: TapeCall): SeenCall {
  return sees === undefined ? call : { ...call, sees: hash('sha256', sortedJson(sees)).slice(0, 16) }
}

/** Recordings of earlier versions do not say what the other side could see: such a call is answered whatever that is now. */
function placeName(name: string, sees?: string): string {
  return sees === undefined ? name : `${name} ${sees}`
}

/** Calls with the same request have the same name, whatever the order of keys in it. */
function callName({ layer, target, request, depends }: TapeCall): string {
  return hash('sha256', sortedJson([layer, target, request, depends])).slice(0, 24)
}
