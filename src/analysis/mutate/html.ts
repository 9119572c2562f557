import { diffBlock, escapeMarkup, renderPlainPage } from '../../reporters/plain-page.ts'
import { printableJson } from '../../reporters/printable.ts'
import type { CaseScore, Survivor } from './case-score.ts'
import { type Mutation, scoresByOperator, totalScore } from './mutation.ts'
import type { MutantCounts } from './score.ts'
import { killedText, listMutationNotes, placeText, proposedText, scoreText, survivorText } from './words.ts'

export const mutationHtmlHead = '<!doctype html>\n<html lang="en" data-viva-mutation="1">\n'

const style = `
h2 { font-size: 1.25rem; margin-top: 2rem } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem }
.score { font-size: 1.25rem; font-weight: 600 }
.note, .place { color: var(--maybe) } .none { color: var(--bad) } .all { color: var(--good) } .place { font-size: .875rem }
table { border-collapse: collapse; width: 100%; margin: 1.5rem 0 } caption { text-align: left; font-weight: 600; padding: .5rem 0 }
td { padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
.figure { white-space: nowrap; width: 6rem } .bar { width: 10rem } meter { width: 100% }
details { border-top: 1px solid var(--line); padding: .5rem 0 } summary { cursor: pointer; overflow-wrap: anywhere }
pre { margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
@media (max-width: 40rem) { .bar { display: none } }
`

/** The score by case, and the survivors with what they were. */
export function mutationHtml(mutation: Mutation): string {
  const proposed = proposedText(mutation)
  return renderPlainPage({
    head: mutationHtmlHead,
    title: 'Mutation Score',
    style,
    body: [
      `<p class="score">${escapeMarkup(scoreText(totalScore(mutation)))}</p>`,
      ...(proposed === undefined ? [] : [`<p>${escapeMarkup(proposed)}</p>`]),
      ...listMutationNotes(mutation).map((note) => `<p class="note">${escapeMarkup(note)}</p>`),
      scoreTable(
        'By case',
        mutation.cases.map((each) => [`${each.id} (${each.file}:${each.line})`, each]),
      ),
      scoreTable('By kind of damage', scoresByOperator(mutation)),
      '<h2>Survivors</h2>',
      ...mutation.cases.filter(({ survived }) => survived > 0).map(caseSection),
    ],
  })
}

function scoreTable(caption: string, rows: readonly [name: string, counts: MutantCounts][]): string {
  const row = ([name, counts]: (typeof rows)[number]) => {
    const { killed, survived } = counts
    const tone = survived === 0 ? 'all' : killed === 0 ? 'none' : ''
    const meter = `<meter min="0" max="${killed + survived}" value="${killed}" aria-label="killed"></meter>`
    return `<tr><td>${escapeMarkup(name)}</td><td class="figure ${tone}">${killedText(counts)}</td><td class="bar">${meter}</td></tr>`
  }
  return `<table><caption>${caption}</caption><tbody>${rows.map(row).join('\n')}</tbody></table>`
}

function caseSection({ id, file, line, survivors, proposals }: CaseScore): string {
  return [
    `<section><h3>${escapeMarkup(id)}</h3><p class="place">${escapeMarkup(`${file}:${line}`)}</p>`,
    ...proposals.map(
      ({ check, kills }) =>
        `<p>Add to <code>${escapeMarkup(placeText(check.at))}</code> (kills ${kills}):</p><pre>${escapeMarkup(printableJson(check.assertion))}</pre>`,
    ),
    ...survivors.map(survivorItem),
    '</section>',
  ].join('\n')
}

function survivorItem(survivor: Survivor): string {
  return `<details open><summary>${escapeMarkup(survivorText(survivor))}</summary>${diffBlock(survivor.difference)}</details>`
}
