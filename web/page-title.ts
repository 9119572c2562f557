import { oneLine } from '../src/reporters/printable.ts'
import { countOutcomes } from './outcomes.ts'
import type { ReportData } from './report-data.ts'

export function pageTitle(data: ReportData): string {
  const { origin, agent_id: agent } = data.run.start
  const mark = origin === undefined ? '' : `(${origin.kind}) `
  return `${mark}${judgeRun(data).text} · ${oneLine(agent, 60)} · viva`
}

export interface Verdict {
  outcome: 'passed' | 'failed' | 'broken'
  text: string
}

/** The verdict in a sentence. It is green only if viva exited with 0. */
export function judgeRun({ run, rows }: ReportData): Verdict {
  const { failed, broken, passed } = countOutcomes(rows)
  const { exit_code: exitCode, not_run: notRun, interrupted } = run.summary
  const played = rows.filter(({ retrying }) => !retrying).length
  const total = Math.max(run.summary.total, played)
  const share = (count: number) =>
    total === 1 ? 'The only result' : `${count.toLocaleString('en')} of ${total.toLocaleString('en')}`
  const { carried_over: carried = 0 } = run.summary
  if (total === 0 && carried > 0)
    return {
      outcome: exitCode === 0 ? 'passed' : 'broken',
      text: 'Nothing was run: everything was carried over',
    }
  if (total === 0) return { outcome: 'broken', text: 'Nothing was run' }
  // Gates decide how many may fail: the exit code of viva counts.
  if (run.summary.gates !== undefined && exitCode === 0)
    return { outcome: 'passed', text: `Gates reached, ${share(passed).toLowerCase()} passed` }
  if (failed > 0) {
    const others = broken > 0 ? `, ${broken.toLocaleString('en')} could not be judged` : ''
    return { outcome: 'failed', text: `${share(failed)} failed${others}` }
  }
  if (broken > 0) return { outcome: 'broken', text: `${share(broken)} could not be judged` }
  if (notRun + interrupted > 0)
    return { outcome: 'broken', text: `${share(notRun + interrupted)} did not finish` }
  if (passed === 0 && exitCode === 2) return { outcome: 'broken', text: 'Nothing could be judged' }
  const text = passing(passed, total)
  if (exitCode !== 0) return { outcome: 'broken', text: `${text}, but viva exited with ${exitCode}` }
  return { outcome: 'passed', text }
}

function passing(passed: number, total: number): string {
  if (passed === 0) return 'No case passed, and none failed'
  if (passed < total)
    return `${passed.toLocaleString('en')} of ${total.toLocaleString('en')} passed, none failed`
  return total === 1 ? 'Passed' : `All ${total.toLocaleString('en')} passed`
}
