import { JudgeCost } from '../analysis/mutate/judge-cost.ts'
import { uncountedText } from '../analysis/mutate/left-out.ts'
import { type MutateNeeds, mutateCase } from '../analysis/mutate/mutate-case.ts'
import { addLeftOut, type Mutation } from '../analysis/mutate/mutation.ts'
import type { OtherAnswer, Suite } from '../analysis/mutate/operator.ts'
import type { Grade } from '../analysis/mutate/trials.ts'
import { createUnaskedTapes } from '../analysis/mutate/unasked-tapes.ts'
import { type CaseEntry, suiteAgent } from '../cases/entry.ts'
import { openInputs } from '../cases/sources/open.ts'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import { ConfigError } from '../errors.ts'
import { redactKey } from '../privacy/redact.ts'
import { isGradable } from '../results/gradable.ts'
import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import { messageText } from '../results/transcript/message.ts'
import { type Budget, Spending } from '../run/budget.ts'
import { playCase } from '../run/play-case.ts'
import type { Stage } from '../run/stage.ts'
import { Targets } from '../scope/targets.ts'
import { noServices } from './grade.ts'
import type { OpenedBy } from './phase.ts'
import { commandSetup } from './phase-lists.ts'
import { agentsPhase } from './phases/agents.ts'
import { appPhase } from './phases/app.ts'
import { gradedCasesPhase } from './phases/graded-cases.ts'
import { createRecordedRedactor, mutatedPlanPhase } from './phases/graded-plan.ts'
import { helpersPhase } from './phases/helpers.ts'
import { judgesLoadedPhase } from './phases/loaded.ts'
import { outsidePhase } from './phases/outside.ts'
import { recordedPhase, recordedRunsPhase, recordedVariantsPhase } from './phases/recorded.ts'
import { snapshotFilesPhase, unwrittenSnapshotsPhase } from './phases/snapshots.ts'
import { describeSource, type Source, type SourceNeeds, sourcePhase } from './phases/source.ts'
import { terminalPhase } from './phases/terminal.ts'
import { createStage } from './play.ts'
import { readAuthored } from './write-checks.ts'

export interface MutateOptions {
  /** Whether checks that ask models are asked. */
  judges: boolean
  /** The most mutants of one case. */
  mostOfCase: number
}

/** The phases of `viva grade`, without a journal: damaged replies are no results. */
export function createMutateSetup({ judges }: Pick<MutateOptions, 'judges'>) {
  return commandSetup
    .with(recordedPhase)
    .with(recordedRunsPhase)
    .with(appPhase)
    .with(recordedVariantsPhase)
    .with(helpersPhase)
    .with(outsidePhase)
    .with({ name: 'person', open: () => undefined })
    .with(unwrittenSnapshotsPhase)
    .with(judges ? sourcePhase : { ...sourcePhase, open: openWithoutModels })
    .with({ name: 'outputs', open: () => ({ stdoutTaken: false }) })
    .with(terminalPhase)
    .with({ name: 'services', open: () => noServices })
    .with(gradedCasesPhase)
    .with(snapshotFilesPhase)
    .with(agentsPhase)
    .with(judges ? judgesLoadedPhase : { ...judgesLoadedPhase, open: loadScripts })
    .with(mutatedPlanPhase)
}

export type ReadyToMutate = OpenedBy<ReturnType<typeof createMutateSetup>>

/** A model that is not asked may be missing. */
function openWithoutModels(needs: SourceNeeds): Source {
  const options = describeSource(needs, [], [])
  const { validatorProblem, embedProblem } = noCheckHelpers
  const helpers = (folder: string) => ({ ...options.helpers(folder), validatorProblem, embedProblem })
  return { cases: openInputs(needs.inputs, { ...options, helpers }), generated: [], testHosts: [] }
}

async function loadScripts({ helpers, signal }: Parameters<typeof judgesLoadedPhase.open>[0]): Promise<void> {
  await helpers.scripts.load(signal)
}

/** Damages the replies of all cases, and judges the damages. */
export async function mutateCases(
  ready: ReadyToMutate,
  { judges, mostOfCase }: MutateOptions,
  note: (line: string) => void,
): Promise<Mutation> {
  const { cases, settings, source, secrets, signal } = ready
  const stage = createGradingStage(ready)
  const tapes = createUnaskedTapes()
  const asking = gradeWithinBudget(stage, settings.budget, signal)
  const needs: MutateNeeds = {
    source: source.cases,
    suite: await readSuite(ready),
    limits: { mostOfCase, detectAwaiting: stage.detectAwaiting },
    gradeAlone: createGrade({ ...stage, tapes }, signal),
    redact: (value) => secrets.redact()(value),
    redactAsRecorded: createRecordedRedactor(settings.masks, secrets.redact()),
    signal,
    atOnce: settings.parallel === 'auto' ? 8 : settings.parallel,
    ...(judges && { gradeAsking: asking.grade }),
  }
  if (judges) note(await estimateJudges(ready, needs))
  const mutation: Mutation = { results: settings.graded ?? '', cases: [], leftOut: {}, judges }
  for (const entry of cases) {
    signal.throwIfAborted()
    const outcome =
      suiteAgent(entry) === undefined
        ? await mutateCase(entry, await findResults(entry, ready), needs)
        : 'suite'
    if (typeof outcome === 'string') addLeftOut(mutation, outcome)
    else mutation.cases.push(outcome)
  }
  const overBudget = asking.over()
  if (overBudget !== undefined) mutation.overBudget = overBudget
  if (mutation.cases.length > 0 || overBudget !== undefined) return mutation
  throw new ConfigError({
    code: 'nothing_judged',
    message: `${mutation.results}: there is no reply to damage: ${uncountedText(mutation.leftOut)}`,
    hint: hintFor(mutation),
  })
}

async function estimateJudges(
  ready: ReadyToMutate,
  { source, suite, limits }: Pick<MutateNeeds, 'source' | 'suite' | 'limits'>,
): Promise<string> {
  const cost = new JudgeCost()
  for (const entry of ready.cases)
    if (suiteAgent(entry) === undefined)
      cost.add(readAuthored(entry, source), await findResults(entry, ready), suite, limits)
  return cost.text()
}

function hintFor({ leftOut }: Mutation): string {
  if (leftOut.models !== undefined) return '--judges asks the models'
  if (leftOut.changed !== undefined) return 'run these cases again, or ask the models with --judges'
  return leftOut.unchecked === undefined
    ? 'only cases that pass say what their checks notice'
    : 'a case without checks notices nothing: add a check'
}

type GradingStage = Stage & Required<Pick<Stage, 'detectAwaiting'>>

function createGradingStage({ agents, outside, settings, project }: ReadyToMutate): GradingStage {
  const stage = createStage({ agents, outside, settings, project, services: noServices }, {})
  const { detectAwaiting } = stage
  if (detectAwaiting === undefined) throw new Error('nobody knows whether an agent waits')
  const source = { label: '', index: () => noCases(), load: () => Promise.reject(new Error('not loaded')) }
  return { ...stage, detectAwaiting, source, targets: new Targets(), emit: () => {} }
}

async function* noCases(): AsyncGenerator<CaseEntry> {}

/** One conversation, graded by the code that grades them all. */
function createGrade(stage: Stage, signal: AbortSignal): Grade {
  let attempt = 0
  return (played, entry, recorded) => {
    const agent = stage.agents.get(recorded.key.variant)
    if (agent === undefined) throw new Error(`there is no agent ${recorded.key.variant}`)
    const own = {
      ...stage,
      source: { ...stage.source, load: () => played },
      conversations: { find: async () => recorded },
    }
    attempt += 1
    // Each is a play of its own: a second snapshot of the same place in one play would be a mistake.
    return playCase(entry, { ...recorded.key, attempt }, agent, own, signal)
  }
}

/** Asks no more models when the budget is used up. What other checks decide is still decided. */
function gradeWithinBudget(
  stage: Stage,
  budget: Budget,
  signal: AbortSignal,
): { grade: Grade; over(): string | undefined } {
  const spending = new Spending(budget)
  const tapes = createUnaskedTapes()
  const [ask, gradeAlone] = [createGrade(stage, signal), createGrade({ ...stage, tapes }, signal)]
  return {
    async grade(played, entry, recorded) {
      if (spending.over() !== undefined) return gradeAlone(played, entry, recorded)
      const result = await ask(played, entry, recorded)
      spending.add(result)
      return result
    },
    over: () => (tapes.refused.size === 0 ? undefined : spending.over()),
  }
}

/** The complete conversations of a case, by the names that they have in this run. */
async function findResults(
  { file, id }: CaseEntry,
  { agents, settings, recorded, secrets }: ReadyToMutate,
): Promise<CaseResult[]> {
  const found: CaseResult[] = []
  for (const variant of agents.keys())
    for (let run = 1; run <= settings.runs; run++) {
      const key: Key = { file, id, variant, run, attempt: 1 }
      const result = await recorded.find(redactKey(key, secrets.redact()))
      if (result !== undefined && isGradable(result)) found.push({ ...result, key })
    }
  return found
}

/** Enough for every case to have other answers. */
const mostAnswers = 200

/** What operators take from all results: the names of tools, and answers of other cases. */
async function readSuite({ recorded }: ReadyToMutate): Promise<Suite> {
  const tools = new Set<string>()
  const answers: OtherAnswer[] = []
  for (const key of recorded.keys()) {
    const result = await recorded.find(key)
    if (result === undefined || !isGradable(result)) continue
    for (const { reply, input } of result.view.turns) {
      if (reply === undefined) continue
      if (reply.toolCalls !== 'hidden') for (const { name } of reply.toolCalls) tools.add(name)
      if (answers.length < mostAnswers)
        answers.push({ file: key.file, id: key.id, input: messageText(input.message.content), reply })
    }
  }
  return { tools: [...tools].sort(), answers }
}
