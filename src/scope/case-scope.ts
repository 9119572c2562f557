import { messageOf, WorldError } from '../errors.ts'
import { deepestData, isTooDeep } from '../json.ts'
import type { Key } from '../results/key.ts'
import type { Role } from '../results/usage.ts'
import type { RunEvent } from '../run-event.ts'
import type { TokenUsage } from '../transcript/reply.ts'
import { type Deadline, pause, startDeadline, untilAborted } from './deadline.ts'
import { UsageLedger } from './ledger.ts'
import { type RetryPolicy, retryDelay } from './retry.ts'
import type { Scope } from './scope.ts'

/** What all scopes of one case share. */
interface CaseShare {
  key: Key
  retry: RetryPolicy
  ledger: UsageLedger
  logs: string[]
  deadlines: Deadline[]
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
    timeoutMs: number
    signal: AbortSignal
    retry: RetryPolicy
    emit(event: RunEvent): void
  }): CaseScope {
    const { key, retry, emit } = options
    const share: CaseShare = { key, retry, emit, ledger: new UsageLedger(), logs: [], deadlines: [] }
    return new CaseScope(share, 'agent', 0, startDeadline(options.timeoutMs, options.signal))
  }

  get key(): Key {
    return this.#share.key
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
      timeoutMs === undefined || timeoutMs >= left ? this.#deadline : startDeadline(timeoutMs, this.signal)
    return new CaseScope(this.#share, role, this.depth, deadline)
  }

  emit(event: RunEvent): void {
    this.#share.emit(event)
  }

  log(text: string): void {
    this.#share.logs.push(text)
    this.#share.emit({ type: 'log', key: this.key, text })
  }

  async exchange<T>(
    target: string,
    request: unknown,
    perform: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const told = { type: 'exchange', key: this.key, role: this.role, target, request } as const
    for (let retries = 0; ; retries++) {
      try {
        this.signal.throwIfAborted()
        const response = await untilAborted(perform(this.signal), this.signal)
        if (isTooDeep(response)) {
          throw new WorldError(
            'bad_response',
            `${target} answered with data nested deeper than ${deepestData} levels`,
          )
        }
        this.#share.ledger.addCall(this.role, tokensOf(response))
        this.#share.emit({ ...told, response })
        return response
      } catch (error) {
        const delay = this.signal.aborted
          ? undefined
          : retryDelay(error, retries, this.#share.retry, this.deadline)
        if (delay === undefined) {
          this.#share.emit({ ...told, response: null, error: messageOf(error) })
          throw this.signal.aborted ? this.signal.reason : withRetryCount(error, retries)
        }
        this.#share.ledger.addRetry(this.role)
        this.log(`${messageOf(error)}; trying again in ${Math.round(delay)} ms`)
        await pause(delay, this.signal)
      }
    }
  }

  /** Lets go of all timers of the case. */
  close(): void {
    for (const deadline of this.#share.deadlines) deadline.release()
  }
}

function tokensOf(response: unknown): TokenUsage | undefined {
  return typeof response === 'object' && response !== null && 'usage' in response
    ? (response.usage as TokenUsage | undefined)
    : undefined
}

function withRetryCount(error: unknown, retries: number): unknown {
  if (!(error instanceof WorldError) || retries === 0) return error
  const times = retries === 1 ? '1 retry' : `${retries} retries`
  return new WorldError(error.kind, `${error.message} (after ${times})`, { cause: error })
}
