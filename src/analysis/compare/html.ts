import { createHash } from 'node:crypto'
import { renderDiff } from '../../reporters/diff.ts'
import { printable } from '../../reporters/printable.ts'
import { verdictTone } from '../../results/summary.ts'
import type { CaseChange, Comparison } from './compare.ts'
import { changeText, listNotes, testText, verdictText } from './words.ts'

export const comparisonHead = '<!doctype html>\n<html lang="en" data-viva-comparison="1">\n'

const style = `
:root { color-scheme: light dark; --bad: #b3261e; --maybe: #8a5a00; --good: #1a7f37; --line: #8884 }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --maybe: #ffcc66; --good: #7ee787 } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.25rem }
.verdict { font-size: 1.25rem; font-weight: 600 }
.regression, .regressed { color: var(--bad) } .unclear { color: var(--maybe) } .fine { color: var(--good) }
li { border-top: 1px solid var(--line); padding: .75rem 0; list-style: none } ul { padding: 0 }
pre { overflow-x: auto; border: 1px solid var(--line); padding: .5rem; font-size: .875rem }
.added { color: var(--good) } .removed { color: var(--bad) }
`

const classes = { good: 'fine', bad: 'regression', unclear: 'unclear' }

/** A page without scripts. */
export function comparisonHtml(comparison: Comparison): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return [
    `${comparisonHead}<head>`,
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Agent Test Comparison</title>',
    `<style>${style}</style>`,
    '</head><body><main>',
    '<h1>Agent Test Comparison</h1>',
    `<p class="verdict ${classes[verdictTone(comparison.verdict)]}">${escapeText(verdictText(comparison))}</p>`,
    ...testText(comparison).map((line) => `<p>${escapeText(line)}</p>`),
    ...listNotes(comparison).map((note) => `<p class="unclear">${escapeText(note)}</p>`),
    comparison.changes.length === 0
      ? '<p>Nothing else has changed.</p>'
      : `<ul>${comparison.changes.map(changeItem).join('\n')}</ul>`,
    '</main></body></html>\n',
  ].join('\n')
}

function changeItem(change: CaseChange): string {
  const { kinds, base, head, looksWorse, regressed } = change
  const diff = kinds.includes('changed output') ? renderDiff(base.output, head.output) : undefined
  return [
    `<li><strong${regressed ? ' class="regressed"' : ''}>${escapeText(head.id)}</strong>: ${escapeText(changeText(change))}`,
    ...(looksWorse && head.failure !== undefined ? [`<p>${escapeText(head.failure)}</p>`] : []),
    ...(diff === undefined ? [] : [`<pre>${diff.map(diffLine).join('\n')}</pre>`]),
    '</li>',
  ].join('')
}

function diffLine(line: string): string {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined
  return kind === undefined ? escapeText(line) : `<span class="${kind}">${escapeText(line)}</span>`
}

/** Escaped, so that no text of an agent becomes markup. */
function escapeText(words: string): string {
  return printable(words).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
