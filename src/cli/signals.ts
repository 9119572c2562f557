import { InterruptedError, OutputError } from '../errors.ts'
import type { Shell, StopSignal } from '../system/shell.ts'

const exitCodes: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/**
 * Does the work with a signal that the first SIGINT, SIGTERM or SIGHUP aborts; a second one ends the command at once.
 * Returns the exit code of the work, or of the signal.
 */
export async function untilInterrupted(
  shell: Pick<Shell, 'onSignal' | 'exit'>,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController()
  let interrupted: number | undefined
  const stop = shell.onSignal((name) => {
    const code = exitCodes[name]
    if (interrupted !== undefined) return shell.exit(code)
    interrupted = code
    controller.abort(new InterruptedError(`interrupted by ${name}`, code))
  })
  try {
    const exitCode = await work(controller.signal)
    return interrupted ?? exitCode
  } catch (error) {
    // Whoever stops a run still wants to know that its results could not be written.
    if (interrupted === undefined || isAboutOutput(error)) throw error
    return interrupted
  } finally {
    stop()
  }
}

/** Whether an error says that something could not be written. */
export function isAboutOutput(error: unknown): boolean {
  return error instanceof OutputError || (error instanceof AggregateError && error.errors.some(isAboutOutput))
}
