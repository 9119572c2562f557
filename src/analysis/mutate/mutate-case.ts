import type { AddedCheck } from '../../cases/add-checks.ts'
import type { CaseEntry } from '../../cases/entry.ts'
import type { Check } from '../../checks/check.ts'
import { noCheckHelpers } from '../../checks/check-helpers.ts'
import { assertionSchema, compileAssertion } from '../../checks/list.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { CaseResult } from '../../results/result.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import { type CaseScore, createCaseScore, type JudgedMutants } from './case-score.ts'
import type { LeftOutReason } from './left-out.ts'
import { type Mutant, type MutantLimits, makeMutants } from './mutants.ts'
import type { Suite } from './operator.ts'
import { type Proposal, proposeChecks } from './proposals/propose.ts'
import { findRecordedVerdict } from './recorded-verdict.ts'
import { type CaseTrials, createTrials, type TrialNeeds, type Verdict } from './trials.ts'
import { findModelChecks } from './without-models.ts'

export interface MutateNeeds extends TrialNeeds {
  suite: Suite
  limits: MutantLimits
  signal: AbortSignal
  /** How many mutants are judged at once. */
  atOnce: number
  /** Hides secrets in what is proposed. */
  redact: Redactor
  /** Makes of a check what a results file has of it. */
  redactAsRecorded: Redactor
}

/** Damages the recorded replies of a case, and finds out which of the damages its checks notice. */
export async function mutateCase(
  entry: CaseEntry,
  recorded: readonly CaseResult[],
  needs: MutateNeeds,
): Promise<CaseScore | LeftOutReason> {
  const trials = createTrials(entry, needs)
  const { authored, exception } = trials
  if (exception !== undefined) return exception
  const models = findModelChecks(authored)
  const asksAll = needs.gradeAsking !== undefined
  if (models.only && !asksAll) return 'models'
  const passes = await findPasses(recorded, trials, needs)
  if (typeof passes === 'string') return passes
  const { mutants, leftOut } = makeMutants(passes, needs.suite, needs.limits)
  if (mutants.length === 0) return 'undamaged'
  const judged = await judgeAll(mutants, trials, needs)
  const proposals = await propose(judged.survivors, passes, trials, needs)
  return createCaseScore(entry, judged, proposals, { beyond: leftOut, unasked: asksAll ? 0 : models.count })
}

async function judgeAll(
  mutants: readonly Mutant[],
  trials: CaseTrials,
  { atOnce, signal }: Pick<MutateNeeds, 'atOnce' | 'signal'>,
): Promise<JudgedMutants> {
  const verdicts = new Map<Mutant, Verdict>()
  const waiting = mutants.values()
  const judgeNext = async () => {
    for (const mutant of waiting) {
      verdicts.set(mutant, await trials.judge(mutant.result))
      signal.throwIfAborted()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, judgeNext))
  const those = (...are: Verdict['is'][]) =>
    mutants.filter((mutant) => are.includes(verdicts.get(mutant)?.is ?? 'open'))
  return {
    killed: those('failed'),
    // A skipped case fails no run, so nobody notices.
    survivors: those('passed', 'skipped'),
    notJudged: those('open').map((mutant) => ({ mutant, reason: verdicts.get(mutant)?.reason ?? '' })),
  }
}

/** The recorded results that pass with the case as it is now. Checks that are not asked must have passed then. */
async function findPasses(
  recorded: readonly CaseResult[],
  { authored, judge }: CaseTrials,
  { gradeAsking, redactAsRecorded, signal }: MutateNeeds,
): Promise<CaseResult[] | LeftOutReason> {
  const passes: CaseResult[] = []
  let why: LeftOutReason = 'not_passed'
  for (const result of recorded) {
    const { is, checked } = await judge(result)
    signal.throwIfAborted()
    if (is === 'passed' && gradeAsking === undefined) {
      const unasked = findRecordedVerdict(authored, result, redactAsRecorded)
      if (unasked === 'changed') return unasked
      if (unasked === 'failed') continue
    }
    if (is === 'passed' && checked) passes.push(result)
    else if (is === 'passed') why = 'unchecked'
    else if (is === 'open' && why === 'not_passed') why = 'not_judged'
  }
  return passes.length > 0 ? passes : why
}

function propose(
  survivors: readonly Mutant[],
  passes: readonly CaseResult[],
  { authored, judgeWith }: CaseTrials,
  { suite, redact, signal }: MutateNeeds,
): Promise<Proposal[]> {
  return proposeChecks({
    authored,
    passes,
    survivors,
    tools: suite.tools,
    redact,
    holds: createHolds(),
    async verify(checks) {
      const killed = new Set<Mutant>()
      for (const pass of passes)
        if ((await judgeWith(pass, checks)).is !== 'passed') return { allPass: false, killed }
      for (const survivor of survivors) {
        signal.throwIfAborted()
        if ((await judgeWith(survivor.result, checks)).is === 'failed') killed.add(survivor)
      }
      return { allPass: true, killed }
    },
  })
}

/** Tries a check alone, which takes a fraction of the time of a whole case. */
function createHolds(): (check: AddedCheck, result: CaseResult) => Promise<boolean> {
  const scope = createPlainScope()
  const compiled = new WeakMap<AddedCheck, Check>()
  return async (added, { view }) => {
    const { at, assertion } = added
    const where = at === 'end' ? 'final' : 'turn'
    const check =
      compiled.get(added) ?? compileAssertion(assertionSchema.parse(assertion), where, noCheckHelpers)
    compiled.set(added, check)
    const turns = view.turns.slice(0, countTurns(at, view))
    return (await check.run({ ...view, turns }, turns.length, scope)).status === 'passed'
  }
}

/** How many turns have been played when the check is run. */
function countTurns(at: AddedCheck['at'], { turns }: CaseResult['view']): number {
  if (typeof at === 'string') return turns.length
  const places = turns.flatMap(({ source }, place) => (source === 'static' ? [place] : []))
  return (places[at.turn] ?? turns.length - 1) + 1
}
