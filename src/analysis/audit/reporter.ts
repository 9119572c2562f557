import type { Pen } from '../../reporters/pen.ts'
import { mainEvents, type Reporter } from '../../reporters/reporter.ts'
import type { Screen } from '../../reporters/screen.ts'
import { caseBlock } from '../../reporters/terminal-case.ts'
import { createProgress } from '../../reporters/terminal-progress.ts'
import { blockLines } from '../../reporters/terminal-repeats.ts'
import type { Audit } from './audit.ts'
import { auditLine, outcomeLine } from './json-lines.ts'
import { auditLines } from './lines.ts'

interface AuditOutput {
  screen: Screen
  pen: Pen
  verbose: boolean
  /** Writes JSON lines, when `--json` is given. */
  writeJson?: (line: object) => void
}

/** Passes results to the audit and prints what it finds. */
export function auditReporter(audit: Audit, { screen, pen, verbose, writeJson }: AuditOutput): Reporter {
  const progress = createProgress(screen, pen)
  return {
    name: 'audit',
    events: mainEvents,
    on(event) {
      if (event.type === 'run_started') progress.start({ total: event.start.totalCases })
      if (event.type === 'case_started') progress.caseStarted(event.key)
      if (event.type === 'case_finished') {
        const { result } = event
        progress.caseFinished(result)
        if (verbose) {
          const name = `${result.name ?? ''} against ${result.key.variant}`.trim()
          progress.above(blockLines(caseBlock({ ...result, name }, pen, true), '', pen))
        }
        const outcome = audit.add(result)
        writeJson?.(outcomeLine(result, outcome))
      }
      if (event.type === 'run_finished') {
        progress.stop()
        if (writeJson) writeJson(auditLine(audit))
        else progress.above(auditLines(audit, pen))
      }
    },
  }
}
