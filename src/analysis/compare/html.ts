import { renderDiff } from '../../reporters/diff.ts'
import { diffBlock, escapeMarkup, renderPlainPage } from '../../reporters/plain-page.ts'
import { verdictTone } from '../../results/summary.ts'
import type { CaseChange, Comparison } from './compare.ts'
import { changeText, listNotes, testText, verdictText } from './words.ts'

export const comparisonHead = '<!doctype html>\n<html lang="en" data-viva-comparison="1">\n'

const style = `
.verdict { font-size: 1.25rem; font-weight: 600 }
.regression, .regressed { color: var(--bad) } .unclear { color: var(--maybe) } .fine { color: var(--good) }
li { border-top: 1px solid var(--line); padding: .75rem 0; list-style: none } ul { padding: 0 }
`

const classes = { good: 'fine', bad: 'regression', unclear: 'unclear' }

/** A page without scripts. */
export function comparisonHtml(comparison: Comparison): string {
  return renderPlainPage({
    head: comparisonHead,
    title: 'Agent Test Comparison',
    style,
    body: [
      `<p class="verdict ${classes[verdictTone(comparison.verdict)]}">${escapeMarkup(verdictText(comparison))}</p>`,
      ...testText(comparison).map((line) => `<p>${escapeMarkup(line)}</p>`),
      ...listNotes(comparison).map((note) => `<p class="unclear">${escapeMarkup(note)}</p>`),
      comparison.changes.length === 0
        ? '<p>Nothing else has changed.</p>'
        : `<ul>${comparison.changes.map(changeItem).join('\n')}</ul>`,
    ],
  })
}

function changeItem(change: CaseChange): string {
  const { kinds, base, head, looksWorse, regressed } = change
  const diff = kinds.includes('changed output') ? renderDiff(base.output, head.output) : undefined
  return [
    `<li><strong${regressed ? ' class="regressed"' : ''}>${escapeMarkup(head.id)}</strong>: ${escapeMarkup(changeText(change))}`,
    ...(looksWorse && head.failure !== undefined ? [`<p>${escapeMarkup(head.failure)}</p>`] : []),
    ...(diff === undefined ? [] : [diffBlock(diff)]),
    '</li>',
  ].join('')
}
