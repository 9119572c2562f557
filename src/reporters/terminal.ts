import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import { carriedReason, carriedTitle } from './carried-text.ts'
import { originHeading } from './origin-text.ts'
import type { Inked, Pen } from './pen.ts'
import { mainEvents, type Reporter } from './reporter.ts'
import type { Screen } from './screen.ts'
import { isScriptRun } from './script-report.ts'
import { resultTitle } from './shown-result.ts'
import { caseBlock, retryLine } from './terminal-case.ts'
import { createTerminalEnd, hasVariants } from './terminal-end.ts'
import { createProgress } from './terminal-progress.ts'
import { type Block, createRepeats, dropTimes } from './terminal-repeats.ts'
import { scriptBanner, scriptTestBlock } from './terminal-script.ts'
import { banner, givenUpLine } from './terminal-summary.ts'

export interface TerminalOptions {
  screen: Screen
  pen: Pen
  verbose: boolean
  /** What the user gave as input. */
  input: string
  /** Message mode: the reply goes to stdout, and little else is printed. */
  reply?: (text: string) => void
}

/** Shows the run to a person who follows it. */
export function terminalReporter(options: TerminalOptions): Reporter {
  const { screen, pen } = options
  const progress = createProgress(screen, pen)
  const end = createTerminalEnd(pen)
  let started: RunStart | undefined
  const print = progress.above
  const repeats = createRepeats(print, pen)
  const start = (run: RunStart) => {
    started = run
    progress.start({
      total: run.totalCases * run.runs,
      finished: run.resumed ?? 0,
      atMost: run.gates?.confidence !== undefined,
      titleOf: (key) => resultTitle({ key }, run),
    })
    repeats.start(run.runs)
    if (!options.reply) print(isScriptRun(run) ? scriptBanner(run, pen) : banner(run, options))
    else if (run.origin !== undefined) print([pen.dim(`ℹ ${originHeading(run.origin)}`)])
    if (options.verbose) print(carriedLines(run, pen))
  }
  const finishCase = (result: CaseResult) => {
    if (result.retrying) {
      progress.attemptFinished(result)
      return print([retryLine(result, pen)])
    }
    progress.caseFinished(result)
    if (result.status === 'not_run') return
    const reply = result.view.turns.at(-1)?.reply
    const block = (shown: CaseResult) => resultBlock(shown, started, options)
    if (options.reply && result.status === 'passed' && reply) options.reply(reply.content)
    else repeats.add(result.key, block(result), () => block(dropTimes(result)))
  }
  const finish = (summary: RunSummary) => {
    progress.stop()
    repeats.flush()
    if (!options.reply) print(end.lines(summary))
  }
  return {
    name: 'terminal',
    events: mainEvents,
    on(event) {
      end.on(event)
      if (event.type === 'run_started') start(event.start)
      if (event.type === 'case_started') progress.caseStarted(event.key)
      if (event.type === 'workers') progress.workersChanged(event)
      if (event.type === 'log' && event.late) print(lateLines(event, pen))
      if (event.type === 'target_given_up') print([givenUpLine(event, pen)])
      if (event.type === 'case_finished') finishCase(event.result)
      if (event.type === 'run_finished') finish(event.summary)
    },
  }
}

function carriedLines({ carriedOver = [], variants }: RunStart, pen: Pen): Inked[] {
  return carriedOver.map(
    (each) => pen.line`${pen.dim('≡')} ${carriedTitle(each, variants)}: ${carriedReason(each)}`,
  )
}

function resultBlock(
  result: CaseResult,
  run: RunStart | undefined,
  { pen, verbose }: TerminalOptions,
): Block {
  const scripts = run && isScriptRun(run) ? (run.scripts ?? []).length : 0
  if (scripts > 0 || (result.script !== undefined && result.status !== 'passed'))
    return scriptTestBlock(result, pen, { several: scripts !== 1, verbose })
  const named = hasVariants(run) && result.script === undefined ? withVariantName(result) : result
  return caseBlock(named, pen, verbose)
}

/** A log line that arrived after its case was reported. */
function lateLines({ key, text }: { key: Key; text: string }, pen: Pen): Inked[] {
  const [first = '', ...others] = text.split('\n')
  return [
    pen.line`${pen.yellow('⚠')} [${key.id}] ${first}`,
    ...others.map((line) => pen.dim(pen.line`  ${line}`)),
  ]
}

/** With several variants, each result names its own. */
function withVariantName(result: CaseResult): CaseResult {
  return { ...result, name: `${result.name === undefined ? '' : `${result.name} `}(${result.key.variant})` }
}
