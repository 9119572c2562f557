import { listToolCalls } from '../checks/tool-calls.ts'
import type { Redactor } from '../privacy/redact.ts'
import {
  type CaseResult,
  type Fault,
  isExpectedFailure,
  type Origin,
  type Status,
} from '../results/result.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { View } from '../results/transcript/turn.ts'
import { totalCost, type UsageByRole } from '../results/usage.ts'
import { allTurns, type ConversationTurn, isAnswered } from './conversation-context.ts'
import type { JudgeVerdict } from './judge.ts'
import type { MultiTurnTestCase, SingleTurnTestCase, TestCase } from './test-case.ts'

/** The result of running a case once. */
export interface Played<Output = unknown> {
  /** Of its case, or its place where that has none: `case-3`. */
  id: string
  /** Which play of the case, from 1. */
  iteration: number
  status: Status
  passed: boolean
  /** `replayed`, if it was answered from a recording. */
  origin?: Origin
  /** Whose fault it is that it did not pass. */
  fault?: Fault
  /** Why it did not pass. */
  error?: string
  /** 0 to 100: the judge's; without one 100 or 0. Absent where nothing could be judged. */
  score?: number
  verdicts: JudgeVerdict[]
  /** Every check: those of each turn, then those of the end. */
  checks: readonly CheckResult[]
  /** Of the last turn; absent when the agent failed in it. */
  output?: Output
  /** Of all turns, as far as the agent reports them. */
  toolCalls: readonly ToolCall[]
  /** Whether the agent reports its tools in every turn: otherwise it may have called others. */
  toolCallsKnown: boolean
  /** It passed, but not at the first attempt. */
  flaky: boolean
  /** It was only looked at whether the agent answers. */
  unchecked: boolean
  /** Calls, tokens and cost, by who made them. */
  usage: UsageByRole
  /** In US dollars; absent when some of it is not known. */
  cost?: number
  durationMs: number
  logs: readonly string[]
}

/** The result of a case with one turn. */
export interface SingleTurnResult<Input, Output> extends Played<Output> {
  kind: 'single-turn'
  testCase: SingleTurnTestCase<Input, Output>
  conversationHistory: readonly ConversationTurn<Input, Output>[]
}

/** The result of a case with several turns. */
export interface MultiTurnResult<Input, Output> extends Played<Output> {
  kind: 'multi-turn'
  testCase: MultiTurnTestCase<Input, Output>
  /** Every turn, also the one in which the agent failed. */
  conversationHistory: readonly ConversationTurn<Input, Output>[]
  totalTurns: number
  /** `condition_met`, `max_turns`, `exhausted`, `agent_error`… */
  terminationReason: string
  /** The same in words. */
  terminationDetail: string
}

/** Figures over all iterations of a case. */
export interface IterationStats {
  iterations: number
  passCount: number
  /** Of those that could be judged, 0 to 1; absent when none could, and in a replay. */
  passRate?: number
  scores: number[]
  /** Of the scores; absent where there are none. */
  mean?: number
  /** Of the population. */
  stdDev?: number
  min?: number
  max?: number
}

/** Figures over all iterations of a case with several turns. */
export interface MultiTurnIterationStats extends IterationStats {
  avgTurns: number
  minTurns: number
  maxTurns: number
  /** How often it ended for which reason. */
  terminationCounts: Record<string, number>
}

/** The results of all iterations of a case with one turn; the other fields are those of the worst iteration. */
export interface SingleTurnIteratedResult<Input, Output>
  extends Omit<SingleTurnResult<Input, Output>, 'kind'> {
  kind: 'single-turn-iterated'
  iterationStats: IterationStats
  iterations: SingleTurnResult<Input, Output>[]
}

/** The results of all iterations of a case with several turns; the other fields are those of the worst iteration. */
export interface MultiTurnIteratedResult<Input, Output> extends Omit<MultiTurnResult<Input, Output>, 'kind'> {
  kind: 'multi-turn-iterated'
  iterationStats: IterationStats
  multiTurnIterationStats: MultiTurnIterationStats
  iterations: MultiTurnResult<Input, Output>[]
}

/** The result of a single iteration, as `onResult` receives it. */
export type PlayedResult<Input, Output> = SingleTurnResult<Input, Output> | MultiTurnResult<Input, Output>

/** The result of a case. With several iterations, the other fields are those of the worst iteration. */
export type EvalTestResult<Input, Output> =
  | PlayedResult<Input, Output>
  | SingleTurnIteratedResult<Input, Output>
  | MultiTurnIteratedResult<Input, Output>

/**
 * Checks whether a result is that of a case with several turns, and narrows its type.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { afterTurns, createEvalSuite, isMultiTurnResult } from 'vivavoce'
 *
 * const suite = createEvalSuite({ agent: { execute: (text: string) => `You said ${text}` } })
 * const multiTurn = { followUpInputs: [{ input: 'bye' }], terminateWhen: [afterTurns(2)] }
 * const { results } = await suite.run([{ input: 'hello', multiTurn }])
 * for (const result of results) if (isMultiTurnResult(result)) assert.equal(result.totalTurns, 2)
 * assert.ok(results.every(isMultiTurnResult))
 */
export function isMultiTurnResult<Input, Output>(
  result: EvalTestResult<Input, Output>,
): result is MultiTurnResult<Input, Output> | MultiTurnIteratedResult<Input, Output> {
  return result.kind === 'multi-turn' || result.kind === 'multi-turn-iterated'
}

/**
 * Checks whether a result is that of a case with one turn, and narrows its type.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite, isSingleTurnResult } from 'vivavoce'
 *
 * const suite = createEvalSuite({ agent: { execute: (text: string) => text.length } })
 * const { results } = await suite.run([{ input: 'hello', expectedOutput: 5 }])
 * assert.ok(results.every(isSingleTurnResult))
 */
export function isSingleTurnResult<Input, Output>(
  result: EvalTestResult<Input, Output>,
): result is SingleTurnResult<Input, Output> | SingleTurnIteratedResult<Input, Output> {
  return !isMultiTurnResult(result)
}

/**
 * Checks whether a result has several iterations, and narrows its type.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite, isIteratedResult } from 'vivavoce'
 *
 * const suite = createEvalSuite({ agent: { execute: (text: string) => text.length } })
 * const { results } = await suite.run([{ input: 'hello', expectedOutput: 5 }], { iterations: 3 })
 * const [result] = results
 * assert.ok(result && isIteratedResult(result))
 * assert.equal(result.iterationStats.passCount, 3)
 */
export function isIteratedResult<Input, Output>(
  result: EvalTestResult<Input, Output>,
): result is SingleTurnIteratedResult<Input, Output> | MultiTurnIteratedResult<Input, Output> {
  return 'iterations' in result
}

/**
 * The types of inputs and outputs are those of the suite that played it. Values are handed on as they are; texts that are
 * made to be read have no secrets.
 */
export function playedResult(
  result: CaseResult,
  testCase: TestCase<unknown, unknown>,
  redact: Redactor,
): PlayedResult<unknown, unknown> {
  const { key, status, fault, origin, failure, termination, view, usage, unchecked, durationMs, logs } =
    result
  const conversationHistory = allTurns(view).map((turn) =>
    isAnswered(turn) ? turn : Object.freeze({ ...turn, error: redact(turn.error) }),
  )
  const passed = status === 'passed' || isExpectedFailure(result)
  const cost = totalCost(usage)
  const last = conversationHistory.at(-1)
  const score = resultScore(result)
  const played = {
    id: key.id,
    iteration: key.run,
    status,
    passed,
    ...(origin && { origin }),
    ...(fault && { fault }),
    ...(passed ? {} : { error: redact(failure?.message ?? termination.detail ?? status) }),
    ...(score !== undefined && { score }),
    verdicts: verdictsIn(result, redact),
    checks: checksIn(result, redact),
    ...(last && isAnswered(last) && { output: last.output }),
    conversationHistory,
    ...callsIn(view),
    flaky: result.flaky ?? false,
    unchecked,
    usage,
    ...(cost !== undefined && { cost }),
    durationMs,
    logs: redact(logs),
  }
  if (testCase.multiTurn === undefined) return { kind: 'single-turn', testCase, ...played }
  return {
    kind: 'multi-turn',
    testCase,
    ...played,
    totalTurns: view.turns.length,
    terminationReason: termination.reason,
    terminationDetail: redact(termination.detail),
  }
}

function verdictsIn({ finals }: CaseResult, redact: Redactor): JudgeVerdict[] {
  const judge = finals.find(({ type }) => type === 'judge')
  const verdicts = (judge?.details?.verdicts ?? []) as JudgeVerdict[]
  return verdicts.map((verdict) => ({ ...verdict, reasoning: redact(verdict.reasoning) }))
}

function checksIn({ view, finals }: CaseResult, redact: Redactor): CheckResult[] {
  const all = [...view.turns.flatMap(({ checks }) => checks), ...finals]
  return all.map((check) => ({ ...check, reason: redact(check.reason) }))
}

function callsIn({ turns }: View): Pick<Played, 'toolCalls' | 'toolCallsKnown'> {
  const { calls, hidden } = listToolCalls(turns)
  return { toolCalls: calls, toolCallsKnown: !hidden }
}

function resultScore({ status, fault, finals }: CaseResult): number | undefined {
  const judged = finals.find(({ type, score }) => type === 'judge' && score !== undefined)?.score
  if (judged !== undefined) return Math.round(judged * 10_000) / 100
  if (status === 'passed') return 100
  return status === 'failed' && fault === 'agent' ? 0 : undefined
}
