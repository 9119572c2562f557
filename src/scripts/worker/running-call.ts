import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateView } from '../protocol/state.ts'

/** The call that a worker is running, seen from inside. */
export interface RunningCall {
  id: number
  /** The file of the script that was called. */
  file: string
  controller: AbortController
  /** What the scripts of the case share; absent when the call belongs to no case. */
  state: StateView | undefined
  isLoading?: boolean
  /** Tells the runner that loading of the user's code begins or ends. */
  tellLoading(isLoading: boolean): void
  print(text: string): void
  /** Resets the limit of its output. */
  renewAllowance(): void
  /** Sends an event to the runner before the result. */
  report(event: object): void
  /** Throws when the test that asks has ended, though the call, which runs many tests, has not. */
  checkAsker?: () => void
  /** Fails the call with an error that nobody awaited. */
  fail(error: unknown): void
  /** How many errors occurred after it had ended. */
  lateErrors?: number
}

/** The call whose code is running: leftovers of an ended call (timers, promises) keep the call they came from. */
export const owner = new AsyncLocalStorage<RunningCall>()

let current: RunningCall | undefined

export function setCurrentCall(call: RunningCall | undefined): void {
  current = call
}

/** A worker runs one call at a time. */
export function currentCall(): RunningCall | undefined {
  return current
}

/** The call that the running code belongs to, even if that call has ended. */
export function owningCall(): RunningCall | undefined {
  return owner.getStore() ?? current
}

/** What an ended call has left behind (timers, promises) must not make requests in the name of the next one. */
export function requestingCall(): RunningCall {
  const asking = owningCall()
  if (asking === undefined) throw new Error('there is no running test or script that could ask for this')
  if (asking !== current) throw new Error('the script that asks for this has ended')
  asking.checkAsker?.()
  return asking
}
