import { markdownText } from './markdown-text.ts'
import { printable } from './printable.ts'
import type { ShownOutcome } from './shown-result.ts'
import { escapeCommands } from './workflow-commands.ts'

export type Row = readonly (string | number)[]

export function markdownTable(heads: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map((cell) => markdownText(String(cell))).join(' | ')} |\n`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('')
}

/** A row for a figure that is only worth one where it is not 0. */
export function counted(name: string, count: number): Row[] {
  return count === 0 ? [] : [[name, count]]
}

/** A row for what is not always known. */
export function known(name: string, value: string | number | undefined): Row[] {
  return value === undefined ? [] : [[name, value]]
}

/** In this order: what needs a look first. */
export const ranks: readonly { outcomes: readonly ShownOutcome[]; left: string }[] = [
  { outcomes: ['failed', 'broken', 'unfinished'], left: 'that did not pass' },
  { outcomes: ['known'], left: 'that failed as known' },
  { outcomes: ['skipped', 'passed'], left: 'that passed or were skipped' },
]

export const marks: Record<ShownOutcome, string> = {
  passed: '✅',
  failed: '❌',
  broken: '⚠️',
  known: '☑️',
  skipped: '⏭️',
  unfinished: '⏹️',
}

/** What is said of one case. All texts are Markdown already. */
interface Section {
  outcome: ShownOutcome
  title: string
  /** In the heading, in brackets. */
  facts: readonly string[]
  reason: string
  bullets: readonly string[]
  /** Differences between what came and what was expected. */
  differences?: readonly string[]
  notes: readonly string[]
  conversation: string
}

export function caseMarkdown(section: Section): string {
  const { outcome, title, facts, reason, bullets, differences = [], notes, conversation } = section
  return [
    `\n### ${marks[outcome]} ${title} (${facts.join(', ')})\n`,
    reason === '' ? '' : `\n${reason}\n`,
    bullets.length === 0 ? '' : `\n${bulletList(bullets)}`,
    ...differences.map((difference) => `\n${difference}`),
    ...notes.map((note) => `\n${note}\n`),
    conversation === '' ? '' : `\n${folded('Conversation', conversation)}`,
  ].join('')
}

export function bulletList(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join('')
}

export function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n</details>\n`
}

/** A block that its own content cannot end. */
export function fenced(text: string, language = 'text'): string {
  const shown = escapeCommands(printable(text))
  const longestRun = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}${language}\n${shown}\n${fence}\n`
}
