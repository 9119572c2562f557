import type { Readable, Writable } from 'node:stream'
import type { Environment } from './environment.ts'

export type OutputStream = Writable & { isTTY?: boolean; columns?: number }
export type InputStream = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }

/** Everything a command takes from the process it runs in, so that it can also run inside another program. */
export interface Shell {
  readonly cwd: string
  readonly env: Environment
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** How often the progress of a run is printed where there is no terminal; without it, every 30 seconds. */
  readonly logProgressEveryMs?: number
  /** Calls the listener for SIGINT, SIGTERM and SIGHUP until the returned function is called. */
  onSignal(listener: (name: StopSignal) => void): () => void
  /** Ends the command at once. */
  exit(code: number): void
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

const stopSignals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The process itself. */
export function processShell(): Shell {
  const { stdin, stdout, stderr, env } = process
  return {
    cwd: process.cwd(),
    env,
    stdin,
    stdout,
    stderr,
    onSignal(listener) {
      const receive = (name: NodeJS.Signals) => listener(name as StopSignal)
      for (const name of stopSignals) process.on(name, receive)
      return () => {
        for (const name of stopSignals) process.off(name, receive)
      }
    },
    exit: (code) => process.exit(code),
  }
}
