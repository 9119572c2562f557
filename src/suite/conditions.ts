import type { Check } from '../checks/check.ts'
import { show } from '../checks/describe.ts'
import type { Condition } from '../conversation/conditions.ts'
import { ConfigError, errorMessage } from '../errors.ts'
import { asJson } from '../json/as-json.ts'
import { sameData } from '../json/equal/find-difference.ts'
import { isRecord } from '../json/json.ts'
import { type ConversationContext, createConversationContext } from './conversation-context.ts'
import { type FieldPath, type FieldValue, fieldAt } from './field-path.ts'

/** Decides when a conversation ends: a built-in condition, or a function. */
export type TerminationCondition<Output = unknown> = BuiltCondition<Output> | OwnCondition<Output>

/** A condition made by `afterTurns`, `fieldEquals` and the like. */
export interface BuiltCondition<Output = unknown> {
  readonly condition: Condition
  /** Of which outputs it can be asked. Only for the compiler. */
  readonly of?: (output: Output) => void
}

export type OwnCondition<Output = unknown> = (
  // Conditions of a case do not depend on its input.
  // biome-ignore lint/suspicious/noExplicitAny: whatever the inputs are, they may be looked at
  context: ConversationContext<any, Output>,
) => Met | Promise<Met>

/** What a condition that is a function returns: whether it is met, and why. */
export type Met = boolean | { met: boolean; reason?: string }

/**
 * A condition that ends the conversation after the given number of turns. It is a limit, not a success: if it ends the
 * conversation, the case fails, unless `onMaxTurnsReached` is `pass`.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { afterTurns, type AgentContext, createEvalSuite, isMultiTurnResult } from 'vivavoce'
 *
 * const agent = {
 *   execute: (_: string, { turn }: AgentContext) => ({ turn }),
 * }
 * const talk = {
 *   followUpInputs: [{ input: 'For two' }, { input: 'On Friday' }],
 *   terminateWhen: [afterTurns(2)],
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'A table', multiTurn: talk }])
 * const [result] = results
 * assert.ok(result && isMultiTurnResult(result))
 * assert.deepEqual([result.passed, result.totalTurns], [false, 2])
 */
export function afterTurns(turns: number): BuiltCondition<unknown> {
  if (!Number.isInteger(turns) || turns < 1)
    throw badArgument(`afterTurns(${turns}): must be a whole number of at least 1`)
  return { condition: { turns } }
}

/**
 * A condition that is met when a field of the last output has the given value.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { type AgentContext, createEvalSuite, fieldEquals, isMultiTurnResult } from 'vivavoce'
 *
 * const agent = {
 *   execute: (_: string, { turn }: AgentContext) => ({ booking: { status: turn === 2 ? 'done' : 'open' } }),
 * }
 * const talk = {
 *   followUpInputs: [{ input: 'For two' }, { input: 'On Friday' }],
 *   terminateWhen: [fieldEquals('booking.status', 'done')],
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'A table', multiTurn: talk }])
 * const [result] = results
 * assert.ok(result && isMultiTurnResult(result))
 * assert.deepEqual([result.passed, result.totalTurns], [true, 2])
 */
export function fieldEquals<Output = unknown, const Path extends FieldPath<Output> = FieldPath<Output>>(
  path: Path,
  value: NoInfer<FieldValue<Output, Path>>,
): BuiltCondition<Output> {
  return onOutput(path, (found) => sameData(found, value))
}

/**
 * A condition that is met when a field of the last output exists and is neither null nor undefined.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { type AgentContext, createEvalSuite, fieldIsSet, isMultiTurnResult } from 'vivavoce'
 *
 * const agent = {
 *   execute: (_: string, { turn }: AgentContext) => ({ number: turn === 3 ? 'B-17' : null }),
 * }
 * const talk = {
 *   followUpInputs: [{ input: 'For two' }, { input: 'On Friday' }],
 *   terminateWhen: [fieldIsSet('number')],
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'A table', multiTurn: talk }])
 * const [result] = results
 * assert.ok(result && isMultiTurnResult(result))
 * assert.deepEqual([result.passed, result.totalTurns], [true, 3])
 */
export function fieldIsSet<Output = unknown>(path: NoInfer<FieldPath<Output>>): BuiltCondition<Output> {
  return onOutput(path, (found) => found !== undefined && found !== null)
}

/**
 * A condition that is met when all of the given conditions are met in the same turn.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { type AgentContext, and, createEvalSuite, fieldIsSet, isMultiTurnResult } from 'vivavoce'
 *
 * const agent = {
 *   execute: (_: string, { turn }: AgentContext) => ({ number: turn }),
 * }
 * const talk = {
 *   followUpInputs: [{ input: 'For two' }, { input: 'On Friday' }],
 *   terminateWhen: [and(fieldIsSet('number'), ({ currentTurn }) => currentTurn > 1)],
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'A table', multiTurn: talk }])
 * const [result] = results
 * assert.ok(result && isMultiTurnResult(result))
 * assert.deepEqual([result.passed, result.totalTurns], [true, 2])
 */
export function and<Output>(...conditions: readonly TerminationCondition<Output>[]): BuiltCondition<Output> {
  return { condition: { all: createGroup('and', conditions) } }
}

/**
 * A condition that is met when any of the given conditions is met.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { type AgentContext, createEvalSuite, fieldEquals, isMultiTurnResult, or } from 'vivavoce'
 *
 * const agent = {
 *   execute: (_: string, { turn }: AgentContext) => ({ status: turn === 2 ? 'refused' : 'open' }),
 * }
 * const talk = {
 *   followUpInputs: [{ input: 'For two' }, { input: 'On Friday' }],
 *   terminateWhen: [or(fieldEquals('status', 'done'), fieldEquals('status', 'refused'))],
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'A table', multiTurn: talk }])
 * const [result] = results
 * assert.ok(result && isMultiTurnResult(result))
 * assert.deepEqual([result.passed, result.totalTurns], [true, 2])
 */
export function or<Output>(...conditions: readonly TerminationCondition<Output>[]): BuiltCondition<Output> {
  return { condition: { any: createGroup('or', conditions) } }
}

/**
 * A condition that is met when the given one is not. If that one could not be judged, neither can this one.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { type AgentContext, createEvalSuite, fieldEquals, isMultiTurnResult, not } from 'vivavoce'
 *
 * const agent = {
 *   execute: (_: string, { turn }: AgentContext) => ({ status: turn === 2 ? 'done' : 'open' }),
 * }
 * const talk = {
 *   followUpInputs: [{ input: 'For two' }, { input: 'On Friday' }],
 *   terminateWhen: [not(fieldEquals('status', 'open'))],
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'A table', multiTurn: talk }])
 * const [result] = results
 * assert.ok(result && isMultiTurnResult(result))
 * assert.deepEqual([result.passed, result.totalTurns], [true, 2])
 */
export function not<Output>(condition: TerminationCondition<Output>): BuiltCondition<Output> {
  return { condition: { not: conditionOf(condition) } }
}

export function conditionOf(condition: TerminationCondition<never>): Condition {
  if (typeof condition === 'function')
    return {
      check: createConditionCheck('condition', async (context) => readMet(await condition(context as never))),
    }
  if (isRecord(condition) && isRecord(condition.condition)) return condition.condition
  throw badArgument(
    `a condition must be made by afterTurns, fieldEquals…, or be a function, not ${show(condition)}`,
  )
}

function createGroup(name: string, conditions: readonly TerminationCondition<never>[]): Condition[] {
  if (conditions.length === 0) throw badArgument(`${name}() needs at least one condition`)
  return conditions.map(conditionOf)
}

interface Judged {
  met: boolean
  reason: string
}

function onOutput(path: string, isMet: (found: unknown) => boolean): BuiltCondition<unknown> {
  if (typeof path !== 'string' || !/^[^.]+(\.[^.]+)*$/.test(path))
    throw badArgument(`"${String(path)}" is no path of a field, like booking.status`)
  const check = createConditionCheck('field', async ({ lastOutput }) => {
    const found = fieldAt(lastOutput, path)
    const reason = `${path} is ${found === undefined ? 'missing' : show(asJson(found))}`
    return { met: isMet(found), reason }
  })
  return { condition: { check } }
}

/** What throws could not be judged: a condition that breaks is never met, and never not met. */
function createConditionCheck(type: string, judge: (context: ConversationContext) => Promise<Judged>): Check {
  return {
    type,
    async run(view, turn, scope) {
      try {
        const { met, reason } = await judge(createConversationContext(view, turn, scope))
        return { type, status: met ? 'passed' : 'failed', gates: true, reason }
      } catch (error) {
        scope.stop.throwIfAborted()
        return { type, status: 'error', gates: true, reason: errorMessage(error) }
      }
    },
  }
}

function readMet(said: unknown): Judged {
  const { met, reason } = isRecord(said) ? said : { met: said, reason: undefined }
  if (typeof met === 'boolean')
    return {
      met,
      reason: typeof reason === 'string' ? reason : met ? 'the condition is met' : 'it is not met',
    }
  throw new Error(
    `the condition answered ${said === undefined ? 'nothing' : show(asJson(said))}, must be true or false`,
  )
}

function badArgument(message: string): ConfigError {
  return new ConfigError({ code: 'bad_condition', message })
}
