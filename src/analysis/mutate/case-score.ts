import type { AddedCheck } from '../../cases/add-checks.ts'
import type { CaseEntry } from '../../cases/entry.ts'
import { textOrJson } from '../../json/json.ts'
import { renderDiff } from '../../reporters/diff.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Mutant } from './mutants.ts'
import { operators } from './operators/list.ts'
import type { Proposal } from './proposals/propose.ts'
import type { MutantCounts } from './score.ts'

/** A damage that no check noticed. */
export interface Survivor {
  operator: string
  what: string
  variant: string
  run: number
  /** Absent for cases with one turn. */
  turn?: number
  /** The reply before and after, as lines of a difference. */
  difference: string[]
  /** The place of the proposal that kills it. */
  proposal?: number
}

/** A check that holds for every recorded pass, and that kills survivors. */
export interface ProposedCheck {
  check: AddedCheck
  /** How many survivors die by it, and by none before it. */
  kills: number
}

/** A damage that could not be judged: it is neither noticed nor overlooked. */
interface NotJudged {
  operator: string
  what: string
  reason: string
}

/** What became of the damages of one case. */
export interface CaseScore extends MutantCounts {
  id: string
  file: string
  line: number
  operators: Record<string, MutantCounts>
  survivors: Survivor[]
  notJudged: NotJudged[]
  /** Possible damages that were left out, to stay within the limits. */
  beyond: number
  /** Checks that were not asked, because they ask models. */
  unasked: number
  proposals: ProposedCheck[]
}

export interface JudgedMutants {
  killed: readonly Mutant[]
  survivors: readonly Mutant[]
  notJudged: readonly { mutant: Mutant; reason: string }[]
}

/** Keeps what reports show. */
export function createCaseScore(
  { id, file, line }: Pick<CaseEntry, 'id' | 'file' | 'line'>,
  { killed, survivors, notJudged }: JudgedMutants,
  proposals: readonly Proposal[],
  more: Pick<CaseScore, 'beyond' | 'unasked'>,
): CaseScore {
  return {
    id,
    file,
    line,
    killed: killed.length,
    survived: survivors.length,
    operators: countByOperator(killed, survivors),
    survivors: survivors.map((mutant) => showSurvivor(mutant, proposals)),
    notJudged: notJudged.map(({ mutant: { operator, what }, reason }) => ({ operator, what, reason })),
    proposals: proposals.map(({ check, kills }) => ({ check, kills: kills.length })),
    ...more,
  }
}

function countByOperator(
  killed: readonly Mutant[],
  survivors: readonly Mutant[],
): Record<string, MutantCounts> {
  const countOf = (mutants: readonly Mutant[], name: string) =>
    mutants.filter(({ operator }) => operator === name).length
  return Object.fromEntries(
    operators
      .map(
        ({ name }) => [name, { killed: countOf(killed, name), survived: countOf(survivors, name) }] as const,
      )
      .filter(([, counts]) => counts.killed + counts.survived > 0),
  )
}

function showSurvivor(mutant: Mutant, proposals: readonly Proposal[]): Survivor {
  const { operator, what, source, place, original, reply } = mutant
  const { variant, run } = source.key
  const proposal = proposals.findIndex(({ kills }) => kills.includes(mutant))
  const turn = source.view.turns[place]?.number
  return {
    operator,
    what,
    variant,
    run,
    ...(source.singleTurn || turn === undefined ? {} : { turn }),
    difference: showDifference(showReply(original), showReply(reply)),
    ...(proposal === -1 ? {} : { proposal }),
  }
}

function showDifference(before: string, after: string): string[] {
  return renderDiff(before, after) ?? [...marked('-', before), ...marked('+', after)]
}

function marked(sign: string, text: string): string[] {
  return text.split('\n').map((line) => `${sign} ${line}`)
}

/** The calls first, as they were made before the reply was given. */
function showReply({ output, content, toolCalls }: Reply): string {
  const calls = toolCalls === 'hidden' ? [] : toolCalls
  const data =
    typeof output === 'string' || textOrJson(output) === content ? [] : [JSON.stringify(output, null, 2)]
  const said = typeof output === 'string' && output !== '' ? output : content
  return [
    ...calls.map(({ name, arguments: args }) => `→ ${name}(${textOrJson(args)})`),
    said === '' ? '(nothing)' : said,
    ...data,
  ].join('\n')
}
