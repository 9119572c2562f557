import { oneLine } from '../src/reporters/printable.ts'
import { countsOf } from './outcomes.ts'
import type { ReportData } from './report-data.ts'

export function pageTitle({ run, rows }: ReportData): string {
  const { failed, broken } = countsOf(rows)
  const verdict = failed > 0 ? `${failed} failed` : broken > 0 ? `${broken} broken` : 'passed'
  return `${verdict} · ${oneLine(run.start.agent_id, 60)} · viva`
}

/** The verdict in a sentence. */
export function verdictOf({ rows }: ReportData): { outcome: 'passed' | 'failed' | 'broken'; text: string } {
  const counts = countsOf(rows)
  const total = rows.filter(({ retrying }) => !retrying).length
  const of =
    total === 1 ? 'The only result' : `${counts.failed.toLocaleString('en')} of ${total.toLocaleString('en')}`
  if (total === 0) return { outcome: 'broken', text: 'Nothing was played' }
  if (counts.failed > 0) return { outcome: 'failed', text: `${of} failed` }
  if (counts.broken > 0)
    return {
      outcome: 'broken',
      text: `${counts.broken.toLocaleString('en')} of ${total.toLocaleString('en')} could not be judged`,
    }
  if (counts.unfinished > 0)
    return {
      outcome: 'broken',
      text: `${counts.unfinished.toLocaleString('en')} of ${total.toLocaleString('en')} did not finish`,
    }
  if (counts.passed === 0) return { outcome: 'broken', text: 'Nothing passed, nothing failed' }
  if (counts.passed === total)
    return { outcome: 'passed', text: total === 1 ? 'Passed' : `All ${total.toLocaleString('en')} passed` }
  return {
    outcome: 'passed',
    text: `${counts.passed.toLocaleString('en')} of ${total.toLocaleString('en')} passed, none failed`,
  }
}
