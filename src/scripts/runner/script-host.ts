import { setMaxListeners } from 'node:events'
import { unlistedSecretNames } from '../../privacy/secret-variables.ts'
import { startTimer } from '../../scope/deadline.ts'
import type { Environment } from '../../system/environment.ts'
import { shortDuration } from '../../text/duration.ts'
import type { ScriptRequestHandler } from '../protocol/ask.ts'
import type { HostSettings } from '../protocol/host-settings.ts'
import { toJson } from '../protocol/json.ts'
import { type MemoryBudget, sharedBudget } from '../protocol/memory-budget.ts'
import type { ThreadChoice } from '../protocol/protocol.ts'
import type { ScriptCall } from '../protocol/script-call.ts'
import type { SharedState } from '../protocol/state.ts'
import { waitForEndOrAbort, waitForEndOrStop } from './call-end.ts'
import type { CallOptions } from './call-options.ts'
import { HostProcess } from './host-process.ts'
import { createNestedTurns, type NestedTurns, type NestedTurnsOptions } from './nested-turns.ts'
import type { CallListener } from './pending-call.ts'
import { createPermits, type Permits } from './permits.ts'
import { ScriptCrash, ScriptLoadError } from './script-error.ts'
import { ServedCall, type ServeRequest } from './served-call.ts'
import { SharedCalls } from './shared-call.ts'

export type { ScriptCall } from '../protocol/script-call.ts'

/** How many calls run at once in threads of their own; others wait their turn. */
export const hostThreads = 16

/** How many calls of scripts by scripts run at once before further ones begin one after the other. */
const defaultNestedTurns: NestedTurnsOptions = { atOnce: 3 * hostThreads, stillMs: 100 }

/** How many calls run at once in shared threads. They only wait there, so the limit is that of the messages on the way. */
const maxSharedCalls = 1024

/** The limit for one file in one thread. */
const defaultLoadLimitMs = 30_000

/** A thread that stands still for longer is ended: `shared-workers.ts` has the exact limit. */
const longestStallMs = 5000

/** Runs user code in a process of its own. The runner itself never does. */
export interface ScriptHost {
  /**
   * Throws `ScriptLoadError` (also when loading the code takes too long), `ScriptThrew` or `ScriptCrash`. When the signal is
   * aborted, it rejects with its reason at once, and the code is stopped whatever it does.
   */
  call(call: ScriptCall, options: CallOptions): Promise<unknown>
  readonly surroundings: HostSurroundings
  /** The same process, for code that may ask for something. */
  serving(requests: Pick<HostSurroundings, 'answering' | 'listedSecrets'>): ScriptHost
  /** Ends the thread that was kept for a session. */
  release(session: string): void
  /** Ends the process and every call in flight. */
  close(): Promise<void>
}

/** What is needed to load user code. */
export interface LoadContext {
  scripts: ScriptHost
  /** Aborted when the run is stopped, which ends loading. */
  signal: AbortSignal
}

export interface HostSurroundings {
  /** Answers the requests of scripts. */
  answering: ScriptRequestHandler
  /** Variables that scripts may see although they look like secrets. */
  listedSecrets: readonly string[]
  /** What the process is started with. */
  env: Environment
  cwd: string
}

export interface HostOptions {
  /** How many calls run at once in threads of their own; further ones wait. */
  permits?: number
  /** When calls of scripts by scripts begin. */
  nestedTurns?: NestedTurnsOptions
  /** Limit of the whole process with its workers. Default: what all such processes may use together. */
  maxMemoryMb?: number
  /** The budget that it shares with other hosts. */
  memory?: MemoryBudget
  /** How long loading a file may take. */
  loadLimitMs?: number
  /** One call at a time: an aborted call is stopped with its whole process and throws `ScriptStopped`. */
  disposable?: boolean
  surroundings?: Partial<HostSurroundings>
}

/** Creates a host whose process is started by the first call. */
export function createScriptHost(options: HostOptions = {}): ScriptHost {
  const shared = new SharedHost(options)
  const serving = (surroundings: HostSurroundings): ScriptHost => ({
    surroundings,
    serving: (requests) => serving({ ...surroundings, ...requests }),
    call: (call, how) => shared.call(call, how, surroundings),
    release: (session) => shared.release(session),
    close: () => shared.close(),
  })
  return serving({ ...noRequests, ...options.surroundings })
}

/** The process of a host, which is replaced when it has died, and who may use it. */
class SharedHost {
  readonly #settings: HostSettings
  readonly #memory: MemoryBudget
  readonly #loadLimitMs: number
  readonly #permits: Permits
  readonly #nestedTurns: NestedTurns
  readonly #sharedPermits = createPermits(maxSharedCalls)
  readonly #sharedCalls = new SharedCalls()
  #process: HostProcess | undefined
  #closed = false

  constructor({ disposable = false, memory = sharedBudget, ...options }: HostOptions) {
    const { maxMemoryMb = memory.limitMb, loadLimitMs = defaultLoadLimitMs, permits = hostThreads } = options
    this.#settings = { maxMemoryMb: Math.min(maxMemoryMb, memory.limitMb), disposable }
    this.#memory = memory
    this.#loadLimitMs = loadLimitMs
    this.#permits = createPermits(permits)
    this.#nestedTurns = createNestedTurns(options.nestedTurns ?? defaultNestedTurns)
  }

  async call(call: ScriptCall, options: CallOptions, surroundings: HostSurroundings): Promise<unknown> {
    const { thread = { kind: 'leased' } } = options
    const attempt = (chosen: ThreadChoice, how: CallOptions) => this.#attempt(call, chosen, how, surroundings)
    if (thread.kind !== 'shared') return attempt(thread, options)
    return this.#sharedCalls.run(call.file, options, attempt)
  }

  async #attempt(
    call: ScriptCall,
    thread: ThreadChoice,
    options: CallOptions,
    surroundings: HostSurroundings,
  ): Promise<unknown> {
    if (this.#closed) throw createClosedError()
    const { signal, state, serve = refuseRequests, wait = (turn) => turn } = options
    // One signal may well stop a hundred calls.
    setMaxListeners(0, signal)
    const giveBack = await wait(this.#takeTurn(thread, options))
    let payload: string
    let host: HostProcess
    try {
      if (this.#closed) throw createClosedError()
      signal.throwIfAborted()
      // Read after the wait: other scripts of the case may have changed the state meanwhile.
      payload = buildPayload(call, state?.())
      host = this.#start(surroundings)
    } catch (error) {
      giveBack()
      throw error
    }
    const overdue = new AbortController()
    const giveUpLoading = () => overdue.abort(createLoadTimeoutError(call.file, this.#loadLimitMs))
    const served = new ServedCall(serve, state ?? (() => undefined))
    const listener = createListener(options, this.#loadLimitMs, giveUpLoading)
    const withheld = withheldNames(call, surroundings)
    const running = host.run({ payload, withheld, thread }, listener, served)
    served.begin(running)
    // Not when the caller gets its answer: an aborted call holds its worker until it has really ended.
    void running.ended.then(() => {
      served.end()
      giveBack()
    })
    const ends = [signal, overdue.signal]
    return this.#settings.disposable ? waitForEndOrStop(running, ends) : waitForEndOrAbort(running, ends)
  }

  async #takeTurn(thread: ThreadChoice, options: CallOptions): Promise<() => void> {
    const { nested, depth, signal } = options
    if (!nested) return this.#takePermit(thread, options)
    const needsOwnThread = thread.kind !== 'shared' && depth !== undefined
    return needsOwnThread ? this.#nestedTurns.take(depth, signal) : () => {}
  }

  async #takePermit(thread: ThreadChoice, { alone, signal }: CallOptions): Promise<() => void> {
    if (!alone) return (thread.kind === 'shared' ? this.#sharedPermits : this.#permits).take(signal)
    const giveBack = await this.#permits.takeAll(signal)
    try {
      const giveSharedBack = await this.#sharedPermits.takeAll(signal)
      return () => {
        giveSharedBack()
        giveBack()
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  release(session: string): void {
    if (this.#process?.isAlive()) this.#process.release(session)
  }

  #start(surroundings: HostSurroundings): HostProcess {
    if (!this.#process?.isAlive()) this.#process = new HostProcess(this.#settings, this.#memory, surroundings)
    return this.#process
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const turns of [this.#permits, this.#sharedPermits, this.#nestedTurns])
      turns.close(createClosedError())
    await this.#process?.close()
  }
}

function createListener(
  { onLog = () => {}, onEvent = () => {}, onLateError = () => {}, ...options }: CallOptions,
  loadLimitMs: number,
  giveUpLoading: () => void,
): CallListener {
  const {
    onBlocked = () => {},
    onUnblocked = () => {},
    onMoved = () => {},
    wait = (turn) => turn,
    extend,
  } = options
  return {
    log: onLog,
    event: onEvent,
    lateError: onLateError,
    blocked: onBlocked,
    unblocked: onUnblocked,
    moved: onMoved,
    // Another call may be to blame, so that no call may time out of it. It was slow all the same, as it would be elsewhere.
    stalled(resumed, forMs) {
      const since = performance.now()
      extend?.(forMs + longestStallMs)
      void resumed.then(() => extend?.(performance.now() - since - longestStallMs))
    },
    // When the case ends during the start, the call itself reports it.
    starting: (begun) => void wait(begun).catch(() => {}),
    loading(loaded) {
      void wait(loaded).catch(() => {})
      void loaded.then(startTimer(loadLimitMs, giveUpLoading))
    },
  }
}

const noRequests: HostSurroundings = {
  answering: { answer: () => Promise.reject(new Error('requests of scripts cannot be answered yet')) },
  listedSecrets: [],
  env: process.env,
  cwd: process.cwd(),
}

const callRules = { whole: 'the call', rule: 'only JSON data can be passed to a script' }
const stateRules = { whole: 'the shared state', rule: 'scripts can share only JSON data' }

/** Builds a `CallPayload` from its parts, so that errors name a path within one of them. */
function buildPayload(call: ScriptCall, shared: SharedState | undefined): string {
  const state = shared === undefined ? '' : `,"state":${toJson(shared, stateRules)}`
  return `{"call":${toJson(call, callRules)}${state}}`
}

/** An agent is the user's program as it runs elsewhere and needs its keys; config and case files are treated the same. */
function withheldNames({ kind }: ScriptCall, { env, listedSecrets }: HostSurroundings): string[] | undefined {
  const isTestCode = ['script', 'find_function', 'load_tests', 'run_tests'].includes(kind)
  return isTestCode ? unlistedSecretNames(env, listedSecrets) : undefined
}

const refuseRequests: ServeRequest = () =>
  Promise.reject(new Error('a module cannot make requests while it is being loaded'))

function createLoadTimeoutError(file: string, limitMs: number): ScriptLoadError {
  const why = 'its top level loops, or waits for something that does not come'
  const message = `it was not loaded within ${shortDuration(limitMs)}: ${why}`
  return new ScriptLoadError({ kind: 'load', file, message })
}

function createClosedError(): ScriptCrash {
  return new ScriptCrash({ kind: 'crash', ended: 'host', message: 'the script host was closed' })
}
