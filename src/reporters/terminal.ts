import { dollars } from '../dollars.ts'
import { shortTime } from '../duration.ts'
import type { CaseStability } from '../results/case-stability.ts'
import type { GateOutcome } from '../results/gates.ts'
import type { Key } from '../results/key.ts'
import { type CaseResult, isExpected } from '../results/result.ts'
import type { ComparisonSummary, RunStart, RunSummary } from '../results/summary.ts'
import { passRate } from '../results/tally.ts'
import { totalCost, type UsageByRole } from '../results/usage.ts'
import { gateText } from './gate-text.ts'
import type { Inked, Pen } from './pen.ts'
import type { Reporter } from './reporter.ts'
import { isScriptRun } from './script-report.ts'
import { caseLines, retryLine } from './terminal-case.ts'
import { createComparison } from './terminal-compare.ts'
import { createProgress, type Screen } from './terminal-progress.ts'
import { scriptBanner, scriptSummary, scriptTestLines } from './terminal-script.ts'
import { stabilityLines } from './terminal-stability.ts'

export interface TerminalOptions {
  screen: Screen
  pen: Pen
  verbose: boolean
  /** As the user named it. */
  input: string
  /** The command that plays only what failed. */
  rerunCommand(failed: readonly Key[]): string
  /** Message mode: the reply goes to stdout, and there is little else to say. */
  reply?: (text: string) => void
}

/** The run as a person follows it. */
export function terminalReporter(options: TerminalOptions): Reporter {
  const { screen, pen } = options
  const progress = createProgress(screen, pen)
  const failed: Key[] = []
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
        case 'case_finished': {
          const { result } = event
          if (result.retrying) {
            progress.attemptFinished()
            print([retryLine(result, pen)])
            return
          }
          progress.caseFinished(result.status)
          if (result.status === 'failed' && !isExpected(result)) failed.push(result.key)
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
          if (!options.reply && failed.length > 0) {
            print([
              pen.line`  Run what failed again:`,
              pen.line`    ${options.rerunCommand(failed)}`,
              pen.line``,
            ])
          }
          return
        default:
      }
    },
  }
}

function heavy(pen: Pen): Inked {
  return pen.dim('═'.repeat(63))
}

function light(pen: Pen): Inked {
  return pen.dim('─'.repeat(63))
}

function banner(start: RunStart, { pen, input }: TerminalOptions): Inked[] {
  const count = start.totalCases === 1 ? '1 test case' : `${start.totalCases} test cases`
  const info = pen.cyan('ℹ')
  return [
    heavy(pen),
    pen.line`  ${pen.bold('Agent Test')}`,
    heavy(pen),
    pen.line`${info} Agent: ${start.agentId}`,
    ...(start.connector === undefined ? [] : [pen.line`${info} Connector: ${start.connector}`]),
    pen.line`${info} Input: ${input} (${count})`,
    ...(start.resumed ? [pen.line`${info} Resumed: ${start.resumed} results are there already`] : []),
    pen.line``,
    light(pen),
    pen.line`  ${pen.bold('Running Tests')}`,
    light(pen),
    pen.line``,
  ]
}

function summaryLines(summary: RunSummary, pen: Pen): Inked[] {
  const rate = passRate(summary)
  const rows: [string, Inked | undefined][] = [
    ['Total:', pen.line`${summary.total === 1 ? '1 test' : `${summary.total} tests`}`],
    ['Passed:', summary.passed > 0 ? pen.green(String(summary.passed)) : pen.line`0`],
    ['Failed:', summary.failed > 0 ? pen.red(String(summary.failed)) : pen.line`0`],
    [
      'Expected:',
      summary.expectedFailures > 0
        ? pen.yellow(`${summary.expectedFailures} failed as their authors said`)
        : undefined,
    ],
    ['Skipped:', summary.skipped > 0 ? pen.yellow(String(summary.skipped)) : undefined],
    ['Stopped:', summary.interrupted > 0 ? pen.yellow(String(summary.interrupted)) : undefined],
    ['Not run:', summary.notRun > 0 ? pen.yellow(String(summary.notRun)) : undefined],
    ['Flaky:', summary.flaky > 0 ? pen.yellow(`${summary.flaky} passed only after a retry`) : undefined],
    ['World:', summary.worldFailures + summary.worldSkips > 0 ? pen.yellow(worldText(summary)) : undefined],
    ['Viva:', summary.vivaFailures > 0 ? pen.red(vivaText(summary)) : undefined],
    ['Rate:', rate === undefined ? undefined : pen.line`${rate}%`],
    ...(summary.gates ?? []).map((gate): [string, Inked] => ['Gate:', gateInk(gate, pen)]),
    ['Spared:', sparedText(summary, pen)],
    ['Compared:', summary.comparison && comparisonInk(summary.comparison, pen)],
    ['Budget:', summary.overBudget === undefined ? undefined : pen.red(summary.overBudget)],
    ['Cost:', costText(summary.usage, pen)],
    ['Time:', pen.line`${shortTime(summary.durationMs)}`],
  ]
  return [
    pen.line``,
    light(pen),
    pen.line`  ${pen.bold('Summary')}`,
    light(pen),
    ...rows.flatMap(([label, value]) => (value ? [pen.line`  ${label.padEnd(8)} ${value}`] : [])),
    ...turnRows(summary, pen),
    ...(summary.passed + summary.failed + summary.expectedFailures === 0
      ? [pen.line``, pen.yellow('  ⚠ Nothing was judged')]
      : []),
    ...(summary.unchecked > 0 ? [pen.line``, pen.yellow(uncheckedText(summary.unchecked))] : []),
    pen.line``,
  ]
}

/** What was demanded of a run, for those whose summary has no rows. */
function demandLines(summary: RunSummary, pen: Pen): Inked[] {
  const lines = [
    ...(summary.gates ?? []).map((gate) => gateInk(gate, pen)),
    ...(summary.overBudget === undefined ? [] : [pen.red(summary.overBudget)]),
    ...(summary.comparison === undefined ? [] : [comparisonInk(summary.comparison, pen)]),
  ]
  return lines.length === 0 ? [] : [...lines.map((line) => pen.line`  ${line}`), pen.line``]
}

function comparisonInk({ verdict, text }: ComparisonSummary, pen: Pen): Inked {
  if (verdict === 'regression') return pen.red(text)
  return verdict === 'improvement' || verdict === 'no regression' ? pen.green(text) : pen.yellow(text)
}

function gateInk(gate: GateOutcome, pen: Pen): Inked {
  const text = gateText(gate)
  if (gate.status === 'undecided') return pen.yellow(`${text}, so the gate is not reached`)
  return gate.status === 'reached' ? pen.green(text) : pen.red(text)
}

/** Of `--runs auto`: what the answer could be told without. */
function sparedText(
  { sparedRuns = 0, total, notRun, interrupted, usage }: RunSummary,
  pen: Pen,
): Inked | undefined {
  if (sparedRuns === 0) return undefined
  const played = Math.max(1, total - notRun - interrupted)
  const calls = Object.values(usage).reduce((sum, each) => sum + each.calls, 0)
  return pen.line`${sparedRuns} runs that were not needed, about ${Math.round((calls / played) * sparedRuns)} calls`
}

/** Where every case is one turn, their number says nothing. */
function turnRows({ total, totalTurns }: RunSummary, pen: Pen): Inked[] {
  if (totalTurns <= total) return []
  const average = Math.round((totalTurns / total) * 10) / 10
  return [pen.line``, pen.line`  Total turns: ${totalTurns}`, pen.line`  Avg turns/test: ${average}`]
}

/** Nothing where nothing was paid; agents that do not count their tokens are not reminded of it. */
function costText(usage: UsageByRole, pen: Pen): Inked | undefined {
  const roles = Object.entries(usage).filter(([, { cost = 0, inputTokens, unpricedCalls }]) =>
    unpricedCalls === undefined ? cost > 0 : inputTokens !== undefined,
  )
  if (roles.length === 0) return undefined
  const parts = roles.map(([role, { cost, unpricedCalls }]) =>
    unpricedCalls === undefined ? `${role} ${dollars(cost ?? 0)}` : `${role} unknown`,
  )
  const total = totalCost(usage)
  const hint = total === undefined ? '; "prices" in the config says what a model costs' : ''
  return pen.line`${total === undefined ? 'unknown' : dollars(total)} (${parts.join(', ')})${hint}`
}

function worldText({ worldFailures, worldSkips }: RunSummary): string {
  const failures = worldFailures === 1 ? '1 failure is' : `${worldFailures} failures are`
  const skips = worldSkips === 1 ? '1 skip is' : `${worldSkips} skips are`
  const which = [worldFailures > 0 ? [failures] : [], worldSkips > 0 ? [skips] : []].flat().join(', ')
  return `${which} not the agent's, and not in the rate`
}

function vivaText({ vivaFailures }: RunSummary): string {
  const failures = vivaFailures === 1 ? '1 failure is a bug' : `${vivaFailures} failures are bugs`
  return `${failures} of viva, and not in the rate`
}

function uncheckedText(unchecked: number): string {
  const cases = unchecked === 1 ? '1 passed case checks' : `${unchecked} passed cases check`
  return `  ⚠ ${cases} nothing but that the agent answers (--require-checks makes that an error)`
}

/** Where several variants are played, each result says whose it is. */
function named(result: CaseResult): CaseResult {
  return { ...result, name: `${result.name === undefined ? '' : `${result.name} `}(${result.key.variant})` }
}
