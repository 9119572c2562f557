import { hash } from 'node:crypto'
import { sortedJson } from '../../json/json.ts'
import { formatZonedTime, parseZonedTime, type ZonedTime, zonedNow } from '../../text/zoned-time.ts'
import type {
  FoundCall,
  KeepCall,
  KeptPlay,
  Layer,
  PlayEnd,
  PlayTape,
  RecordedCall,
  ReplayRules,
  TapeCall,
  TapeData,
} from '../tape.ts'
import { callToLine, roundTime } from './line.ts'
import { describeMissing, notRecordedError } from './not-recorded.ts'

/** Takes secrets out of a call. */
export type RedactCall = <Call extends TapeCall | RecordedCall>(call: Call) => Call

/** The tape of one play, in memory: it answers calls from an earlier play, and keeps those that go out. */
export class MemoryTape implements PlayTape {
  readonly isOffline: boolean
  readonly data: TapeData
  readonly #redact: RedactCall
  /** Recorded calls that were not taken yet, in their order. */
  readonly #left: Set<FoundCall>
  readonly #byName = new Map<string, FoundCall[]>()
  /** In the order in which they were made; as JSON, because answers may change after they were given. */
  readonly #calls: (string | undefined)[] = []
  readonly #kept: Omit<KeptPlay, 'calls'> = { times: [], replies: [], missing: [] }
  #timesShown = 0
  /** Where the calls are answered that another side remembers, by the name of that side. */
  readonly #answeredBy = new Map<string, 'recording' | 'live'>()
  readonly #onClose: (end: PlayEnd) => void

  constructor(data: TapeData, redact: RedactCall, onClose: (end: PlayEnd) => void = () => {}) {
    this.data = data
    this.#onClose = onClose
    this.isOffline = data.rules?.live.length === 0 && data.rules.missing === 'error'
    this.#redact = redact
    const calls = data.recorded?.calls ?? []
    this.#left = new Set(calls)
    for (const call of calls) {
      const same = this.#byName.get(call.name)
      if (same) same.push(call)
      else this.#byName.set(call.name, [call])
    }
  }

  take(asked: TapeCall): RecordedCall | KeepCall | undefined {
    const { rules, keeps } = this.data
    const call = this.#redact(asked)
    const name = callName(call)
    if (rules === undefined || rules.live.includes(asked.layer))
      return keeps === 'all' ? this.#keep(name) : undefined
    const before = call.continues && this.#answeredBy.get(call.continues)
    const found = before === 'live' ? undefined : this.#find(call, name, rules)
    if (found !== undefined) {
      if (call.continues) this.#answeredBy.set(call.continues, 'recording')
      if (keeps === 'all') this.#calls.push(JSON.stringify(callToLine(asAsked(found, call), name)))
      return found
    }
    // Code that is given something new is run again: that costs nothing.
    if (rules.live.length > 0 && call.isCode) return keeps === 'all' ? this.#keep(name) : undefined
    if (rules.missing === 'error' || before === 'recording') throw this.#missing(call)
    if (call.continues) this.#answeredBy.set(call.continues, 'live')
    return keeps === 'none' ? undefined : this.#keep(name)
  }

  /** The recorded call with the same request. */
  #find(call: TapeCall, name: string, { live }: ReplayRules): FoundCall | undefined {
    const exact = this.#byName.get(name)?.find((each) => this.#left.has(each))
    const found = exact ?? (this.#isAnsweredInTurn(call, live) ? this.#next(call) : undefined)
    // What is live within the user's code is reached only by running it.
    if (found === undefined || (call.isCode && found.inner?.some((layer) => live.includes(layer))))
      return undefined
    this.#left.delete(found)
    return found
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

  #missing(call: TapeCall): Error {
    const { rules, recorded } = this.data
    const rest =
      rules?.missing === 'live'
        ? `, and ${call.continues} does not know the calls before it: record the case again`
        : ''
    const difference = `${describeMissing(call, recorded?.calls ?? [], this.#left)}${rest}`
    this.#kept.missing.push(difference)
    return notRecordedError(difference)
  }

  #keep(name: string): KeepCall {
    const place = this.#calls.push(undefined) - 1
    return (call) => {
      this.#calls[place] = JSON.stringify(callToLine(this.#redact(call), name))
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

/** A recorded call under the request that it answers now: a simulated user may have been asked something else then. */
function asAsked(found: FoundCall, { request, depends }: TapeCall): RecordedCall {
  const asked: RecordedCall = { ...found, request }
  if (depends === undefined) delete asked.depends
  else asked.depends = depends
  return asked
}

/** Calls with the same request have the same name, whatever the order of keys in it. */
function callName({ layer, target, request, depends }: TapeCall): string {
  return hash('sha256', sortedJson([layer, target, request, depends])).slice(0, 24)
}
