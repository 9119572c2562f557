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
  const broken = new Map<Reporter, BrokenReporter>()
  const pending = new Map<Reporter, Promise<unknown>>()
  const breakDown = (reporter: Reporter, error: unknown) => {
    if (!broken.has(reporter)) broken.set(reporter, { name: reporter.name, message: errorMessage(error) })
  }
  const notify = (reporter: Reporter, event: RunEvent) => {
    if (broken.has(reporter)) return
    try {
      const handled = reporter.on?.(event)
      if (handled === undefined) return
      const all = Promise.all([pending.get(reporter), handled])
      pending.set(
        reporter,
        all.catch((error: unknown) => breakDown(reporter, error)),
      )
    } catch (error) {
      breakDown(reporter, error)
    }
  }
  return {
    emit(made) {
      const event = redactEvent(made)
      if (event === undefined) return
      if (event.type === 'run_started') store.writeStart(event.start)
      if (event.type === 'case_finished') store.writeResult(event.result)
      if (event.type === 'case_stability') store.writeStability(event.stability)
      if (event.type === 'run_finished') store.writeSummary(event.summary, event.exitCode)
      for (const reporter of insiders) notify(reporter, made)
      for (const reporter of reporters) notify(reporter, event)
    },
    async draft(made, plan) {
      const event = redactEvent(made)
      if (event?.type !== 'run_finished') return
      for (const reporter of reporters) {
        if (broken.has(reporter)) continue
        await reporter
          .draft?.(event, (options) => store.results(plan, options))
          .catch((error: unknown) => breakDown(reporter, error))
      }
    },
    async finish(plan) {
      for (const reporter of [...insiders, ...reporters]) {
        await pending.get(reporter)
        if (broken.has(reporter)) continue
        try {
          await reporter.finish?.((options) => store.results(plan, options))
        } catch (error) {
          breakDown(reporter, error)
        }
      }
      return [...broken.values()]
    },
  }
}
