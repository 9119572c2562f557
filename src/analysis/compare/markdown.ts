import { renderDiff } from '../../reporters/diff.ts'
import { fenced, folded } from '../../reporters/markdown-parts.ts'
import { markdownText } from '../../reporters/markdown-text.ts'
import { verdictTone } from '../../results/summary.ts'
import type { CaseChange, Comparison } from './compare.ts'
import { changeText, listNotes, testText, verdictText } from './words.ts'

export const markdownHead = '# Agent Test Comparison\n'

/** The limit for a comment on a pull request, with some room for the text around the report. */
const longest = 60_000
const signs = { good: '✅', bad: '❌', unclear: '❓' }

/** For a comment on a pull request: the verdict first, then its details. */
export function comparisonMarkdown(comparison: Comparison): string {
  const head = [
    markdownHead,
    `**${signs[verdictTone(comparison.verdict)]} ${markdownText(verdictText(comparison), 500)}**\n`,
    ...testText(comparison).map((line) => `${markdownText(line, 500)}\n`),
    ...listNotes(comparison).map((note) => `> ${markdownText(note, 500)}\n`),
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
    diff === undefined ? '' : `\n${folded('Output', fenced(diff.join('\n'), 'diff'))}`,
  ].join('')
}
