import type { CrashFailure } from '../protocol/protocol.ts'

/** Ends a call as if its worker had died, while the worker and its other calls go on. */
export class CallCrash extends Error {
  override readonly name = 'CallCrash'
  readonly failure: CrashFailure

  constructor(failure: Omit<CrashFailure, 'kind'>) {
    super(failure.message)
    this.failure = { kind: 'crash', ...failure }
  }
}

/** The call is not to blame, or has to block its thread: it is run again in a worker of its own. */
export function createDisplacement(message: string, { blocks = false } = {}): CallCrash {
  return new CallCrash({ ended: 'shared', message, ...(blocks && { blocks }) })
}
