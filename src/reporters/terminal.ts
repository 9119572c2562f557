import type { CaseStability } from '../results/case-stability.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunStart } from '../results/summary.ts'
import type { Inked, Pen } from './pen.ts'
import type { Reporter } from './reporter.ts'
import { isScriptRun } from './script-report.ts'
import { caseLines, retryLine } from './terminal-case.ts'
import { createComparison } from './terminal-compare.ts'
import { createProgress, type Screen } from './terminal-progress.ts'
import { scriptBanner, scriptSummary, scriptTestLines } from './terminal-script.ts'
import { stabilityLines } from './terminal-stability.ts'
import { banner, demandLines, givenUpLine, summaryLines } from './terminal-summary.ts'

export interface TerminalOptions {
  screen: Screen
  pen: Pen
  verbose: boolean
  /** As the user named it. */
  input: string
  /** Message mode: the reply goes to stdout, and there is little else to say. */
  reply?: (text: string) => void
}

/** The run as a person follows it. */
export function terminalReporter(options: TerminalOptions): Reporter {
  const { screen, pen } = options
  const progress = createProgress(screen, pen)
  const compared = createComparison()
  let started: RunStart | undefined
  const cases: CaseStability[] = []
  let several = false
  /** How many files of script tests are run, where nothing else is. */
  let scripts = 0
  const print = (lines: readonly Inked[]) => progress.above(lines)
  return {
    name: 'terminal',
    on(event) {
      switch (event.type) {
        case 'run_started':
          started = event.start
          progress.start(event.start.totalCases * event.start.runs)
          several = event.start.variants.length > 1
          scripts = isScriptRun(event.start) ? (event.start.scripts ?? []).length : 0
          if (!options.reply)
            print(scripts > 0 ? scriptBanner(event.start, pen) : banner(event.start, options))
          return
        case 'case_started':
          progress.caseStarted()
          return
        case 'target_given_up':
          print([givenUpLine(event, pen)])
          return
        case 'case_finished': {
          const { result } = event
          if (result.retrying) {
            progress.attemptFinished()
            print([retryLine(result, pen)])
            return
          }
          progress.caseFinished(result.status)
          if (several && result.script === undefined) compared.add(result)
          if (result.status === 'not_run') return
          const reply = result.view.turns.at(-1)?.reply
          if (options.reply && result.status === 'passed' && reply) options.reply(reply.content)
          else if (scripts > 0 || (result.script !== undefined && result.status !== 'passed'))
            print(scriptTestLines(result, pen, { several: scripts !== 1, verbose: options.verbose }))
          else
            print(
              caseLines(
                several && result.script === undefined ? named(result) : result,
                pen,
                options.verbose,
              ),
            )
          return
        }
        case 'case_stability':
          cases.push(event.stability)
          return
        case 'run_finished':
          progress.stop()
          if (!options.reply)
            print(
              scripts > 0
                ? [
                    ...scriptSummary(event.summary, pen),
                    ...demandLines(event.summary, pen),
                    ...stabilityLines(cases, started, pen),
                  ]
                : [
                    ...summaryLines(event.summary, pen),
                    ...stabilityLines(cases, started, pen),
                    ...compared.lines(event.summary, pen),
                  ],
            )
          return
        default:
      }
    },
  }
}

/** Where several variants are played, each result says whose it is. */
function named(result: CaseResult): CaseResult {
  return { ...result, name: `${result.name === undefined ? '' : `${result.name} `}(${result.key.variant})` }
}
