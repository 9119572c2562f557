import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../errors.ts'
import { createLines } from './output.ts'
import type { CrashFailure, HostMessage, Outcome, RunnerMessage } from './protocol.ts'

/** How long the last words of a process may take to arrive after its end. */
const LAST_WORDS_MS = 200
const MAX_LAST_WORDS = 4000

/** The runner's end of one script-host process. */
export interface HostProcess {
  isAlive(): boolean
  run(payload: string, onLog: (line: string) => void): RunningCall
  close(): Promise<void>
}

export interface RunningCall {
  /** Always comes, also when the process dies. */
  ended: Promise<Outcome>
  abort(reason: unknown): void
}

interface PendingCall {
  lines: ReturnType<typeof createLines>
  settle(outcome: Outcome): void
}

export function startHostProcess(): HostProcess {
  const child = fork(hostFile(), [], {
    // Not the runner's own flags: a second `--inspect` would take the same port.
    execArgv: ['--no-warnings'],
    serialization: 'json',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const calls = new Map<number, PendingCall>()
  let lastId = 0
  let closing = false
  let dead = false

  const lastWords = collectOutput(child, (text) => {
    // What does not come through a worker has no name on it; with one call in flight it is clear whose it is.
    if (calls.size === 1) for (const { lines } of calls.values()) lines.write(text)
  })
  child.on('message', (message: HostMessage) => {
    if (message.type === 'log') calls.get(message.id)?.lines.write(message.text)
    else settle(message.id, message.outcome)
  })
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(bury(`could not be started: ${messageOf(error)}`))
    })
    child.once('exit', async (code, signal) => {
      await outputEnd(child)
      resolve(bury(closing ? 'was closed' : describeEnd(code, signal, lastWords())))
    })
  })
  doNotKeepRunnerAlive(child)

  function bury(how: string): void {
    dead = true
    const failure: CrashFailure = {
      kind: 'crash',
      ended: 'host',
      message: `the script host ${how}`,
      output: lastWords(),
    }
    for (const id of calls.keys()) settle(id, { ok: false, failure })
  }

  function settle(id: number, outcome: Outcome): void {
    const call = calls.get(id)
    calls.delete(id)
    if (calls.size === 0) child.unref()
    call?.lines.end()
    call?.settle(outcome)
  }

  function send(message: RunnerMessage): void {
    // A process that just died cannot be written to; its `exit` is on its way and tells more.
    if (child.connected) child.send(message, () => {})
  }

  return {
    isAlive: () => !dead && child.connected,
    run(payload, onLog) {
      lastId += 1
      const id = lastId
      child.ref()
      const ended = new Promise<Outcome>((resolve) => {
        calls.set(id, { lines: createLines(onLog), settle: resolve })
      })
      send({ type: 'call', id, payload })
      return { ended, abort: (reason) => send({ type: 'abort', id, reason: nameAndMessage(reason) }) }
    },
    async close() {
      closing = true
      child.ref()
      // Terminating its threads one by one takes a quarter of a second, and gives them no chance to clean up either.
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Built, it stands beside this module in `dist`; run from the sources, in `dist` at the root of the package. */
function hostFile(): string {
  const places = ['./script-host.js', '../../dist/script-host.js'].map(
    (path) => new URL(path, import.meta.url),
  )
  const found = places.map((url) => fileURLToPath(url)).find((path) => existsSync(path))
  if (found === undefined) throw new Error('dist/script-host.js is missing: build vivavoce first')
  return found
}

/** Reads what the process writes by itself, never to be printed, and keeps the end of it. */
function collectOutput(child: ChildProcess, onText: (text: string) => void): () => string {
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      last = (last + text).slice(-MAX_LAST_WORDS)
      onText(text)
    })
  }
  return () => last
}

/** The pipes of a dead process may hold its last words, but its own children may also keep them open for ever. */
function outputEnd(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LAST_WORDS_MS)
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A runner that forgot to close may end; the host then ends by itself. */
function doNotKeepRunnerAlive(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
}

/** `ended by SIGABRT: FATAL ERROR: … JavaScript heap out of memory` */
function describeEnd(code: number | null, signal: NodeJS.Signals | null, output: string): string {
  const [lastWord] = /fatal .*/i.exec(output) ?? []
  return `${signal === null ? `exited with code ${code}` : `ended by ${signal}`}${lastWord ? `: ${lastWord}` : ''}`
}

function nameAndMessage(reason: unknown): { name: string; message: string } {
  return { name: reason instanceof Error ? reason.name : 'AbortError', message: messageOf(reason) }
}
