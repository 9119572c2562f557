import { hash as digest } from 'node:crypto'
import type { DetectAwaiting } from '../../conversation/awaiting/awaiting.ts'
import { sortedJson } from '../../json/json.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import type { Damage, Operator, Suite } from './operator.ts'
import { operators } from './operators/list.ts'

/** A recorded conversation with one damaged reply. */
export interface Mutant {
  operator: string
  what: string
  /** The recorded result that was damaged. */
  source: CaseResult
  /** The place of the damaged turn. */
  place: number
  original: Reply
  reply: Reply
  /** The result as it would have been recorded. */
  result: CaseResult
}

export interface MutantLimits {
  /** Of one case. */
  mostOfCase: number
  detectAwaiting: DetectAwaiting
}

export interface MadeMutants {
  mutants: Mutant[]
  /** Damages beyond the limits. */
  leftOut: number
}

/** A reply has many numbers and sentences: these many of a kind show whether they are checked. */
const mostOfOperator = 2

/**
 * Damages the replies of all recorded runs of a case. The same answer of several runs is damaged once, and what another
 * run answered is no damage.
 */
export function makeMutants(passes: readonly CaseResult[], suite: Suite, limits: MutantLimits): MadeMutants {
  const seen = new Set(
    passes.flatMap(({ view }) => view.turns.map((turn, place) => replyName(turn.reply, place))),
  )
  const groups: Mutant[][] = []
  const done = new Set<string>()
  let leftOut = 0
  for (const source of passes)
    for (const [place, turn] of source.view.turns.entries()) {
      const name = replyName(turn.reply, place)
      if (turn.reply === undefined || done.has(name)) continue
      done.add(name)
      for (const operator of operators) {
        const damaged = { source, place, turn, reply: turn.reply }
        const damages = rankDamages(operator, damaged, suite)
        const { mutants, tried } = takeFresh(damages, operator.name, damaged, seen, limits)
        groups.push(mutants)
        leftOut += damages.length - tried
      }
    }
  const mutants = takeInTurns(groups, limits.mostOfCase)
  return { mutants, leftOut: leftOut + groups.flat().length - mutants.length }
}

interface Damaged {
  source: CaseResult
  place: number
  turn: Turn
  reply: Reply
}

/** All that an operator can do to a reply, in an order that is the same every time. */
function rankDamages(
  { name, damage }: Operator,
  { source, place, turn, reply }: Damaged,
  suite: Suite,
): Damage[] {
  const { file, id } = source.key
  const rank = (text: string) => digest('sha256', JSON.stringify([file, id, place, name, text]))
  const choose = <Item>(items: readonly Item[], purpose: string) =>
    items.length === 0 ? undefined : items[Number.parseInt(rank(purpose).slice(0, 8), 16) % items.length]
  const others = {
    ...suite,
    answers: suite.answers.filter((other) => other.file !== file || other.id !== id),
  }
  return damage({ turn, reply, view: source.view, suite: others, choose })
    .map((each) => ({ damage: each, rank: rank(each.what) }))
    .sort((left, right) => (left.rank < right.rank ? -1 : left.rank > right.rank ? 1 : 0))
    .map((each) => each.damage)
}

/** Does damages to a reply until there are enough that nobody has seen. */
function takeFresh(
  damages: readonly Damage[],
  operator: string,
  { source, place, reply: original }: Damaged,
  seen: Set<string>,
  { detectAwaiting }: MutantLimits,
): { mutants: Mutant[]; tried: number } {
  const mutants: Mutant[] = []
  let tried = 0
  for (const { what, apply } of damages) {
    if (mutants.length === mostOfOperator) break
    tried += 1
    const reply = apply()
    const name = replyName(reply, place)
    if (seen.has(name)) continue
    seen.add(name)
    const result = withReply(source, place, reply, detectAwaiting)
    mutants.push({ operator, what, source, place, original, reply, result })
  }
  return { mutants, tried }
}

function withReply(
  source: CaseResult,
  place: number,
  reply: Reply,
  detectAwaiting: DetectAwaiting,
): CaseResult {
  const turns = source.view.turns.map((turn, index) =>
    index === place ? { ...turn, reply, awaiting: detectAwaiting(reply) } : turn,
  )
  return { ...source, view: { ...source.view, turns } }
}

/** The same for replies in which nothing differs that anybody would notice. */
function replyName(reply: Reply | undefined, place: number): string {
  if (reply === undefined) return ''
  const { content, output, toolCalls } = reply
  const calls =
    toolCalls === 'hidden' ? toolCalls : toolCalls.map(({ name, arguments: args }) => ({ name, args }))
  return digest('sha256', sortedJson([place, content, output, calls]))
}

/** The first of every group, then the second of every group, until there are enough. */
function takeInTurns(groups: readonly Mutant[][], most: number): Mutant[] {
  const taken = new Set<Mutant>()
  // Not those of the first turns.
  const mixed = groups.length <= most ? groups : groups.toSorted(byRank)
  for (let round = 0; round < mostOfOperator; round++)
    for (const group of mixed) {
      const mutant = group[round]
      if (mutant !== undefined && taken.size < most) taken.add(mutant)
    }
  return groups.flat().filter((mutant) => taken.has(mutant))
}

function byRank([left]: readonly Mutant[], [right]: readonly Mutant[]): number {
  return rankOf(left) < rankOf(right) ? -1 : 1
}

function rankOf(mutant: Mutant | undefined): string {
  return mutant === undefined ? '' : digest('sha256', `${mutant.operator} ${mutant.place} ${mutant.what}`)
}
