import { errorMessage } from '../errors.ts'
import type { Redactor } from '../privacy/redact.ts'
import { type RedactEvent, redactInOrder, redactSecrets } from '../privacy/redaction.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { ResultStore } from '../results/store.ts'
import type { PlannedResults } from '../results/tally.ts'
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

/** Events that are always dealt with: they belong into the journal. */
const recorded: readonly RunEvent['type'][] = [
  'run_started',
  'case_finished',
  'case_stability',
  'run_finished',
]

/** Whether anybody wants to know of an event. Most runs have nobody who listens to the single exchanges. */
function audienceFor(all: readonly Reporter[]): (event: RunEvent) => boolean {
  const listening = all.filter(({ on }) => on !== undefined)
  if (listening.some(({ events }) => events === undefined)) return () => true
  const wanted = new Set([...recorded, ...listening.flatMap(({ events = [] }) => events)])
  return ({ type }) => wanted.has(type)
}

interface Announced {
  made: RunEvent
  /** The same, redacted. */
  event: RunEvent
}

/** How long a result may wait for others to be written with. */
const batchMs = 4

/**
 * Results are written to disk before anyone is told of them. Those that come within a few milliseconds share one
 * write; events that come after a result wait with it, so that all are told in their order.
 */
class EventBatch {
  readonly #store: ResultStore
  readonly #tell: (announced: Announced) => void
  #waiting: Announced[] = []
  #timer: NodeJS.Timeout | undefined
  /** What went wrong when nobody was there to catch it. */
  #error: unknown

  constructor(store: ResultStore, tell: (announced: Announced) => void) {
    this.#store = store
    this.#tell = tell
  }

  add(announced: Announced): void {
    if (this.#error !== undefined) throw this.#error
    this.#waiting.push(announced)
    const { event } = announced
    if (event.type === 'run_started') this.#store.writeStart(event.start)
    if (event.type === 'case_finished') this.#store.writeResult(event.result)
    if (event.type === 'case_stability') this.#store.writeStability(event.stability)
    if (event.type === 'run_finished') this.#store.writeSummary(event.summary, event.exitCode)
    if (event.type === 'case_finished') this.#timer ??= setTimeout(() => this.#flushLater(), batchMs)
    else if (this.#timer === undefined || event.type === 'run_finished') this.flush()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#error !== undefined) throw this.#error
    this.#store.flush()
    const waiting = this.#waiting
    this.#waiting = []
    for (const announced of waiting) this.#tell(announced)
  }

  /** An error is thrown to the next who adds something. */
  #flushLater(): void {
    try {
      this.flush()
    } catch (error) {
      this.#error ??= error
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
