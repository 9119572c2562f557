import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateView } from '../protocol/state.ts'

/** A call that a worker is running, seen from inside. */
export interface RunningCall {
  id: number
  /** The file of the script that was called. */
  file: string
  controller: AbortController
  /** What the scripts of the case share; absent when the call belongs to no case. */
  state: StateView | undefined
  isLoading?: boolean
  /** It has a result; what it left behind (timers, promises) may still run. */
  ended?: boolean
  /** Tells the runner that loading of the user's code begins or ends. */
  tellLoading(isLoading: boolean): void
  print(text: string): void
  /** Resets the limit of its output. */
  renewAllowance(): void
  /** Sends an event to the runner before the result. */
  report(event: object): void
  /** Throws when the test that asks has ended, though the call, which runs many tests, has not. */
  checkAsker?: () => void
  /** Throws when the call must not block its thread, because other calls run there. */
  checkMayBlock?: () => void
  /** Fails the call with an error that nobody awaited. */
  fail(error: unknown): void
  /** How many errors occurred after it had ended. */
  lateErrors?: number
}

/** The call whose code is running: leftovers of an ended call (timers, promises) keep the call they came from. */
export const owner = new AsyncLocalStorage<RunningCall>()

const inFlight = new Map<number, RunningCall>()

export function enterCall(call: RunningCall): void {
  inFlight.set(call.id, call)
}

export function leaveCall(call: RunningCall): void {
  call.ended = true
  inFlight.delete(call.id)
}

/** The calls that have not ended: in a leased worker at most one, in a shared worker many. */
export function callsInFlight(): ReadonlyMap<number, RunningCall> {
  return inFlight
}

/**
 * The call that the running code belongs to, even if that call has ended. Code that no call has started (a timer of the
 * module's top level) belongs to the only call in flight, and to none if there are several.
 */
export function owningCall(): RunningCall | undefined {
  const owning = owner.getStore()
  if (owning !== undefined || inFlight.size !== 1) return owning
  const [only] = inFlight.values()
  return only
}

/** What an ended call has left behind (timers, promises) must not make requests in the name of the next one. */
export function requestingCall(): RunningCall {
  const asking = owningCall()
  if (asking === undefined) throw new Error('there is no running test or script that could ask for this')
  if (asking.ended) throw new Error('the script that asks for this has ended')
  asking.checkAsker?.()
  return asking
}
