import { messageOf, TimeoutError, WorldError } from '../errors.ts'
import { deepestData, isTooDeep } from '../json.ts'
import type { Key } from '../results/key.ts'
import type { Role } from '../results/usage.ts'
import type { RunEvent } from '../run-event.ts'
import type { Context } from './context.ts'
import { type Deadline, pause, startDeadline, untilAborted } from './deadline.ts'
import { UsageLedger } from './ledger.ts'
import { type RetryPolicy, retryDelay } from './retry.ts'
import type { Exchange, Scope } from './scope.ts'

interface Waiting {
  role: Role
  target: string
  since: number
  overdue?: NonNullable<Exchange<unknown>['overdue']>
}

/** What all scopes of one case share. */
interface CaseShare {
  key: Key
  context: Context
  retry: RetryPolicy
  ledger: UsageLedger
  logs: string[]
  deadlines: Deadline[]
  /** Calls that are under way. */
  waiting: Set<Waiting>
  emit(event: RunEvent): void
}

/** The scope of one play of one case; its children are narrower views of the same case. */
export class CaseScope implements Scope {
  readonly role: Role
  readonly depth: number
  readonly #deadline: Deadline
  readonly #share: CaseShare

  private constructor(share: CaseShare, role: Role, depth: number, deadline: Deadline) {
    this.#share = share
    this.role = role
    this.depth = depth
    this.#deadline = deadline
    share.deadlines.push(deadline)
  }

  static open(options: {
    key: Key
    context: Context
    timeoutMs: number
    signal: AbortSignal
    retry: RetryPolicy
    emit(event: RunEvent): void
  }): CaseScope {
    const { key, context, retry, emit } = options
    const ledger = new UsageLedger()
    const share: CaseShare = {
      key,
      context,
      retry,
      emit,
      ledger,
      logs: [],
      deadlines: [],
      waiting: new Set(),
    }
    const { timeoutMs, signal } = options
    const deadline = startDeadline(timeoutMs, signal, { expired: overtime(share, timeoutMs) })
    return new CaseScope(share, 'agent', 0, deadline)
  }

  get key(): Key {
    return this.#share.key
  }

  get context(): Context {
    return this.#share.context
  }

  get deadline(): number {
    return this.#deadline.at
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }

  get usage() {
    return this.#share.ledger.byRole
  }

  get logs(): readonly string[] {
    return this.#share.logs
  }

  child(role: Role, timeoutMs?: number): CaseScope {
    const left = this.deadline - Date.now()
    const deadline =
      timeoutMs === undefined || timeoutMs >= left
        ? this.#deadline
        : startDeadline(timeoutMs, this.signal, {
            outer: this.#deadline,
            expired: overtime(this.#share, timeoutMs),
          })
    return new CaseScope(this.#share, role, this.depth, deadline)
  }

  clock(): number {
    return performance.now() - this.#deadline.stoodStillMs
  }

  async standStill<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const goOn = this.#deadline.standStill()
    try {
      return await untilAborted(work(this.signal), this.signal)
    } finally {
      goOn()
    }
  }

  emit(event: RunEvent): void {
    this.#share.emit(event)
  }

  log(text: string): void {
    this.#share.logs.push(text)
    this.#share.emit({ type: 'log', key: this.key, text })
  }

  async exchange<T>({ target, request, perform, usage, overdue }: Exchange<T>): Promise<T> {
    const { ledger, retry, waiting } = this.#share
    const started = this.clock()
    for (let retries = 0; ; retries++) {
      const tell = (outcome: { response: unknown; error?: string }) =>
        this.#share.emit({
          type: 'exchange',
          key: this.key,
          role: this.role,
          target,
          request,
          retries,
          durationMs: this.clock() - started,
          ...outcome,
        })
      const call = { role: this.role, target, since: performance.now(), ...(overdue && { overdue }) }
      try {
        this.signal.throwIfAborted()
        ledger.addCall(this.role)
        waiting.add(call)
        const response = await untilAborted(perform(this.signal), this.signal)
        if (isTooDeep(response)) {
          const message = `${target} answered with data nested deeper than ${deepestData} levels`
          throw new WorldError('bad_response', message)
        }
        if (usage) ledger.addTokens(this.role, usage(response))
        tell({ response })
        return response
      } catch (error) {
        const delay = this.signal.aborted ? undefined : retryDelay(error, retries, retry, this.deadline)
        if (delay === undefined) {
          tell({ response: null, error: messageOf(error) })
          throw this.signal.aborted ? this.signal.reason : withRetryCount(error, retries)
        }
        ledger.addRetry(this.role)
        this.log(`${messageOf(error)}; trying again in ${Math.round(delay)} ms`)
        // An abort during the pause is told by the next round, which begins with a look at the signal.
        await pause(delay, this.signal).catch(() => {})
      } finally {
        waiting.delete(call)
      }
    }
  }

  /** Lets go of all timers of the case. */
  close(): void {
    for (const deadline of this.#share.deadlines) deadline.release()
  }
}

/**
 * Whose fault it is that the time is over: the agent's, unless for most of it something else was waited for, like a
 * tool that hangs.
 */
function overtime({ waiting }: CaseShare, timeoutMs: number): (message: string) => Error {
  return (message) => {
    const now = performance.now()
    const stuck = [...waiting].find(({ role, since }) => role !== 'agent' && now - since > timeoutMs / 2)
    const told = [...waiting].map((call) => call.overdue?.()).find((text) => text !== undefined)
    return stuck === undefined
      ? new TimeoutError(told === undefined ? message : `${message}: ${told}`)
      : new WorldError('timeout', `${message}, waiting for ${stuck.role} ${stuck.target}`)
  }
}

function withRetryCount(error: unknown, retries: number): unknown {
  if (!(error instanceof WorldError) || retries === 0) return error
  const times = retries === 1 ? '1 retry' : `${retries} retries`
  return new WorldError(error.kind, `${error.message} (after ${times})`, { cause: error })
}
