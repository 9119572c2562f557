import { appendFileSync } from 'node:fs'
import { failuresAreAllowed } from '../results/tally.ts'
import { carriedText } from './carried-text.ts'
import { markdownReport } from './markdown-report.ts'
import { originHeading, originMeaning } from './origin-text.ts'
import { oneLine, printable } from './printable.ts'
import { listenToRun } from './report.ts'
import type { Reporter } from './reporter.ts'
import { listRequirements } from './requirements.ts'
import { describeReason, resultTitle, shownOutcome } from './shown-result.ts'

/** GitHub does not show more. */
const mostAnnotations = 50

export interface GithubOptions {
  /** Writes workflow commands to the log of the job. */
  write(text: string): void
  /** `GITHUB_STEP_SUMMARY` */
  summaryFile: string | undefined
}

/** For GitHub Actions: annotates failures at the line of their case, and adds the report to the summary of the job. */
export function githubReporter({ write, summaryFile }: GithubOptions): Reporter {
  const { events, on, run } = listenToRun()
  return {
    name: 'github',
    events,
    on,
    async finish(results) {
      const { start, summary } = run()
      const levelOfFailed = failuresAreAllowed(summary) ? 'warning' : 'error'
      const missed = listRequirements(summary).filter(({ outcome }) => outcome !== 'passed')
      for (const { name, text, outcome } of missed)
        write(annotation(outcome === 'failed' ? 'error' : 'warning', '', name, text))
      if (start.origin !== undefined)
        write(annotation('notice', '', originHeading(start.origin), originMeaning))
      if (summary.carriedOver !== undefined)
        write(annotation('notice', '', 'Carried over', carriedText(summary.carriedOver)))
      let count = missed.length
      for await (const result of results()) {
        const outcome = shownOutcome(result)
        if ((outcome !== 'failed' && outcome !== 'broken') || count >= mostAnnotations) continue
        count += 1
        const { file } = result.key
        const place = file === '' ? '' : `file=${escapeProperty(printable(file))},line=${result.line},`
        const level = outcome === 'failed' ? levelOfFailed : 'warning'
        write(annotation(level, place, resultTitle(result, start), describeReason(result)))
      }
      if (summaryFile === undefined) return
      for await (const part of markdownReport(run(), results)) appendFileSync(summaryFile, part)
    },
  }
}

function annotation(
  level: 'error' | 'warning' | 'notice',
  place: string,
  title: string,
  text: string,
): string {
  return `::${level} ${place}title=${escapeProperty(oneLine(title, 100))}::${escapeMessage(oneLine(text, 500))}\n`
}

/** Escaped, so that no text of an agent can act as a command. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
