import { type ChildProcess, spawn } from 'node:child_process'
import type { Environment } from './environment.ts'
import { eachLine } from './line-reader.ts'
import { killDescendants, Owner } from './owner.ts'

/** How long the last output of a process may take to arrive after it ended. */
const lastOutputMs = 200

export interface ProcessOptions {
  words: readonly string[]
  cwd: string
  env: Environment
  /** Whether it is written to. */
  input: boolean
  /** The process may end and leave a daemon behind, which lives until it is stopped. */
  daemon?: boolean
  onOutput(line: string): void
  onError(line: string): void
}

export interface ProcessEnd {
  code: number | null
  /** `exited with code 1`, `was killed by SIGKILL`, `could not be started: …` */
  how: string
  started: boolean
}

/** A command and all processes that it starts. */
export interface ProcessGroup {
  /** Resolves when the command runs, or when it could not be started. */
  begun: Promise<void>
  /** Resolves, never rejects. */
  ended: Promise<ProcessEnd>
  end(): ProcessEnd | undefined
  write(text: string): void
  endInput(): void
  /** Kills the command and everything it started, at once. */
  kill(): void
  /** Asks the command to end, and kills it when it does not end within that time. */
  stop(graceMs: number): Promise<void>
}

export function startProcess(options: ProcessOptions): ProcessGroup {
  const [command = '', ...args] = options.words
  const owner = new Owner()
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env, ...owner.environment },
    stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // In a group of its own, so that its children can be ended with it, and Ctrl-C reaches it through us.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  eachLine(child.stdout, options.onOutput)
  eachLine(child.stderr, options.onError)
  // It may end while it is written to; that it ended is told elsewhere.
  child.stdin?.on('error', () => {})
  let end: ProcessEnd | undefined
  const ended = waitForEnd(child).then((told) => {
    end = processEnd(told)
    return end
  })
  const begun = Promise.race([
    new Promise<void>((resolve) => child.once('spawn', resolve)),
    ended.then(() => {}),
  ])
  killAtExit(child, ended)
  const kill = () => {
    killGroup(child)
    owner.killOwnedSoon()
  }
  return {
    begun,
    ended,
    end: () => end,
    write: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    kill,
    async stop(graceMs) {
      const until = Date.now() + graceMs
      if (end === undefined) signalGroup(child, 'SIGTERM')
      await endedWithin(ended, graceMs)
      if (options.daemon) await owner.endOwned(until)
      // Even after it has ended: its children may still run.
      kill()
      await ended
      // Children that are still ending must not keep us alive through their open pipes.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    },
  }
}

export async function endedWithin(ended: Promise<ProcessEnd>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  return Promise.race([ended.then(() => true), late]).finally(() => clearTimeout(timer))
}

interface ChildEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** Why it could not be started. */
  problem?: string
}

/** Resolves when the process has ended and said its last words. */
export function waitForEnd(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, problem: message })
    })
    child.once('exit', (code, signal) => {
      const tell = () => resolve({ code, signal })
      // A child of its own may hold its streams open for ever.
      const timer = setTimeout(tell, lastOutputMs)
      child.once('close', () => {
        clearTimeout(timer)
        tell()
      })
    })
  })
}

function processEnd({ code, signal, problem }: ChildEnd): ProcessEnd {
  if (problem !== undefined) return { code, how: `could not be started: ${problem}`, started: false }
  const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`
  return { code, how, started: true }
}

const alive = new Set<ChildProcess>()

/** However viva ends, short of a SIGKILL, nothing that it started stays behind. */
function killAtExit(child: ChildProcess, ended: Promise<unknown>): void {
  if (alive.size === 0) process.on('exit', killAll)
  alive.add(child)
  ended.then(() => {
    alive.delete(child)
    if (alive.size === 0) process.off('exit', killAll)
  })
}

function killAll(): void {
  for (const child of alive) signalGroup(child, 'SIGKILL')
}

/** At once, with all that it started. */
export function killGroup(child: ChildProcess): void {
  killDescendants(child)
  signalGroup(child, 'SIGKILL')
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The whole group has already ended.
  }
}
