import { errorMessage } from '../errors.ts'
import type { Redactor } from '../privacy/redact.ts'
import { type RedactEvent, redactInOrder, redactSecrets } from '../privacy/redaction.ts'
import type { PlannedResults } from '../results/planned-results.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { ResultStore } from '../results/store.ts'
import type { Reporter } from './reporter.ts'

export interface BrokenReporter {
  name: string
  message: string
}

/** Every event passes through here: it is redacted, a result is written to disk, and only then are reporters called. */
export interface Announcer {
  emit(event: RunEvent): void
  /** Lets reporters that cost something do their work before the summary is made. */
  draft(ended: Extract<RunEvent, { type: 'run_finished' }>, plan: PlannedResults): Promise<void>
  /** Writes results that are still waiting, and tells of them. */
  flush(): void
  /** Aborted with the error when something could not be written. */
  readonly failed: AbortSignal
  /** Waits for all reporters and lets them finish with the results of the plan; returns those that failed. */
  finish(plan: PlannedResults): Promise<BrokenReporter[]>
}

interface Audience {
  reporters: readonly Reporter[]
  /** The caller's own code: it gets events unredacted. */
  insiders: readonly Reporter[]
}

export function createAnnouncer(
  store: ResultStore,
  { reporters, insiders }: Audience,
  redact: () => Redactor,
  redactPrivate?: RedactEvent,
): Announcer {
  const redactEvent = redactInOrder(redactSecrets(redact), ...(redactPrivate ? [redactPrivate] : []))
  const calls = new ReporterCalls()
  // Masks learn from all events what must not be shown.
  const isHeard = redactPrivate ? () => true : audienceFor([...insiders, ...reporters])
  const batch = new EventBatch(store, ({ made, event }) => {
    for (const reporter of insiders) calls.notify(reporter, made)
    for (const reporter of reporters) calls.notify(reporter, event)
  })
  return {
    emit(made) {
      const event = isHeard(made) ? redactEvent(made) : undefined
      if (event !== undefined) batch.add({ made, event })
    },
    flush: () => batch.flush(),
    failed: batch.failed,
    async draft(made, plan) {
      const event = redactEvent(made)
      if (event?.type !== 'run_finished') return
      for (const reporter of reporters)
        await calls.attempt(reporter, () =>
          reporter.draft?.(event, (options) => store.results(plan, options)),
        )
    },
    async finish(plan) {
      for (const reporter of [...insiders, ...reporters]) {
        await calls.settled(reporter)
        await calls.attempt(reporter, () => reporter.finish?.((options) => store.results(plan, options)))
      }
      return calls.broken()
    },
  }
}

type Recording = { [Type in RunEvent['type']]?: (store: ResultStore, event: EventOf<Type>) => void }
type EventOf<Type> = Extract<RunEvent, { type: Type }>

/** How events are recorded in the journal. */
const record: Recording = {
  run_started: (store, { start }) => store.writeStart(start),
  case_finished: (store, { result }) => store.writeResult(result),
  case_stability: (store, { stability }) => store.writeStability(stability),
  run_finished: (store, { summary, exitCode }) => store.writeSummary(summary, exitCode),
}

/** Whether anybody wants to know of an event. In most runs nobody listens to the single exchanges. */
function audienceFor(all: readonly Reporter[]): (event: RunEvent) => boolean {
  const listening = all.filter(({ on }) => on !== undefined)
  if (listening.some(({ events }) => events === undefined)) return () => true
  const wanted = new Set<string>([...Object.keys(record), ...listening.flatMap(({ events = [] }) => events)])
  return ({ type }) => wanted.has(type)
}

interface Announced {
  made: RunEvent
  /** The same, redacted. */
  event: RunEvent
}

/** There is one for every case. */
function isFrequent({ type }: RunEvent): boolean {
  return type === 'case_finished' || type === 'case_stability'
}

/** How long a result may wait for others to be written with. */
const batchMs = 4
/** How many events may wait: a run emits those about the stability of its cases all at once. */
const batchEvents = 1000

/**
 * Results are written to disk before anyone is told of them. Those that come within a few milliseconds share one
 * write; events that come after a result wait with it, so that all are told in their order.
 */
class EventBatch {
  readonly #store: ResultStore
  readonly #tell: (announced: Announced) => void
  readonly #failed = new AbortController()
  #waiting: Announced[] = []
  /** Written, but not told yet. */
  #written: Announced[] = []
  #telling = false
  #timer: NodeJS.Timeout | undefined

  constructor(store: ResultStore, tell: (announced: Announced) => void) {
    this.#store = store
    this.#tell = tell
  }

  /** Aborted when something could not be written; the reason is the error. */
  get failed(): AbortSignal {
    return this.#failed.signal
  }

  add(announced: Announced): void {
    const { event } = announced
    const write = record[event.type] as ((store: ResultStore, event: RunEvent) => void) | undefined
    // What cannot be written is not told, and its error is for those who wrote something.
    if (this.failed.aborted && write === undefined) return
    this.failed.throwIfAborted()
    if (write !== undefined) this.#attempt(() => write(this.#store, event))
    this.#waiting.push(announced)
    if (this.#waiting.length >= batchEvents) this.flush()
    else if (isFrequent(event)) this.#timer ??= setTimeout(() => this.#flushLater(), batchMs)
    else if (this.#timer === undefined || event.type === 'run_finished') this.flush()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.failed.throwIfAborted()
    this.#attempt(() => this.#store.flush())
    this.#written.push(...this.#waiting)
    this.#waiting = []
    // A reporter may cause further events: they come after those that are being told.
    if (this.#telling) return
    this.#telling = true
    for (let next = 0; next < this.#written.length; next++) {
      const announced = this.#written[next]
      if (announced !== undefined) this.#tell(announced)
    }
    this.#written = []
    this.#telling = false
  }

  /** Nobody is there to catch an error: it stops the run. */
  #flushLater(): void {
    try {
      this.flush()
    } catch {
      // `failed` has it.
    }
  }

  #attempt(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#waiting = []
      this.#failed.abort(error)
      throw error
    }
  }
}

/** Calls reporters, each of them until it fails. */
class ReporterCalls {
  readonly #broken = new Map<Reporter, BrokenReporter>()
  readonly #pending = new Map<Reporter, Promise<unknown>>()

  /** Does not wait for a reporter that handles the event asynchronously. */
  notify(reporter: Reporter, event: RunEvent): void {
    if (this.#broken.has(reporter) || reporter.events?.includes(event.type) === false) return
    try {
      const handled = reporter.on?.(event)
      if (handled === undefined) return
      const all = Promise.all([this.#pending.get(reporter), handled])
      this.#pending.set(
        reporter,
        all.catch((error: unknown) => this.#breakDown(reporter, error)),
      )
    } catch (error) {
      this.#breakDown(reporter, error)
    }
  }

  async settled(reporter: Reporter): Promise<void> {
    await this.#pending.get(reporter)
  }

  async attempt(reporter: Reporter, call: () => Promise<void> | undefined): Promise<void> {
    if (this.#broken.has(reporter)) return
    try {
      await call()
    } catch (error) {
      this.#breakDown(reporter, error)
    }
  }

  broken(): BrokenReporter[] {
    return [...this.#broken.values()]
  }

  #breakDown(reporter: Reporter, error: unknown): void {
    if (!this.#broken.has(reporter))
      this.#broken.set(reporter, { name: reporter.name, message: errorMessage(error) })
  }
}
