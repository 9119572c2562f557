import { fenced, folded, markdownTable } from '../../reporters/markdown-parts.ts'
import { markdownText } from '../../reporters/markdown-text.ts'
import { printableJson } from '../../reporters/printable.ts'
import type { CaseScore, Survivor } from './case-score.ts'
import { type Mutation, scoresByOperator, totalScore } from './mutation.ts'
import { killedText, listMutationNotes, placeText, proposedText, scoreText, survivorText } from './words.ts'

export const mutationMarkdownHead = '# Mutation Score\n'

/** The score first, then by kind of damage and by case. */
export function mutationMarkdown(mutation: Mutation): string {
  const proposed = proposedText(mutation)
  return [
    mutationMarkdownHead,
    `\n**${scoreText(totalScore(mutation))}**\n`,
    proposed === undefined ? '' : `\n${proposed}\n`,
    ...listMutationNotes(mutation).map((note) => `\n> ${markdownText(note, 500)}\n`),
    `\n${markdownTable(
      ['damage', 'killed'],
      scoresByOperator(mutation).map(([name, counts]) => [name, killedText(counts)]),
    )}`,
    `\n${markdownTable(
      ['case', 'killed'],
      mutation.cases.map((each) => [`${each.id} (${each.file}:${each.line})`, killedText(each)]),
    )}`,
    ...mutation.cases.filter(({ survived }) => survived > 0).map(caseSection),
  ].join('')
}

function caseSection({ id, survivors, proposals }: CaseScore): string {
  return [
    `\n## ${markdownText(id)}\n`,
    ...proposals.map(
      ({ check, kills }) =>
        `\nAdd to \`${placeText(check.at)}\` (kills ${kills}):\n\n${fenced(printableJson(check.assertion), 'json')}`,
    ),
    ...survivors.map((survivor) => `\n${survivorSection(survivor)}`),
  ].join('')
}

function survivorSection(survivor: Survivor): string {
  return folded(markdownText(survivorText(survivor), 300), fenced(survivor.difference.join('\n'), 'diff'))
}
