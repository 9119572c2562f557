import { createHash } from 'node:crypto'
import { printable } from '../../reporters/printable.ts'
import type { CaseScore, Survivor } from './case-score.ts'
import { type Mutation, scoresByOperator, totalScore } from './mutation.ts'
import type { MutantCounts } from './score.ts'
import { killedText, listMutationNotes, placeText, proposedText, scoreText, survivorText } from './words.ts'

export const mutationHtmlHead = '<!doctype html>\n<html lang="en" data-viva-mutation="1">\n'

const style = `
:root { color-scheme: light dark; --bad: #b3261e; --maybe: #8a5a00; --good: #1a7f37; --line: #8884 }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --maybe: #ffcc66; --good: #7ee787 } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
h1, h2, h3 { font-size: 1.25rem } h2 { margin-top: 2rem } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem }
.score { font-size: 1.25rem; font-weight: 600 }
.note { color: var(--maybe) } .none { color: var(--bad) } .all { color: var(--good) }
table { border-collapse: collapse; width: 100% } caption { text-align: left; font-weight: 600; padding: .5rem 0 }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); vertical-align: top }
td.figure { white-space: nowrap; width: 8rem } td meter { width: 10rem }
details { border-top: 1px solid var(--line); padding: .5rem 0 } summary { cursor: pointer; overflow-wrap: anywhere }
pre { overflow-x: auto; border: 1px solid var(--line); padding: .5rem; font-size: .875rem; margin: .5rem 0 }
.added { color: var(--good) } .removed { color: var(--bad) } .place { color: var(--maybe); font-size: .875rem }
`

/** A page without scripts: the score by case, and the survivors with what they were. */
export function mutationHtml(mutation: Mutation): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const proposed = proposedText(mutation)
  return [
    `${mutationHtmlHead}<head>`,
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Mutation Score</title>',
    `<style>${style}</style>`,
    '</head><body><main>',
    '<h1>Mutation Score</h1>',
    `<p class="score">${escapeText(scoreText(totalScore(mutation)))}</p>`,
    ...(proposed === undefined ? [] : [`<p>${escapeText(proposed)}</p>`]),
    ...listMutationNotes(mutation).map((note) => `<p class="note">${escapeText(note)}</p>`),
    scoreTable(
      'By case',
      mutation.cases.map((each) => [`${each.id} (${each.file}:${each.line})`, each]),
    ),
    scoreTable('By kind of damage', scoresByOperator(mutation)),
    '<h2>Survivors</h2>',
    ...mutation.cases.filter(({ survived }) => survived > 0).map(caseSection),
    '</main></body></html>\n',
  ].join('\n')
}

function scoreTable(caption: string, rows: readonly [name: string, counts: MutantCounts][]): string {
  const row = ([name, counts]: (typeof rows)[number]) => {
    const { killed, survived } = counts
    const tone = survived === 0 ? 'all' : killed === 0 ? 'none' : ''
    const meter = `<meter min="0" max="${killed + survived}" value="${killed}" aria-label="killed"></meter>`
    return `<tr><td>${escapeText(name)}</td><td class="figure ${tone}">${killedText(counts)}</td><td>${meter}</td></tr>`
  }
  return `<table><caption>${caption}</caption><tbody>${rows.map(row).join('\n')}</tbody></table>`
}

function caseSection({ id, file, line, survivors, proposals }: CaseScore): string {
  return [
    `<section><h3>${escapeText(id)}</h3><p class="place">${escapeText(`${file}:${line}`)}</p>`,
    ...proposals.map(
      ({ check, kills }) =>
        `<p>Add to <code>${escapeText(placeText(check.at))}</code> (kills ${kills}):</p><pre>${escapeText(JSON.stringify(check.assertion))}</pre>`,
    ),
    ...survivors.map(survivorItem),
    '</section>',
  ].join('\n')
}

function survivorItem(survivor: Survivor): string {
  return `<details open><summary>${escapeText(survivorText(survivor))}</summary><pre>${survivor.difference.map(diffLine).join('\n')}</pre></details>`
}

function diffLine(line: string): string {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined
  return kind === undefined ? escapeText(line) : `<span class="${kind}">${escapeText(line)}</span>`
}

/** Escaped, so that no text of an agent becomes markup. */
function escapeText(words: string): string {
  return printable(words).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
