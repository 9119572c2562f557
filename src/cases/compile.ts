import type { Check } from '../checks/check.ts'
import type { CheckHelpers } from '../checks/check-helpers.ts'
import { compileAssertion, compileExpected } from '../checks/list.ts'
import { authorSource } from '../conversation/author.ts'
import { splitLimit } from '../conversation/conditions.ts'
import { personSource } from '../conversation/person.ts'
import type { EndOutcomes, MessageSource, MissingInput, Plan, UserMessage } from '../conversation/plan.ts'
import { simulatorSource } from '../conversation/simulator.ts'
import { defined } from '../json/defined.ts'
import { parseDuration } from '../text/duration.ts'
import type { FindFile } from './attached-file.ts'
import type { AuthoredCase, AuthoredTurn } from './case-schema.ts'
import { compileCheckpoint } from './checkpoints.ts'
import { compileCondition } from './conditions.ts'
import { type ConversationCase, hashCase } from './entry.ts'
import { isMessageList, splitMessages, toInput } from './input.ts'
import { isMultiTurn, readSimulatorSettings } from './simulated.ts'
import type { Speakers } from './speakers.ts'
import { compileStubs } from './stubs.ts'

/** Everything a case needs to be compiled. */
export interface CaseSettings {
  /** Overrides the setting of the case. */
  onMissingInput?: MissingInput
  findFile: FindFile
  /** Services for its checks. */
  helpers: CheckHelpers
  speakers: Speakers
}

/** Without a limit a conversation might never end. */
const defaultMaxTurns = 20
const defaultPersonTimeoutMs = 5 * 60_000

/**
 * Compiles every form of case to the one kind of plan that the conversation loop plays. Every case is compiled when it
 * is its turn, so its parts are added one by one: literals with spreads take several times as long.
 */
export function compileCase(authored: AuthoredCase, settings: CaseSettings): ConversationCase {
  const compiled: ConversationCase = {
    kind: 'conversation',
    plan: compilePlan(authored, settings),
    givenHash: hashGiven(authored),
    metadata: authored.metadata ?? {},
  }
  const { skip, timeout, user, team, audit_allows: auditAllows, expected } = authored
  if (skip) compiled.skip = skip === true ? 'skipped by its author' : skip
  const timeoutMs = parseOptionalDuration(timeout)
  if (timeoutMs !== undefined) compiled.timeoutMs = timeoutMs
  if (user !== undefined) compiled.user = user
  if (team !== undefined) compiled.team = team
  if (auditAllows !== undefined) compiled.auditAllows = auditAllows
  if (expected !== undefined) compiled.expected = expected
  const expectedFailure = activeExpectedFailure(authored)
  if (expectedFailure !== undefined) compiled.expectedFailure = expectedFailure
  addScripts(compiled, authored, settings.helpers)
  return compiled
}

const nothingGiven = hashCase([])

/** A conversation in which one of these was another cannot be graded as one of this case. */
function hashGiven({ stubs, metadata, options, user, team, turns = [] }: AuthoredCase): string {
  const ofTurns = turns.map((turn) => [turn.stubs, turn.options])
  const given = [stubs, metadata, options, user, team, ...ofTurns.flat()]
  return given.every((each) => each === undefined) ? nothingGiven : hashCase(given)
}

function compilePlan(authored: AuthoredCase, settings: CaseSettings): Plan {
  const helpers =
    authored.expected === undefined ? settings.helpers : { ...settings.helpers, expected: authored.expected }
  const multiTurn = isMultiTurn(authored)
  const { history, opening } = readOpening(authored, settings.findFile)
  const own = compileChecks(authored, helpers)
  const turns: UserMessage[] = (authored.turns ?? []).map((turn, index, all) =>
    compileTurn(turn, !multiTurn && index === all.length - 1 ? own : [], settings.findFile, helpers),
  )
  if (opening) turns.unshift({ say: opening, source: 'initial', checks: multiTurn ? [] : own })
  const finals = multiTurn ? own : []
  for (const each of listOf(authored.final_assertions)) finals.push(compileAssertion(each, 'final', helpers))
  const { limit, conditions } = compileConditions(authored, helpers)
  const simulated = readSimulatorSettings(authored, settings.speakers.simulator)
  const plan: Plan = {
    history,
    sources: [authorSource(turns), ...simulatedSources(authored, settings)],
    singleTurn: !multiTurn,
    checkpoints: (authored.checkpoints ?? []).map((each) => compileCheckpoint(each, helpers)),
    conditions,
    finals,
    maxTurns: Math.min(
      simulated?.maxTurns ?? authored.max_turns ?? limit ?? Math.max(defaultMaxTurns, turns.length),
      limit ?? Number.POSITIVE_INFINITY,
    ),
    stopOnFailure: authored.stop_on_failure ?? false,
    onMissingInput: settings.onMissingInput ?? authored.on_missing_input ?? 'skip',
    options: authored.options ?? {},
    stubs: compileStubs(authored.stubs),
  }
  const outcomes = readOutcomes(authored)
  if (outcomes !== undefined) plan.outcomes = outcomes
  const turnTimeoutMs = parseOptionalDuration(authored.turn_timeout)
  if (turnTimeoutMs !== undefined) plan.turnTimeoutMs = turnTimeoutMs
  return plan
}

const noConditions: ReturnType<typeof splitLimit> = { conditions: [] }

function compileConditions({ terminate_when }: AuthoredCase, helpers: CheckHelpers) {
  if (terminate_when === undefined) return noConditions
  return splitLimit(terminate_when.map((each) => compileCondition(each, helpers)))
}

function readOpening(
  { input, messages, attachments }: AuthoredCase,
  findFile: FindFile,
): ReturnType<typeof splitMessages> {
  const list = messages ?? (isMessageList(input) ? input : undefined)
  if (list) return splitMessages(list, findFile, attachments ?? [])
  return input === undefined
    ? { history: [] }
    : { history: [], opening: toInput(input, findFile, attachments) }
}

/** Undefined if the case sets none of them: then sending all turns is enough. */
function readOutcomes(authored: AuthoredCase): EndOutcomes | undefined {
  const { on_condition_met: conditionMet, on_max_turns_reached: maxTurns, on_exhausted: exhausted } = authored
  if (conditionMet === undefined && maxTurns === undefined && exhausted === undefined) return undefined
  return {
    conditionMet: conditionMet ?? 'pass',
    maxTurns: maxTurns ?? 'fail',
    exhausted: exhausted ?? 'fail',
  }
}

function addScripts(compiled: ConversationCase, authored: AuthoredCase, { callScript }: CheckHelpers): void {
  const { before, after } = authored
  if (before !== undefined)
    compiled.before = (scope) => callScript(before, (ctx) => [ctx, authored], scope.child('script'))
  if (after !== undefined)
    compiled.after = async (result, prepared, scope) => {
      const args = (ctx: unknown) => [ctx, authored, result, prepared ?? null]
      await callScript(after, args, scope.child('script'))
    }
}

/** The sources after the author's turns: the simulator, then the person. */
function simulatedSources(authored: AuthoredCase, { speakers }: CaseSettings): MessageSource[] {
  const { simulators, simulator, stubAll, person, interactive } = speakers
  const settings = readSimulatorSettings(authored, simulator)
  const sources: MessageSource[] = []
  if (settings !== undefined) {
    const { use, options, brief, opening } = settings
    const agent = () => simulators.agent(use)
    const stubs = settings.stubs && compileStubs(settings.stubs)
    sources.push(simulatorSource({ id: use, agent, options, brief, ...defined({ opening, stubs, stubAll }) }))
  }
  const wanted = authored.interactive?.enabled === true || (interactive && isMultiTurn(authored))
  if (person !== undefined && wanted) {
    const timeoutMs = parseOptionalDuration(authored.interactive?.timeout) ?? defaultPersonTimeoutMs
    sources.push(personSource(person, timeoutMs))
  }
  return sources
}

/** The reason, or undefined after the `until` date. */
function activeExpectedFailure({ expected_failure }: AuthoredCase): string | undefined {
  const { reason, until } = expected_failure ?? {}
  return until !== undefined && new Date().toISOString().slice(0, 10) > until ? undefined : reason
}

function compileTurn(
  turn: AuthoredTurn,
  more: readonly Check[],
  findFile: FindFile,
  helpers: CheckHelpers,
): UserMessage {
  return {
    say: toInput(turn.input, findFile, turn.attachments),
    source: 'static',
    checks: [...compileChecks(turn, { ...helpers, ...defined({ expected: turn.expected }) }), ...more],
    ...defined({
      options: turn.options,
      description: turn.description,
      stubs: turn.stubs && compileStubs(turn.stubs),
    }),
  }
}

/** `assert` overrides `expected`, which is short for an `equals` assertion. */
function compileChecks(
  authored: Pick<AuthoredTurn, 'assert' | 'assertions' | 'expected'>,
  helpers: CheckHelpers,
): Check[] {
  const assertions = listOf(authored.assert ?? authored.assertions)
  if (assertions.length > 0) return assertions.map((each) => compileAssertion(each, 'turn', helpers))
  return authored.expected === undefined ? [] : [compileExpected(authored.expected, helpers)]
}

function listOf<T>(given: T | T[] | undefined): T[] {
  if (given === undefined) return []
  return Array.isArray(given) ? given : [given]
}

function parseOptionalDuration(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseDuration(text)
}
