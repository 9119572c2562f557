import { AsyncLocalStorage } from 'node:async_hooks'
import type { StateView } from '../protocol/state.ts'

/** The call that a worker has been given, seen from inside. */
export interface RunningCall {
  id: number
  /** Of the script that was called. */
  file: string
  controller: AbortController
  /** What the scripts of the case share; absent where the call belongs to no case. */
  state: StateView | undefined
  isLoading?: boolean
  /** Tells the runner that the call loads the user's code, or no longer does. */
  tellLoading(isLoading: boolean): void
  print(text: string): void
  /** It may print as much again. */
  renewAllowance(): void
  /** Tells the runner of something on the way to the result. */
  report(event: object): void
  /** Throws when what asks has ended, though the call has not: one of many tests. */
  checkAsker?: () => void
  /** An error that nobody awaits came up in this call. */
  fail(error: unknown): void
  /** How many came up when it had ended. */
  lateErrors?: number
}

/** Whose code is running: leftovers of an ended call (timers, promises) keep the call they came from. */
export const owner = new AsyncLocalStorage<RunningCall>()

let current: RunningCall | undefined

export function setCurrentCall(call: RunningCall | undefined): void {
  current = call
}

/** A worker has one at a time. */
export function currentCall(): RunningCall | undefined {
  return current
}

/** The call that the code belongs to which runs right now, even if that call has ended. */
export function ownCall(): RunningCall | undefined {
  return owner.getStore() ?? current
}

/** What an ended call has left behind (timers, promises) does not ask in the name of the next one. */
export function askingCall(): RunningCall {
  const asking = ownCall()
  if (asking === undefined) throw new Error('there is no test or script under way that could ask for this')
  if (asking !== current) throw new Error('the script that asks for this has ended')
  asking.checkAsker?.()
  return asking
}
