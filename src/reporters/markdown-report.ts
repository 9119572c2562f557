import { dollars } from '../dollars.ts'
import { shortTime } from '../duration.ts'
import type { CaseResult } from '../results/result.ts'
import { type CaseStability, stabilityOver } from '../results/stability.ts'
import type { RunStart } from '../results/summary.ts'
import { passRate } from '../results/tally.ts'
import { totalCost } from '../results/usage.ts'
import { shorten } from '../shorten.ts'
import { markdownText } from './markdown-text.ts'
import { printable } from './printable.ts'
import type { FinishedRun, Render } from './report.ts'
import {
  checksThatFail,
  conversationText,
  type Outcome,
  outcomeOf,
  reasonOf,
  titleOf,
} from './shown-result.ts'

/** What a comment on a pull request may hold, with room for what is around it. */
const longest = 60_000
const longestConversation = 4000
const mostStabilityRows = 50

/** Fit for a comment on a pull request: what did not pass first, with its conversation folded away. */
export const markdownReport: Render = async function* (run, results) {
  const page = new Page(longest)
  yield page.add(head(run))
  if (run.start.runs > 1) yield page.add(stabilityTable((await stabilityOver(results())).cases()))
  yield '\n## Results\n'
  for (const wanted of [true, false]) {
    for await (const result of results()) {
      const outcome = outcomeOf(result)
      const isOpen = outcome !== 'passed' && outcome !== 'skipped'
      if (!result.retrying && isOpen === wanted) yield page.add(section(result, run.start))
    }
  }
  yield page.end()
}

/** Counts what was left out when there is no more room. */
class Page {
  #left: number
  #dropped = 0

  constructor(room: number) {
    this.#left = room
  }

  add(text: string): string {
    if (text.length > this.#left) {
      this.#dropped += 1
      return ''
    }
    this.#left -= text.length
    return text
  }

  end(): string {
    return this.#dropped === 0 ? '' : `\n…and ${this.#dropped} more, for which there is no room here.\n`
  }
}

function head({ start, summary }: FinishedRun): string {
  const { environment } = start
  const rate = passRate(summary)
  const rows: [string, string | number][] = [
    ['Agent', start.agentId || 'script tests'],
    ...(start.connector === undefined ? [] : [['Connector', start.connector] as [string, string]]),
    ['Total', summary.total],
    ['Passed', summary.passed],
    ['Failed', summary.failed],
    ...counted('Skipped', summary.skipped),
    ...counted('Not played', summary.notRun + summary.interrupted),
    ...counted('Known failures', summary.expectedFailures),
    ...counted("Not the agent's fault", summary.worldFailures),
    ...counted('Flaky', summary.flaky),
    ...counted('Unchecked', summary.unchecked),
    ['Pass Rate', rate === undefined ? 'nothing was judged' : `${rate}%`],
    ['Duration', shortTime(summary.durationMs)],
  ]
  const settings: [string, string][] = [
    ['User', environment.userId],
    ['Team', environment.teamId],
    ['Locale', environment.locale],
  ]
  return [
    '# Agent Test Report\n\n## Summary\n\n',
    table(['Metric', 'Value'], rows),
    variantTable(summary),
    '\n## Environment\n\n',
    table(['Setting', 'Value'], settings),
  ].join('')
}

function variantTable({ variants }: FinishedRun['summary']): string {
  if (variants === undefined) return ''
  const rows = Object.entries(variants).map(([variant, counts]) => {
    const rate = passRate(counts)
    const cost = totalCost(counts.usage)
    return [
      variant,
      counts.passed,
      counts.failed,
      rate === undefined ? 'nothing was judged' : `${rate}%`,
      cost === undefined ? 'unknown' : dollars(cost),
    ]
  })
  return `\n## Variants\n\n${table(['Variant', 'Passed', 'Failed', 'Pass Rate', 'Cost'], rows)}`
}

/** The least stable first; as many as there is room for beside the rest. */
function stabilityTable(cases: readonly CaseStability[]): string {
  const rows = [...cases]
    .sort((one, other) => (one.passRate ?? 101) - (other.passRate ?? 101))
    .map(({ id, variant, runs, passed, passRate, stability, durations }) => [
      cases.some((other) => other.variant !== variant) ? `${id} (${variant})` : id,
      runs,
      passed,
      passRate === undefined ? 'nothing was judged' : `${passRate}%`,
      stability ?? '',
      shortTime(durations.average),
    ])
  const left = rows.length - mostStabilityRows
  return [
    '\n## Stability\n\n',
    table(['Case', 'Runs', 'Passed', 'Pass Rate', 'Stability', 'Average'], rows.slice(0, mostStabilityRows)),
    left > 0 ? `\n…and ${left} more, none less stable than these.\n` : '',
  ].join('')
}

function counted(name: string, count: number): [string, number][] {
  return count === 0 ? [] : [[name, count]]
}

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => markdownText(String(cell))).join(' | ')} |\n`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('')
}

const marks: Record<Outcome, [mark: string, word: string]> = {
  passed: ['✅', 'Passed'],
  failed: ['❌', 'Failed'],
  broken: ['⚠️', "Failed, not the agent's fault"],
  known: ['☑️', 'Failed as known'],
  skipped: ['⏭️', 'Skipped'],
  unfinished: ['⏹️', 'Not finished'],
}

/** One result, with all that was said. */
export function caseSection(result: CaseResult, start: RunStart): string {
  return section(result, start, Number.POSITIVE_INFINITY).trimStart()
}

function section(result: CaseResult, start: RunStart, room = longestConversation): string {
  const outcome = outcomeOf(result)
  const [mark, word] = marks[outcome]
  const { name, durationMs, flaky } = result
  const title = `${markdownText(titleOf(result, start))}${name === undefined ? '' : `: ${markdownText(name)}`}`
  const heading = `\n### ${mark} ${title} - ${word}${flaky ? ', flaky' : ''} (${shortTime(durationMs)})\n`
  if (outcome === 'passed' && room === longestConversation) return heading
  const checks = checksThatFail(result).map(
    ({ turn, type, reason }) =>
      `- ${turn === undefined ? '' : `turn ${turn}: `}${markdownText(type)}: ${markdownText(reason)}\n`,
  )
  const conversation = shorten(conversationText(result), room)
  return [
    heading,
    outcome === 'passed' ? '' : `\n${markdownText(reasonOf(result), 500)}\n`,
    checks.length === 0 ? '' : `\n${checks.join('')}`,
    conversation === ''
      ? ''
      : `\n<details><summary>Conversation</summary>\n\n${fenced(conversation)}\n</details>\n`,
  ].join('')
}

/** A block that its own content cannot end. */
function fenced(text: string): string {
  const shown = printable(text)
  const longestRun = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}text\n${shown}\n${fence}\n`
}
