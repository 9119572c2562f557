import type { AddedCheck } from '../../../cases/add-checks.ts'
import type { AuthoredCase } from '../../../cases/case-schema.ts'
import type { AssertionInput } from '../../../checks/assertion-type.ts'
import type { Redactor } from '../../../privacy/redact.ts'
import type { CaseResult } from '../../../results/result.ts'
import type { ToolCall } from '../../../results/transcript/message.ts'
import { namesInCalls } from '../facts.ts'
import type { Mutant } from '../mutants.ts'
import type { CheckCandidate } from './candidate.ts'
import { suggestions } from './list.ts'
import { type CheckPlace, findWhere, findWhereForAll, placeCandidate, seesAllTurns } from './where.ts'

/** A check that was found to hold for every recorded pass, and to fail for survivors. */
export interface Proposal {
  check: AddedCheck
  /** The survivors that it kills. */
  kills: readonly Mutant[]
}

export interface ProposeNeeds {
  authored: AuthoredCase
  passes: readonly CaseResult[]
  survivors: readonly Mutant[]
  tools: readonly string[]
  /** Hides secrets. */
  redact: Redactor
  /** Whether a check alone passes for a conversation. */
  holds(check: AddedCheck, result: CaseResult): Promise<boolean>
  /** The case as it would be written with these checks: whether all recorded passes still pass, and who dies. */
  verify(checks: readonly AddedCheck[]): Promise<{ allPass: boolean; killed: ReadonlySet<Mutant> }>
}

interface Tried {
  check: AddedCheck
  cost: number
  kills: Set<Mutant>
}

/** Few checks that kill as many survivors as possible. Those that need not be so long, or so exact, come first. */
export async function proposeChecks(needs: ProposeNeeds): Promise<Proposal[]> {
  const tried = await tryCandidates(needs)
  const chosen = joinTexts(chooseFew(tried))
  return verifyChosen(chosen, needs)
}

async function tryCandidates({ passes, survivors, redact, holds, ...needs }: ProposeNeeds): Promise<Tried[]> {
  const tried = new Map<string, Tried>()
  for (const survivor of survivors)
    for (const { check, cost } of candidatesFor(survivor, needs)) {
      const name = JSON.stringify(check)
      if (tried.has(name)) continue
      const kills = new Set<Mutant>()
      tried.set(name, { check, cost, kills })
      // What may not be shown may not be in a case file either. Secrets may be numbers, which only JSON has as text.
      const written = [check, name]
      if (redact(written) !== written) continue
      if (!(await holdsForAll(check, passes, holds))) continue
      for (const each of survivors) if (!(await holds(check, each.result))) kills.add(each)
    }
  return [...tried.values()].filter(({ kills }) => kills.size > 0)
}

async function holdsForAll(
  check: AddedCheck,
  results: readonly CaseResult[],
  holds: ProposeNeeds['holds'],
): Promise<boolean> {
  for (const result of results) if (!(await holds(check, result))) return false
  return true
}

function candidatesFor(
  mutant: Mutant,
  { authored, tools }: Pick<ProposeNeeds, 'authored' | 'tools'>,
): PlacedCandidate[] {
  const { source, place, original, reply: damaged } = mutant
  const all = callsOf(source)
  const own = original.toolCalls === 'hidden' ? [] : original.toolCalls
  const suggest = (where: CheckPlace) => {
    const calls = seesAllTurns(where) ? all : own
    const difference = { original, damaged, calls, names: namesInCalls(all), tools }
    return suggestions.flatMap((each) => each(difference))
  }
  const where = findWhere(authored, source, place)
  const whole = findWhereForAll(source)
  return [
    ...suggest(where).map((candidate) => placed(candidate, where)),
    ...(whole === undefined
      ? []
      : suggest(whole)
          .filter(({ forAllTurns }) => forAllTurns)
          .map((candidate) => placed(candidate, whole))),
  ]
}

interface PlacedCandidate {
  check: AddedCheck
  cost: number
}

/** A check that looks at all turns says less about any of them. */
function placed(candidate: CheckCandidate, where: CheckPlace): PlacedCandidate {
  return {
    check: placeCandidate(candidate, where),
    cost: candidate.cost + (where.anyTurn ? 0.3 : 0),
  }
}

function callsOf({ view }: CaseResult): ToolCall[] {
  return view.turns.flatMap(({ reply }) =>
    reply === undefined || reply.toolCalls === 'hidden' ? [] : reply.toolCalls,
  )
}

/** Takes the check that kills most for its cost, until nothing more dies; then leaves out what the others cover. */
function chooseFew(tried: readonly Tried[]): Tried[] {
  const chosen: Tried[] = []
  const dead = new Set<Mutant>()
  for (;;) {
    let best: { each: Tried; value: number } | undefined
    for (const each of tried) {
      const value = [...each.kills].filter((mutant) => !dead.has(mutant)).length / each.cost
      if (value > (best?.value ?? 0)) best = { each, value }
    }
    if (best === undefined) return withoutSpare(chosen)
    chosen.push(best.each)
    for (const mutant of best.each.kills) dead.add(mutant)
  }
}

function withoutSpare(chosen: readonly Tried[]): Tried[] {
  return chosen.reduceRight<Tried[]>(
    (kept, each) => {
      const others = kept.filter((other) => other !== each)
      const isSpare = [...each.kills].every((mutant) => others.some(({ kills }) => kills.has(mutant)))
      return isSpare ? others : kept
    },
    [...chosen],
  )
}

/** Texts that one reply must contain are one check. */
function joinTexts(chosen: readonly Tried[]): Tried[] {
  const joined = new Map<string, Tried>()
  for (const each of chosen) {
    const { at, assertion } = each.check
    const isText = assertion.type === 'contains' && typeof assertion.value === 'string'
    const name =
      isText && assertion.scope === undefined
        ? JSON.stringify([at, assertion.turn])
        : JSON.stringify(each.check)
    const other = joined.get(name)
    joined.set(name, other === undefined ? each : join(other, each))
  }
  return [...joined.values()]
}

function join(one: Tried, other: Tried): Tried {
  const { turn } = one.check.assertion
  const assertion: AssertionInput = {
    type: 'contains_all',
    value: [...textsOf(one), ...textsOf(other)],
    ...(turn !== undefined && { turn }),
  }
  return {
    check: { at: one.check.at, assertion },
    cost: one.cost + other.cost,
    kills: new Set([...one.kills, ...other.kills]),
  }
}

function textsOf({ check: { assertion } }: Tried): string[] {
  return assertion.type === 'contains' || assertion.type === 'contains_all'
    ? [assertion.value].flat().map(String)
    : []
}

/** What was tried alone is tried in the case, all together: only that counts. */
async function verifyChosen(chosen: readonly Tried[], { verify }: ProposeNeeds): Promise<Proposal[]> {
  let kept = [...chosen]
  while (kept.length > 0) {
    const { allPass, killed } = await verify(kept.map(({ check }) => check))
    if (allPass) {
      const open = new Set(killed)
      return kept
        .map(({ check, kills }) => {
          const own = [...kills].filter((mutant) => open.delete(mutant))
          return { check, kills: own }
        })
        .filter(({ kills }) => kills.length > 0)
    }
    const harmless: Tried[] = []
    for (const each of kept) if ((await verify([each.check])).allPass) harmless.push(each)
    kept = harmless.length < kept.length ? harmless : []
  }
  return []
}
