import { setMaxListeners } from 'node:events'
import { withheldNames } from '../../privacy/secret-variables.ts'
import { startTimer } from '../../scope/deadline.ts'
import { shortDuration } from '../../text/duration.ts'
import type { Answering } from '../protocol/ask.ts'
import { toJson } from '../protocol/json.ts'
import { type MemoryBudget, sharedBudget } from '../protocol/memory-budget.ts'
import type { ScriptCall } from '../protocol/script-call.ts'
import type { SharedState } from '../protocol/state.ts'
import { type HostCall, HostProcess } from './host-process.ts'
import { createPermits } from './permits.ts'
import { errorOf, ScriptCrash, ScriptLoadError, ScriptStopped } from './script-error.ts'
import { type Serve, ServedCall } from './served-call.ts'

export type { ScriptCall } from '../protocol/script-call.ts'

/** How many calls run at once; more wait their turn. */
export const hostThreads = 16

/** For one file, in one thread. */
const standardLoadLimitMs = 30_000

/** Runs the user's code in a process of its own. The runner itself never does. */
export interface ScriptHost {
  /**
   * Throws `ScriptLoadError` (also where loading the code takes too long), `ScriptThrew` or `ScriptCrash`; when the
   * signal aborts, at once its reason, and the code is stopped whatever it does.
   */
  call(call: ScriptCall, options: CallOptions): Promise<unknown>
  /** Set when all is there that scripts may ask for. */
  surroundings: Surroundings
  /** Ends the process and every call in flight. */
  close(): Promise<void>
}

/** What the user's code is loaded with. */
export interface Loading {
  scripts: ScriptHost
  /** Ends what is loaded right now: the run is stopped. */
  signal: AbortSignal
}

export interface Surroundings {
  /** Who answers what scripts ask for. */
  answering: Answering
  /** Variables that scripts may see although they look like secrets. */
  listedSecrets: readonly string[]
}

export interface CallOptions {
  signal: AbortSignal
  /** What the user's code prints. */
  onLog?: (line: string) => void
  /** An error that nobody awaits came up in what the code left running when it had ended: its stack. */
  onLateError?: (text: string) => void
  /** What a call tells on its way to the result. */
  onEvent?: (event: unknown) => void
  /** No other call is under way at the same time: if the process dies, it is clear whose doing it was. */
  alone?: boolean
  /** It is not made to wait: those whose turn it is may be waiting for it. */
  nested?: boolean
  /** Waits for what is nobody's time: its turn, the start of a thread, and the loading of the user's code. */
  wait?: <T>(turn: Promise<T>) => Promise<T>
  /** Answers the questions of the script; without it there is nobody to ask. */
  serve?: Serve
  /** What the scripts of the case share. They change it. A call that plays several cases has one after another. */
  state?: () => SharedState | undefined
}

export interface HostOptions {
  /** How many calls run at once; further ones wait. */
  permits?: number
  /** Of the whole process with its workers; otherwise what all such processes may use together. */
  maxMemoryMb?: number
  /** Which it shares with other hosts. */
  memory?: MemoryBudget
  /** How long loading a file may take. */
  loadLimitMs?: number
  /** One call at a time: what has to be stopped is stopped with its whole process, which throws `ScriptStopped`. */
  disposable?: boolean
  surroundings?: Surroundings
}

/** The process is started by the first call. */
export function createScriptHost(options: HostOptions = {}): ScriptHost {
  const { disposable = false, surroundings = noSurroundings, memory = sharedBudget } = options
  const { loadLimitMs = standardLoadLimitMs, maxMemoryMb = memory.limitMb } = options
  const settings = { maxMemoryMb: Math.min(maxMemoryMb, memory.limitMb), disposable }
  const permits = createPermits(options.permits ?? hostThreads)
  let process: HostProcess | undefined
  let closed = false

  return {
    surroundings,
    async call(call, { signal, state, onLog = () => {}, onEvent = () => {}, ...how }) {
      if (closed) throw closedError()
      const {
        alone = false,
        nested = false,
        serve = nobodyToAsk,
        wait = (turn) => turn,
        onLateError = () => {},
      } = how
      // One signal may well stop a hundred calls.
      setMaxListeners(0, signal)
      const turn = () => (alone ? permits.takeAll(signal) : permits.take(signal))
      const giveBack = nested ? () => {} : await wait(turn())
      let payload: string
      try {
        if (closed) throw closedError()
        signal.throwIfAborted()
        // Now, and not before the wait: others of the case may have changed what they share.
        payload = payloadOf(call, state?.())
        if (!process?.isAlive()) process = new HostProcess(settings, memory)
      } catch (error) {
        giveBack()
        throw error
      }
      const overdue = new AbortController()
      const served = new ServedCall(serve, state ?? (() => undefined), {
        log: onLog,
        event: onEvent,
        lateError: onLateError,
        // An end of the case while it starts is told by the call itself.
        starting: (begun) => void wait(begun).catch(() => {}),
        loading(loaded) {
          void wait(loaded).catch(() => {})
          const giveUp = () => overdue.abort(notLoaded(call.file, loadLimitMs))
          void loaded.then(startTimer(loadLimitMs, giveUp))
        },
      })
      const withheld = isAgentsCode(call) ? undefined : withheldNames(this.surroundings.listedSecrets)
      const running = process.run(payload, withheld, served)
      served.begin(running)
      // Not when the caller is answered: an aborted call holds its worker until it has really ended.
      void running.ended.then(() => {
        served.end()
        giveBack()
      })
      const ends = [signal, overdue.signal]
      return disposable ? answerOrStopped(running, ends) : answerOrAbort(running, ends)
    },
    async close() {
      closed = true
      permits.close(closedError())
      await process?.close()
    },
  }
}

const noSurroundings: Surroundings = {
  answering: { answer: () => Promise.reject(new Error('there is nobody to ask yet')) },
  listedSecrets: [],
}

const callRules = { whole: 'the call', rule: 'only JSON data can be given to a script' }
const stateRules = { whole: 'what scripts share', rule: 'scripts share JSON data' }

/** A `CallPayload`, of parts: what is wrong with one is told from where it begins. */
function payloadOf(call: ScriptCall, shared: SharedState | undefined): string {
  const state = shared === undefined ? '' : `,"state":${toJson(shared, stateRules)}`
  return `{"call":${toJson(call, callRules)}${state}}`
}

/** An agent is the user's program as it runs elsewhere, with its keys; config and case files are read as ever. */
function isAgentsCode({ kind }: ScriptCall): boolean {
  return !['script', 'find_function', 'load_tests', 'run_tests'].includes(kind)
}

const nobodyToAsk: Serve = () =>
  Promise.reject(new Error('nothing can be asked for while a module is loaded'))

function notLoaded(file: string, limitMs: number): ScriptLoadError {
  const why = 'its top level loops, or waits for something that does not come'
  const message = `it was not loaded within ${shortDuration(limitMs)}: ${why}`
  return new ScriptLoadError({ kind: 'load', file, message })
}

async function answerOrAbort(running: HostCall, ends: readonly AbortSignal[]): Promise<unknown> {
  const finished = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    for (const end of ends) {
      const onAbort = () => {
        running.abort(end.reason)
        reject(end.reason)
      }
      end.addEventListener('abort', onAbort, { once: true, signal: finished.signal })
    }
  })
  const outcome = await Promise.race([running.ended, aborted])
  finished.abort()
  if (!outcome.ok) throw errorOf(outcome.failure)
  return outcome.json === undefined ? undefined : JSON.parse(outcome.json)
}

/** Where the call is the only one, its end is waited for: it says where the script was. */
async function answerOrStopped(running: HostCall, ends: readonly AbortSignal[]): Promise<unknown> {
  try {
    return await answerOrAbort(running, ends)
  } catch (error) {
    const end = ends.find(({ aborted }) => aborted)
    if (end === undefined) throw error
    const outcome = await running.ended
    const at = !outcome.ok && outcome.failure.kind === 'crash' ? outcome.failure.at : undefined
    throw new ScriptStopped(end.reason, at)
  }
}

function closedError(): ScriptCrash {
  return new ScriptCrash({ kind: 'crash', ended: 'host', message: 'the script host was closed' })
}
