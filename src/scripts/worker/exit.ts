import { CallCrash } from './call-crash.ts'
import type { RunningCall } from './running-call.ts'

/** Ends only the call that calls `process.exit`, not the worker with its neighbours. It still never returns. */
export function containExit(
  owningCall: () => RunningCall | undefined,
  end: (call: RunningCall, crash: CallCrash) => void,
): void {
  const exit = process.exit.bind(process)
  process.exit = (code = process.exitCode ?? 0) => {
    const call = owningCall()
    if (call === undefined) return exit(code)
    const crash = new CallCrash({ ended: 'worker', message: `process.exit(${code}) was called` })
    end(call, crash)
    throw crash
  }
}
