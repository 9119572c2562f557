import type { ItemList } from '../json/lazy-list.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { listFailedChecks } from '../results/failed-checks.ts'
import { mainConnector } from '../results/main-connector.ts'
import type { CaseResult } from '../results/result.ts'
import { passedShare, tallyStability } from '../results/stability.ts'
import { stabilityText } from '../results/stability-class.ts'
import type { RunStart } from '../results/summary.ts'
import { agentFailures, missingResults, passRate } from '../results/tally.ts'
import { totalReplayed } from '../results/usage.ts'
import { beginsWith } from '../system/begins-with.ts'
import { shortTime } from '../text/duration.ts'
import { shorten } from '../text/shorten.ts'
import { carriedTitle } from './carried-text.ts'
import { checkDiff } from './check-diff.ts'
import { costText } from './cost-text.ts'
import { gateText } from './gate-text.ts'
import {
  caseMarkdown,
  counted,
  fenced,
  known,
  markdownTable,
  marks,
  type Row,
  ranks,
} from './markdown-parts.ts'
import { markdownText } from './markdown-text.ts'
import { originNote } from './origin-text.ts'
import { passKLines } from './pass-k-lines.ts'
import { rateText } from './rate-text.ts'
import { repairsText } from './repairs-text.ts'
import type { FinishedRun, Render } from './report.ts'
import { shardText } from './shard-text.ts'
import {
  conversationText,
  describeReason,
  failedCheckText,
  resultTitle,
  type ShownOutcome,
  shownOutcome,
} from './shown-result.ts'

/** The limit for a comment on a pull request, with some room for the text around the report. */
const longest = 60_000
const longestConversation = 4000
const mostStabilityRows = 50

/** Fit for a comment on a pull request: what did not pass first, with its conversation folded away. */
export const markdownReport: Render = async function* (run, results) {
  const page = new Page(longest)
  yield page.add(head(run)) ?? ''
  if (run.start.runs > 1)
    yield page.add(stabilityTable((await tallyStability(results())).cases(), run.start)) ?? ''
  yield '\n## Results\n'
  const { failed, notRun, interrupted } = run.summary
  let open = failed + notRun + interrupted
  const leftOut: string[] = []
  for (const { outcomes, left } of ranks) {
    let dropped = 0
    for await (const result of results()) {
      if (!outcomes.includes(shownOutcome(result))) continue
      open -= 1
      // A long section must leave room for the headings of all the others.
      const room = page.left - Math.max(0, open) * shortSection
      const whole = section(result, run.start)
      const added =
        leftOut.length > 0 || dropped > 0
          ? undefined
          : page.add(whole.length <= room ? whole : section(result, run.start, 0))
      if (added === undefined) dropped += 1
      else yield added
    }
    if (dropped > 0) leftOut.push(`${dropped} ${left}`)
  }
  const carried = page.add(carriedList(run.start))
  if (carried !== undefined) yield carried
  if (leftOut.length > 0) yield `\n…and ${leftOut.join(', ')}, left out to keep this report short.\n`
}

const mostCarried = 100

function carriedList({ carriedOver = [], variants }: RunStart): string {
  if (carriedOver.length === 0) return ''
  const names = carriedOver
    .slice(0, mostCarried)
    .map((each) => `- ${markdownText(carriedTitle(each, variants))}, passed at ${each[3]}\n`)
  const more = carriedOver.length - names.length
  return [
    '\n## Carried over\n\nUnchanged since they passed, and not run:\n\n',
    ...names,
    more > 0 ? `\n…and ${more} more.\n` : '',
  ].join('')
}

/** About the size of a heading with a reason. */
const shortSection = 200

/** Counts how much room is left. */
class Page {
  left: number

  constructor(room: number) {
    this.left = room
  }

  /** Undefined when there is no more room. */
  add(text: string): string | undefined {
    if (text.length > this.left) return undefined
    this.left -= text.length
    return text
  }
}

function head({ start, summary }: FinishedRun): string {
  const { environment } = start
  const failed = agentFailures(summary)
  const rate = passRate(summary)
  // When every result could be judged, the rows above already say how many there are.
  const isOfAll = summary.total > 0 && summary.passed + failed === summary.total
  const rows: Row[] = [
    ['Agent', start.agentId || 'script tests'],
    ...known('Connector', start.connector),
    ...known('Part', shardText(start)),
    ['Total', summary.total],
    ['Passed', summary.passed],
    ['Failed', failed],
    ...counted('Carried over', summary.carriedOver ?? 0),
    ...counted('Skipped', summary.skipped),
    ...counted('Not run', missingResults(summary)),
    ...counted('Known failures', summary.expectedFailures),
    ...counted('Infrastructure errors', summary.infrastructureErrors),
    ...counted('Bugs in viva', summary.vivaFailures),
    ...counted('Flaky', summary.flaky),
    ...counted('Unchecked', summary.unchecked),
    ['Pass Rate', isOfAll && rate !== undefined ? `${rate}%` : rateText(summary)],
    ...(summary.gates ?? []).map((gate) => ['Gate', `${gate.status}: ${gateText(gate)}`]),
    ...known('Compared', summary.comparison?.text),
    ...known('Budget', summary.overBudget),
    ...known('Judge', repairsText(summary.usage)),
    ...known('Cost', totalReplayed(summary.usage).calls > 0 ? costText(summary.usage) : undefined),
    ['Duration', shortTime(summary.durationMs)],
  ]
  const settings = [
    ['User', environment.userId],
    ['Team', environment.teamId],
    ['Locale', environment.locale],
  ]
  return [
    '# Agent Test Report\n',
    start.origin === undefined ? '' : `\n> ⚠️ ${markdownText(originNote(start.origin), 500)}\n`,
    '\n## Summary\n\n',
    markdownTable(['Metric', 'Value'], rows),
    variantTable(summary),
    '\n## Environment\n\n',
    markdownTable(['Setting', 'Value'], settings),
  ].join('')
}

function variantTable({ variants }: FinishedRun['summary']): string {
  if (variants === undefined) return ''
  const rows = Object.entries(variants).map(([variant, counts]) => {
    const rate = passRate(counts)
    return [
      variant,
      counts.passed,
      agentFailures(counts),
      rate === undefined ? rateText(counts) : `${rate}%`,
      costText(counts.usage),
    ]
  })
  return `\n## Variants\n\n${markdownTable(['Variant', 'Passed', 'Failed', 'Pass Rate', 'Cost'], rows)}`
}

/** The least stable cases come first; the table is limited to leave room for the rest. */
function stabilityTable(cases: ItemList<CaseStability>, { variants, gates }: RunStart): string {
  const rows = [...cases]
    .sort((one, other) => (passedShare(one) ?? 2) - (passedShare(other) ?? 2))
    .slice(0, mostStabilityRows)
    .map(({ id, variant, runs, passed, consistency, durations, ...found }) => [
      variants.length > 1 ? `${id} (${variant})` : id,
      runs,
      passed,
      intervalText(found),
      stabilityText({ passed, ...found }),
      consistency ?? '',
      shortTime(durations.average),
    ])
  const left = cases.length - rows.length
  return [
    '\n## Stability\n\n',
    markdownTable(
      ['Case', 'Runs', 'Passed', 'Pass Rate (95% interval)', 'Stability', 'Consistency', 'Average'],
      rows,
    ),
    left > 0 ? `\n…and ${left} more, none less stable than these.\n` : '',
    ...passKLines(cases, gates).map((line) => `\n${markdownText(line)}\n`),
  ].join('')
}

function intervalText({
  passRate,
  interval,
  origin,
}: Pick<CaseStability, 'passRate' | 'interval' | 'origin'>) {
  if (origin !== undefined) return 'not computed'
  return passRate === undefined ? 'nothing was judged' : `${passRate}% (${interval?.low}–${interval?.high}%)`
}

const words: Record<ShownOutcome, string> = {
  passed: 'Passed',
  failed: 'Failed',
  broken: "Failed, not the agent's fault",
  known: 'Failed as known',
  skipped: 'Skipped',
  unfinished: 'Not finished',
}

/** One result with its whole conversation. */
export function caseSection(result: CaseResult, start: RunStart): string {
  return section(result, start, Number.POSITIVE_INFINITY).trimStart()
}

export function isCaseSection(path: string): boolean {
  return Object.values(marks).some((mark) => beginsWith(path, `### ${mark} `))
}

function section(result: CaseResult, start: RunStart, room = longestConversation): string {
  const outcome = shownOutcome(result)
  const { name, durationMs, flaky, origin } = result
  const reason = describeReason(result)
  const isShort = room === 0 || (reason === '' && room <= longestConversation)
  const failed = isShort ? [] : listFailedChecks(result)
  const conversation = isShort ? '' : shorten(conversationText(result), room)
  const title = [resultTitle(result, start), ...(name === undefined ? [] : [name])].map((text) =>
    markdownText(text),
  )
  return caseMarkdown({
    outcome,
    title: `${title.join(': ')} - ${words[outcome]}${flaky ? ', flaky' : ''}`,
    facts: [shortTime(durationMs), ...(origin === undefined ? [] : [origin])],
    reason: markdownText(reason, 500),
    bullets: failed.map((each) => markdownText(failedCheckText(each), 700)),
    differences: failed.flatMap(({ check }) => {
      const lines = checkDiff(check)
      return lines === undefined ? [] : fenced(lines.join('\n'), 'diff')
    }),
    notes: isShort
      ? []
      : known('Connector', mainConnector(result.view)).map(
          ([, id]) => `Connector: ${markdownText(String(id))}`,
        ),
    conversation: conversation === '' ? '' : fenced(conversation),
  })
}
