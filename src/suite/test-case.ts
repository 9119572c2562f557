import type { AuditAgent } from '../cases/audit-agents.ts'
import type { CaseInput } from '../cases/case-type.ts'
import type { Outcome } from '../conversation/plan.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { SuiteAssertions } from './assertions.ts'
import type { TerminationCondition } from './conditions.ts'
import type { ConversationContext } from './conversation-context.ts'
import type { SuiteCriterion } from './criteria.ts'
import type { Judge } from './judge.ts'

export type { Outcome }

/** Stubs by the name of the tool, as in case files. */
export type SuiteStubs = NonNullable<CaseInput['stubs']>

/** What every case has. */
interface CommonFields<Input, Output> {
  /** Default: `case-1`, `case-2`… by its place. */
  id?: string | undefined
  description?: string | undefined
  /** What was said before the first turn: an answer after each message of the user. Agents find it in `history`. */
  messages?: readonly EarlierMessage<Input, Output>[] | undefined
  /** Of the first turn. A function (`aiUser`) begins the conversation itself. */
  input: Input | OpeningInput<Input, Output>
  /** The reference answer for the judge. Without a judge that uses it, the last output must equal it. */
  expectedOutput?: Output | undefined
  /**
   * Must hold when the conversation is over: of the last reply, and for tool calls of all turns. With `turn: 1` an
   * assertion looks at the first turn.
   */
  assert?: SuiteAssertions | undefined
  /** Answers in place of the agent's tools: those of an AI SDK agent, or those that it wraps with `context.tools`. */
  stubs?: SuiteStubs | undefined
  /** Judges this case in place of the suite's judge. */
  judge?: Judge | undefined
  /** Are added to those of the judge. */
  criteria?: readonly SuiteCriterion[] | undefined
  tags?: readonly string[] | undefined
  /** Agents of `viva audit` that may pass it, as where it is right to refuse. */
  auditAllows?: readonly AuditAgent[] | undefined
  /** Milliseconds, or as text (`'30s'`); default: that of the run. */
  timeout?: number | string | undefined
  /** It is not played; a text says why. */
  skip?: boolean | string | undefined
}

/** A message of the user or the agent before the first turn. */
export type EarlierMessage<Input, Output> =
  | { role: 'user'; content: Input }
  | { role: 'assistant'; content: Output; toolCalls?: readonly EarlierToolCall[] | undefined }

/** A tool that the agent called before the first turn. */
export type EarlierToolCall = Pick<ToolCall, 'name' | 'result' | 'error'> & { arguments?: unknown }

/** A case with one input. */
export interface SingleTurnTestCase<Input, Output = unknown> extends CommonFields<Input, Output> {
  multiTurn?: undefined
}

/** A case with a conversation of several turns. */
export interface MultiTurnTestCase<Input, Output = unknown> extends CommonFields<Input, Output> {
  multiTurn: MultiTurn<Input, Output>
}

/** A case of a suite. */
export type TestCase<Input, Output = unknown> =
  | SingleTurnTestCase<Input, Output>
  | MultiTurnTestCase<Input, Output>

/** How a conversation continues after the first input, and when it ends. */
export interface MultiTurn<Input, Output> {
  /** What the user says after the first turn. */
  followUpInputs: readonly FollowUpInput<Input, Output>[]
  /** Any of them ends the conversation. */
  terminateWhen: readonly TerminationCondition<Output>[]
  /** Default 20; `afterTurns` is a limit too, and the smaller one counts. */
  maxTurns?: number | undefined
  /** Default `pass`. */
  onConditionMet?: Outcome | undefined
  /** No condition was met before the limit of turns: default `fail`. */
  onMaxTurnsReached?: Outcome | undefined
  /** No condition was met before the follow-up inputs ran out: default `fail`. */
  onExhausted?: Outcome | undefined
}

/** What the user says after the first turn: a value, or a function of the conversation. */
export interface FollowUpInput<Input, Output> {
  input: Input | NextInput<Input, Output>
  /** Appears in reports. */
  description?: string | undefined
  /** Must hold of each reply to it. */
  assert?: SuiteAssertions | undefined
  /** How many times it is used: default 1; `Infinity` until the end, and only for the last one. */
  turns?: number | undefined
}

/** A function that decides what the user says next. */
export type NextInput<Input, Output> = (context: ConversationContext<Input, Output>) => Input | Promise<Input>

/** The function that begins a conversation. `aiUser` without `buildInput` can begin only with a text. */
type OpeningInput<Input, Output> = NextInput<Input, Output> & { readonly opensWith?: NoInfer<Input> }

/**
 * Checks whether a case has several turns, and narrows its type.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { afterTurns, isMultiTurnTestCase, type TestCase } from 'vivavoce'
 *
 * const cases: TestCase<string>[] = [
 *   { input: 'Hello' },
 *   { input: 'Hello', multiTurn: { followUpInputs: [{ input: 'Bye' }], terminateWhen: [afterTurns(2)] } },
 * ]
 * assert.deepEqual(cases.map(isMultiTurnTestCase), [false, true])
 */
export function isMultiTurnTestCase<Input, Output>(
  testCase: TestCase<Input, Output>,
): testCase is MultiTurnTestCase<Input, Output> {
  return testCase.multiTurn !== undefined
}
