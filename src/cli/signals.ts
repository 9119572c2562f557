import { InterruptedError } from '../errors.ts'

export interface Signals {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
  signal: AbortSignal
  exitCode(): number | undefined
  stop(): void
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export function listenForSignals(): Signals {
  const controller = new AbortController()
  let exitCode: number | undefined
  const receive = (name: NodeJS.Signals) => {
    const code = exitCodes[name as keyof typeof exitCodes]
    if (exitCode !== undefined) process.exit(code)
    exitCode = code
    controller.abort(new InterruptedError(`interrupted by ${name}`, code))
  }
  for (const name of Object.keys(exitCodes)) process.on(name, receive)
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    stop() {
      for (const name of Object.keys(exitCodes)) process.off(name, receive)
    },
  }
}
