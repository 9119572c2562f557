import { startToLine, summaryToLine } from '../results/journal.ts'
import { toLine } from '../results/line.ts'
import type { RunEvent } from '../run-event.ts'
import type { Reporter } from './reporter.ts'

/** `--json`: every event as one line of JSON; results in the shape they have in the journal. */
export function jsonEventsReporter(write: (text: string) => void): Reporter {
  return {
    name: '--json',
    on(event) {
      write(`${JSON.stringify(eventToLine(event))}\n`)
    },
  }
}

function eventToLine(event: RunEvent): object {
  switch (event.type) {
    case 'run_started':
      return { ...startToLine(event.start), type: event.type }
    case 'case_finished':
      return { ...toLine(event.result), type: event.type }
    case 'run_finished':
      return { ...summaryToLine(event.summary, event.exitCode), type: event.type }
    default:
      return event
  }
}
