import type { Inked, Pen } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { diffInk } from '../../reporters/terminal-check.ts'
import type { CaseScore } from './case-score.ts'
import { type Mutation, scoresByOperator, totalScore } from './mutation.ts'
import {
  killedText,
  listMutationNotes,
  proposalText,
  proposedText,
  scoreText,
  survivorText,
} from './words.ts'

/** More would push the score off the screen; a report (`-o`) has all of them. */
const mostSurvivors = 5

/** What was found out, for the terminal. */
export function mutationLines(mutation: Mutation, pen: Pen): Inked[] {
  const survived = mutation.cases.filter((each) => each.survived > 0)
  return [
    ...survived.flatMap((each) => [...caseLines(each, pen), pen.line``]),
    ...operatorLines(mutation, pen),
    pen.line``,
    ...listMutationNotes(mutation).map((note) => pen.line`  ${pen.yellow('⚠')} ${oneLine(note, 300)}`),
    ...scoreLines(mutation, pen),
  ]
}

function caseLines(score: CaseScore, pen: Pen): Inked[] {
  const { id, file, line, survivors, proposals } = score
  const more = survivors.length - mostSurvivors
  return [
    pen.line`${pen.red('✗')} ${oneLine(id)} (${oneLine(`${file}:${line}`)}): ${killedText(score)} killed`,
    ...survivors
      .slice(0, mostSurvivors)
      .flatMap((survivor) => [
        pen.line`    ${oneLine(survivorText(survivor), 200)}`,
        ...changedLines(survivor.difference).map(
          (each) => pen.line`      ${diffInk(oneLine(each, 200), pen)}`,
        ),
      ]),
    ...(more > 0 ? [pen.line`    … and ${more} more`] : []),
    ...proposals.map(
      (proposal) =>
        pen.line`  ${pen.cyan('→')} ${oneLine(proposalText(proposal), 300)} ${pen.dim(`kills ${proposal.kills}`)}`,
    ),
  ]
}

/** A whole conversation would be too much here. */
function changedLines(difference: readonly string[]): string[] {
  return difference.filter((line) => /^[+-] \s*\S/.test(line)).slice(0, 4)
}

function operatorLines(mutation: Mutation, pen: Pen): Inked[] {
  const rows = scoresByOperator(mutation)
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, counts]) => {
    const text = `${name.padEnd(width)}  ${killedText(counts)} killed`
    return pen.line`  ${counts.survived > 0 ? text : pen.dim(text)}`
  })
}

function scoreLines(mutation: Mutation, pen: Pen): Inked[] {
  const proposed = proposedText(mutation)
  return [
    pen.line`  ${pen.bold(`Mutation score: ${scoreText(totalScore(mutation))}`)}`,
    ...(proposed === undefined ? [] : [pen.line`  ${proposed}`]),
  ]
}
