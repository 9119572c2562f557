import { compact } from '../json/defined.ts'
import type { GateOutcome } from '../results/gates.ts'
import { type ComparisonSummary, type RunStart, type RunSummary, verdictTone } from '../results/summary.ts'
import { agentFailures, passRate } from '../results/tally.ts'
import { totalCost, type UsageByRole } from '../results/usage.ts'
import type { GivenUp } from '../scope/targets.ts'
import { pluralize } from '../text/counted.ts'
import { formatDollars } from '../text/dollars.ts'
import { shortTime } from '../text/duration.ts'
import { carriedText } from './carried-text.ts'
import { costText } from './cost-text.ts'
import { gateText } from './gate-text.ts'
import { originHeading, originText } from './origin-text.ts'
import type { Inked, Pen } from './pen.ts'
import { rateText } from './rate-text.ts'
import { repairsText } from './repairs-text.ts'
import { resumedText } from './resumed-text.ts'
import { shardText } from './shard-text.ts'

const heavy = '═'.repeat(63)
const light = '─'.repeat(63)

/** The lines before the first case. `input` is what the user gave. */
export function banner(start: RunStart, { pen, input }: { pen: Pen; input: string }): Inked[] {
  const count = pluralize(start.totalCases, 'test case')
  const info = pen.cyan('ℹ')
  return [
    pen.dim(heavy),
    pen.line`  ${pen.bold(start.multiTurn ? 'Agent Test (Multi-Turn)' : 'Agent Test')}`,
    pen.dim(heavy),
    pen.line`${info} Agent: ${start.agentId}`,
    ...(start.connector === undefined ? [] : [pen.line`${info} Connector: ${start.connector}`]),
    pen.line`${info} Input: ${input} (${count})`,
    ...compact([
      shardText(start),
      start.origin && originHeading(start.origin),
      ...resumedText(start),
      start.carriedOver && carriedText(start.carriedOver.length),
    ]).map((text) => pen.line`${info} ${text}`),
    pen.line``,
    pen.dim(light),
    pen.line`  ${pen.bold('Running Tests')}`,
    pen.dim(light),
    pen.line``,
  ]
}

/** The lines after the last case. */
export function summaryLines(summary: RunSummary, pen: Pen, run?: Pick<RunStart, 'origin'>): Inked[] {
  const failed = agentFailures(summary)
  const { autoParallel, carriedOver = 0 } = summary
  const repairs = repairsText(summary.usage)
  const yellowCount = (count: number, text = '') => count > 0 && pen.yellow(`${count}${text}`)
  const hasRate = passRate(summary) !== undefined || summary.origin !== undefined
  const origin = run?.origin && pen.yellow(originText(run.origin))
  const rows: [string, Inked | undefined | false | ''][] = [
    ['Total:', pen.line`${pluralize(summary.total, 'test')}`],
    ['Carried:', carriedOver > 0 && pen.cyan(`${carriedOver} unchanged since they passed, not run`)],
    ['Passed:', summary.passed > 0 ? pen.green(String(summary.passed)) : pen.line`0`],
    ['Failed:', failed > 0 ? pen.red(String(failed)) : pen.line`0`],
    ['Expected:', yellowCount(summary.expectedFailures, ' failed as expected')],
    ['Skipped:', yellowCount(summary.skipped)],
    ['Stopped:', yellowCount(summary.interrupted)],
    ['Not run:', yellowCount(summary.notRun)],
    ['Flaky:', yellowCount(summary.flaky, ' passed only after a retry')],
    ['Errors:', infrastructureInk(summary, pen)],
    ['Viva:', summary.vivaFailures > 0 && pen.red(vivaText(summary))],
    ['Origin:', origin],
    ['Rate:', hasRate && pen.line`${rateText(summary)}`],
    ...(summary.gates ?? []).map((gate): [string, Inked] => ['Gate:', gateInk(gate, pen)]),
    ['Saved:', savedText(summary, pen)],
    ['Compared:', summary.comparison && comparisonInk(summary.comparison, pen)],
    ['Budget:', summary.overBudget && pen.red(summary.overBudget)],
    ['Cost:', costInk(summary.usage, pen)],
    ['Parallel:', autoParallel !== undefined && pen.line`auto, at most ${autoParallel} at once`],
    ['Time:', pen.line`${shortTime(summary.durationMs)}`],
  ]
  return [
    pen.line``,
    pen.dim(light),
    pen.line`  ${pen.bold('Summary')}`,
    pen.dim(light),
    ...rows.flatMap(([label, value]) => (value ? [pen.line`  ${label.padEnd(8)} ${value}`] : [])),
    ...turnRows(summary, pen),
    // An empty shard had nothing to judge, and says so.
    ...(summary.total > 0 && summary.passed + summary.failed + summary.expectedFailures === 0
      ? [pen.line``, pen.yellow('  ⚠ Nothing was judged')]
      : []),
    ...(summary.total === 0 && carriedOver > 0
      ? [pen.line``, pen.green('  ✓ Everything was carried over: nothing has changed since it passed')]
      : []),
    ...(summary.unchecked > 0 ? [pen.line``, pen.yellow(uncheckedText(summary.unchecked))] : []),
    ...(repairs === undefined ? [] : [pen.line``, pen.yellow(`  ⚠ ${repairs}`)]),
    pen.line``,
  ]
}

/** Printed once, when a run gives up on an endpoint that never answers. */
export function givenUpLine({ target, tests, message }: GivenUp, pen: Pen): Inked {
  const why = pen.line`${pluralize(tests, 'test')} without a success (${message})`
  return pen.line`${pen.red('✗')} Gave up on ${target}: ${why}. Cases that need it are not run.`
}

/** Gates, budget and comparison, for summaries that have no rows. */
export function demandLines(summary: RunSummary, pen: Pen): Inked[] {
  const lines = compact([
    ...(summary.gates ?? []).map((gate) => gateInk(gate, pen)),
    summary.overBudget && pen.red(summary.overBudget),
    summary.comparison && comparisonInk(summary.comparison, pen),
  ])
  return lines.length === 0 ? [] : [...lines.map((line) => pen.line`  ${line}`), pen.line``]
}

export function comparisonInk({ verdict, text }: Omit<ComparisonSummary, 'baseline'>, pen: Pen): Inked {
  const ink = { good: pen.green, bad: pen.red, unclear: pen.yellow }[verdictTone(verdict)]
  return ink(text)
}

function gateInk(gate: GateOutcome, pen: Pen): Inked {
  const text = gateText(gate)
  if (gate.status === 'undecided') return pen.yellow(`${text}, so the gate is not reached`)
  return gate.status === 'reached' ? pen.green(text) : pen.red(text)
}

/** With `--runs auto`, the runs that were not needed to decide. */
function savedText(
  { sparedRuns = 0, total, notRun, interrupted, usage }: RunSummary,
  pen: Pen,
): Inked | undefined {
  if (sparedRuns === 0) return undefined
  const played = Math.max(1, total - notRun - interrupted)
  const { generator: _, reporter: __, ...ofCases } = usage
  const calls = Object.values(ofCases).reduce((sum, each) => sum + each.calls, 0)
  return pen.line`${sparedRuns} runs that were not needed, about ${Math.round((calls / played) * sparedRuns)} calls`
}

/** Omitted when every case has one turn: the number would say nothing. */
function turnRows({ total, totalTurns }: RunSummary, pen: Pen): Inked[] {
  if (totalTurns <= total) return []
  const average = Math.round((totalTurns / total) * 10) / 10
  return [pen.line``, pen.line`  Total turns: ${totalTurns}`, pen.line`  Avg turns/test: ${average}`]
}

/** Omitted when nothing was paid, and for agents that do not report their tokens. */
function costInk(usage: UsageByRole, pen: Pen): Inked | undefined {
  const roles = Object.entries(usage).filter(([, { cost = 0, inputTokens, unpricedCalls }]) =>
    unpricedCalls === undefined ? cost > 0 : inputTokens !== undefined,
  )
  if (roles.length === 0) return undefined
  const parts = roles.map(([role, { cost, unpricedCalls }]) =>
    unpricedCalls === undefined ? `${role} ${formatDollars(cost ?? 0)}` : `${role} unknown`,
  )
  const hint = totalCost(usage) === undefined ? '; set "prices" in the config to know it' : ''
  return pen.line`${costText(usage)} (${parts.join(', ')})${hint}`
}

function infrastructureInk(
  { infrastructureErrors, infrastructureSkips }: RunSummary,
  pen: Pen,
): Inked | undefined {
  const parts = compact([
    infrastructureErrors > 0 && pluralize(infrastructureErrors, 'infrastructure error'),
    infrastructureSkips > 0 && pluralize(infrastructureSkips, 'skip'),
  ])
  if (parts.length === 0) return undefined
  return pen.yellow(`${parts.join(', ')}: not the agent's fault, not counted in the rate`)
}

function vivaText({ vivaFailures }: RunSummary): string {
  const failures = pluralize(vivaFailures, 'failure is a bug', 'failures are bugs')
  return `${failures} in viva, not counted in the rate`
}

function uncheckedText(unchecked: number): string {
  const cases = pluralize(unchecked, 'passed case was not checked', 'passed cases were not checked')
  return `  ⚠ ${cases}: any answer of the agent passes (--require-checks makes that an error)`
}
