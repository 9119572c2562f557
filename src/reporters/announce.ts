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
  return {
    emit(made) {
      const event = redactEvent(made)
      if (event === undefined) return
      if (event.type === 'run_started') store.writeStart(event.start)
      if (event.type === 'case_finished') store.writeResult(event.result)
      if (event.type === 'case_stability') store.writeStability(event.stability)
      if (event.type === 'run_finished') store.writeSummary(event.summary, event.exitCode)
      for (const reporter of insiders) calls.notify(reporter, made)
      for (const reporter of reporters) calls.notify(reporter, event)
    },
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

/** Calls reporters, each of them until it fails. */
class ReporterCalls {
  readonly #broken = new Map<Reporter, BrokenReporter>()
  readonly #pending = new Map<Reporter, Promise<unknown>>()

  /** Does not wait for a reporter that handles the event asynchronously. */
  notify(reporter: Reporter, event: RunEvent): void {
    if (this.#broken.has(reporter)) return
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
