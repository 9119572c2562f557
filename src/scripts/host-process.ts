import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { defined } from '../defined.ts'
import { messageOf } from '../errors.ts'
import { shortenStart } from '../shorten.ts'
import type { HostSettings } from './host-settings.ts'
import { createLines } from './output.ts'
import type { CrashFailure, HostMessage, Outcome, RunnerMessage } from './protocol.ts'
import type { StateChanges } from './state.ts'

/** How long the last words of a process may take to arrive after its end. */
const lastWordsMs = 200
const maxLastWords = 4000

export interface HostCall {
  /** Always comes, also when the process dies. */
  ended: Promise<Outcome>
  abort(reason: unknown): void
  answer(ask: number, outcome: Outcome, changes: StateChanges | undefined): void
  /** Runs a function of the worker's. */
  callBack(callback: number, fn: number, payload: string, changes: StateChanges | undefined): void
}

/** What a call says before it ends. */
export interface CallListener {
  /** A thread is started for it, which is nobody's time: told until when. */
  starting(begun: Promise<void>): void
  /** It loads the user's code, which is nobody's time either. */
  loading(loaded: Promise<void>): void
  log(line: string): void
  event(event: object): void
  ask(message: AskMessage): void
  callbackDone(message: CallbackDoneMessage): void
  /** The last changes that it made to what is shared. */
  changed(changes: StateChanges): void
}

export type AskMessage = Extract<HostMessage, { type: 'ask' }>
export type CallbackDoneMessage = Extract<HostMessage, { type: 'callback_done' }>

interface PendingCall {
  listener: CallListener
  lines: ReturnType<typeof createLines>
  settle(outcome: Outcome): void
  /** Its thread has started, or will not. */
  begun?(): void
  /** The user's code is loaded, or will not be. */
  loaded?(): void
}

/** The runner's end of one script-host process, started at once. */
export class HostProcess {
  readonly #child: ChildProcess
  readonly #calls = new Map<number, PendingCall>()
  readonly #lastWords: () => string
  readonly #ended: Promise<void>
  #lastId = 0
  #closing = false
  #dead = false
  /** Why it ended itself and where the script was, where it said so. */
  #lastWord: { reason?: string; at?: string } = {}

  constructor(settings: HostSettings) {
    this.#child = forkHost(settings)
    this.#lastWords = collectOutput(this.#child, (text) => this.#printUnnamed(text))
    this.#child.on('message', (message: HostMessage) => this.#hear(message))
    this.#ended = this.#waitForEnd()
    doNotKeepRunnerAlive(this.#child)
  }

  isAlive(): boolean {
    return !this.#dead && this.#child.connected
  }

  run(payload: string, withheld: readonly string[] | undefined, listener: CallListener): HostCall {
    this.#lastId += 1
    const id = this.#lastId
    this.#child.ref()
    const ended = new Promise<Outcome>((settle) => {
      this.#calls.set(id, { listener, lines: createLines((line) => listener.log(line)), settle })
    })
    this.#send({ type: 'call', id, payload, withheld })
    return {
      ended,
      abort: (reason) => this.#send({ type: 'abort', id, reason: nameAndMessage(reason) }),
      answer: (ask, outcome, changes) => this.#send({ type: 'answer', id, ask, outcome, changes }),
      callBack: (callback, fn, callbackPayload, changes) =>
        this.#send({ type: 'callback', id, callback, fn, payload: callbackPayload, changes }),
    }
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#child.ref()
    // Terminating its threads one by one takes a quarter of a second, and lets them clean up no more than this.
    killGroup(this.#child)
    await this.#ended
  }

  #send(message: RunnerMessage): void {
    // A process that just died cannot be written to; its `exit` is on its way and tells more.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** What a script sends must not end the runner, whatever it is. */
  #hear(message: HostMessage): void {
    try {
      this.#receive(message)
    } catch (error) {
      if (message.type === 'giving_up') return
      const failure: CrashFailure = {
        kind: 'crash',
        ended: 'worker',
        message: `what the script told cannot be understood: ${messageOf(error)}`,
      }
      this.#send({ type: 'abort', id: message.id, reason: { name: 'Error', message: failure.message } })
      this.#settle(message.id, { ok: false, failure })
    }
  }

  #receive(message: HostMessage): void {
    if (message.type === 'giving_up') {
      this.#dead = true
      this.#lastWord = { ...this.#lastWord, ...defined({ reason: message.reason, at: message.at }) }
      return
    }
    const call = this.#calls.get(message.id)
    switch (message.type) {
      case 'starting':
        call?.listener.starting(
          new Promise((resolve) => {
            call.begun = resolve
          }),
        )
        return
      case 'begun':
        call?.begun?.()
        return
      case 'loading':
        call?.listener.loading(
          new Promise((resolve) => {
            call.loaded = resolve
          }),
        )
        return
      case 'loaded':
        call?.loaded?.()
        return
      case 'log':
        call?.lines.write(message.text)
        return
      case 'event':
        // What it printed before comes before.
        call?.lines.end()
        call?.listener.event(message.event)
        return
      case 'ask':
        call?.listener.ask(message)
        return
      case 'callback_done':
        call?.listener.callbackDone(message)
        return
      case 'done':
        if (message.changes !== undefined) call?.listener.changed(message.changes)
        this.#settle(message.id, message.outcome)
    }
  }

  #settle(id: number, outcome: Outcome): void {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    // While it is being closed, its end is waited for.
    if (this.#calls.size === 0 && !this.#closing) this.#child.unref()
    call?.lines.end()
    call?.begun?.()
    call?.loaded?.()
    call?.settle(outcome)
  }

  /** What does not come through a worker has no name on it; with one call in flight it is clear whose it is. */
  #printUnnamed(text: string): void {
    if (this.#calls.size === 1) for (const { lines } of this.#calls.values()) lines.write(text)
  }

  async #waitForEnd(): Promise<void> {
    const how = await endOf(this.#child, this.#lastWords)
    this.#dead = true
    // What the user's code started and left behind.
    killGroup(this.#child)
    const { reason, at } = this.#lastWord
    const message = reason ?? `the script host ${this.#closing ? 'was closed' : how}`
    const told = { message, output: this.#lastWords(), ...defined({ at }) }
    const failure: CrashFailure = { kind: 'crash', ended: 'host', ...told }
    for (const id of this.#calls.keys()) this.#settle(id, { ok: false, failure })
  }
}

function forkHost(settings: HostSettings): ChildProcess {
  return fork(hostFile(), [JSON.stringify(settings)], {
    // Not the runner's own flags: a second `--inspect` would take the same port.
    execArgv: ['--no-warnings'],
    serialization: 'json',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own: Ctrl-C does not reach it, and what it has started ends with it.
    detached: true,
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended, or the system has no groups.
    child.kill('SIGKILL')
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
      last = shortenStart(last + text, maxLastWords)
      onText(text)
    })
  }
  return () => last
}

/** Waits for the process to end and says how it did. */
function endOf(child: ChildProcess, lastWords: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(`could not be started: ${messageOf(error)}`)
    })
    child.once('exit', (code, signal) => {
      const tell = () => resolve(describeEnd(code, signal, lastWords()))
      // Its pipes may hold its last words, but its own children may also keep them open for ever.
      const timer = setTimeout(tell, lastWordsMs)
      child.once('close', () => {
        clearTimeout(timer)
        tell()
      })
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
