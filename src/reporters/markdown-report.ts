import { shortTime } from '../duration.ts'
import type { CaseResult } from '../results/result.ts'
import { passRate } from '../results/tally.ts'
import { shorten } from '../shorten.ts'
import { oneLine, printable } from './printable.ts'
import type { FinishedRun, Render } from './report.ts'
import { checksThatFail, conversationText, type Outcome, outcomeOf, reasonOf } from './shown-result.ts'

/** What a comment on a pull request may hold, with room for what is around it. */
const longest = 60_000
const longestConversation = 4000

/** Fit for a comment on a pull request: what did not pass first, with its conversation folded away. */
export const markdownReport: Render = async function* (run, results) {
  const page = new Page(longest)
  yield page.add(head(run))
  for (const wanted of [true, false]) {
    for await (const result of results()) {
      const outcome = outcomeOf(result)
      const isOpen = outcome !== 'passed' && outcome !== 'skipped'
      if (!result.retrying && isOpen === wanted) yield page.add(section(result, outcome))
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
    '\n## Environment\n\n',
    table(['Setting', 'Value'], settings),
    '\n## Results\n',
  ].join('')
}

function counted(name: string, count: number): [string, number][] {
  return count === 0 ? [] : [[name, count]]
}

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => plain(String(cell))).join(' | ')} |\n`
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
export function caseSection(result: CaseResult): string {
  return section(result, outcomeOf(result), Number.POSITIVE_INFINITY).trimStart()
}

function section(result: CaseResult, outcome: Outcome, room = longestConversation): string {
  const [mark, word] = marks[outcome]
  const { key, name, durationMs, flaky } = result
  const run = key.run > 1 ? ` (run ${key.run})` : ''
  const title = `${plain(key.id)}${run}${name === undefined ? '' : `: ${plain(name)}`}`
  const heading = `\n### ${mark} ${title} - ${word}${flaky ? ', flaky' : ''} (${shortTime(durationMs)})\n`
  if (outcome === 'passed' && room === longestConversation) return heading
  const checks = checksThatFail(result).map(
    ({ turn, type, reason }) =>
      `- ${turn === undefined ? '' : `turn ${turn}: `}${plain(type)}: ${plain(reason)}\n`,
  )
  const conversation = shorten(conversationText(result), room)
  return [
    heading,
    outcome === 'passed' ? '' : `\n${plain(reasonOf(result), 500)}\n`,
    checks.length === 0 ? '' : `\n${checks.join('')}`,
    conversation === ''
      ? ''
      : `\n<details><summary>Conversation</summary>\n\n${fenced(conversation)}\n</details>\n`,
  ].join('')
}

/** Words that are read as they are: no markup, no link, nobody mentioned. */
function plain(text: string, longest = 300): string {
  return oneLine(text, longest)
    .replace(/[\\`*_{}[\]()#+!|<>~$&]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/@/g, '&#64;')
    .replace(/:\/\//g, '&#58;//')
    .replace(/\bwww\./gi, (word) => `${word.slice(0, 3)}&#46;`)
}

/** A block that its own content cannot end. */
function fenced(text: string): string {
  const shown = printable(text)
  const longestRun = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}text\n${shown}\n${fence}\n`
}
