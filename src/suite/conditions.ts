import type { Check } from '../checks/check.ts'
import { show } from '../checks/describe.ts'
import type { Condition } from '../conversation/conditions.ts'
import { ConfigError, messageOf } from '../errors.ts'
import { sameData } from '../json/equal/find-difference.ts'
import { isRecord } from '../json/json.ts'
import { type ConversationContext, createConversationContext } from './conversation-context.ts'
import { type FieldPath, type FieldValue, fieldAt } from './field-path.ts'
import { asJson } from './json-value.ts'

/** Ends a conversation: one of the built-in ones, or a function. */
export type TerminationCondition<Output = unknown> = BuiltCondition<Output> | OwnCondition<Output>

/** Made by `afterTurns`, `fieldEquals`… */
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

/** What a function says: whether it is met, and why. */
export type Met = boolean | { met: boolean; reason?: string }

/** The limit: alone, or as an arm of `or`, it is no success but says that nothing better came first. */
export function afterTurns(turns: number): BuiltCondition<unknown> {
  if (!Number.isInteger(turns) || turns < 1)
    throw badArgument(`afterTurns(${turns}): must be a whole number of at least 1`)
  return { condition: { turns } }
}

export function fieldEquals<Output = unknown, const Path extends FieldPath<Output> = FieldPath<Output>>(
  path: Path,
  value: NoInfer<FieldValue<Output, Path>>,
): BuiltCondition<Output> {
  return onOutput(path, (found) => sameData(found, value))
}

/** There, and neither null nor undefined. */
export function fieldIsSet<Output = unknown>(path: NoInfer<FieldPath<Output>>): BuiltCondition<Output> {
  return onOutput(path, (found) => found !== undefined && found !== null)
}

export function and<Output>(...conditions: readonly TerminationCondition<Output>[]): BuiltCondition<Output> {
  return { condition: { all: createGroup('and', conditions) } }
}

export function or<Output>(...conditions: readonly TerminationCondition<Output>[]): BuiltCondition<Output> {
  return { condition: { any: createGroup('or', conditions) } }
}

/** One that could not be judged stays one that could not be judged. */
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
        scope.signal.throwIfAborted()
        return { type, status: 'error', gates: true, reason: messageOf(error) }
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
