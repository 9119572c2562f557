import { renderDiff } from '../../reporters/diff.ts'
import { markdownText } from '../../reporters/markdown-text.ts'
import { printable } from '../../reporters/printable.ts'
import { withoutCommands } from '../../reporters/workflow-commands.ts'
import type { CaseChange, Comparison } from './compare.ts'
import { changeText, notesOf, testText, verdictText } from './words.ts'

export const markdownHead = '# Agent Test Comparison\n'

/** The limit for a comment on a pull request, with some room for the text around the report. */
const longest = 60_000
const signs: Record<Comparison['verdict'], string> = {
  regression: '❌',
  'not enough runs': '❓',
  incomplete: '❓',
  'nothing compared': '❓',
  improvement: '✅',
  'no regression': '✅',
}

/** For a comment on a pull request: the verdict first, then its details. */
export function comparisonMarkdown(comparison: Comparison): string {
  const head = [
    markdownHead,
    `**${signs[comparison.verdict]} ${markdownText(verdictText(comparison), 500)}**\n`,
    ...testText(comparison).map((line) => `${markdownText(line, 500)}\n`),
    ...notesOf(comparison).map((note) => `> ${markdownText(note, 500)}\n`),
  ].join('\n')
  let text = head
  let left = 0
  for (const change of comparison.changes) {
    const section = changeSection(change)
    if (left > 0 || text.length + section.length > longest) left += 1
    else text += section
  }
  return `${text}${left === 0 ? '' : `\n…and ${left} more.\n`}`
}

function changeSection(change: CaseChange): string {
  const { kinds, base, head, looksWorse, regressed } = change
  const diff = kinds.includes('changed output') ? renderDiff(base.output, head.output) : undefined
  return [
    `\n- ${regressed ? '❌ ' : ''}**${markdownText(head.id)}**: ${markdownText(changeText(change), 500)}\n`,
    looksWorse && head.failure !== undefined ? `  ${markdownText(head.failure, 500)}\n` : '',
    diff === undefined ? '' : folded(diff),
  ].join('')
}

/** The fence has more backticks than the text, so that the text cannot end it. */
function folded(diff: readonly string[]): string {
  const text = withoutCommands(diff.map(printable).join('\n'))
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return `\n<details><summary>Output</summary>\n\n${fence}diff\n${text}\n${fence}\n\n</details>\n`
}
