import { z } from 'zod'
import type { CheckHelpers } from '../checks/check-helpers.ts'
import { type Assertion, assertionSchema, compileAssertion, unknownTypeMessage } from '../checks/list.ts'
import { type NaturalLanguage, naturalLanguageCheck } from '../checks/natural-language.ts'
import type { Condition } from '../conversation/conditions.ts'
import { compilePath } from '../json/path.ts'
import { refineByCompiling } from '../json/validation/compiled-text.ts'
import type { ConditionInput } from './case-type.ts'

const path = z
  .string()
  .min(1)
  .superRefine(refineByCompiling(compilePath))
  .describe('A dotted path or a JSONPath in the output')

const kind = <const Type extends string>(type: Type, about: string) => z.literal(type).describe(about)

export type AuthoredCondition =
  | { type: 'after_turns'; turns: number }
  | { type: 'field_equals'; path: string; value?: unknown }
  | { type: 'field_is_set'; path: string }
  | ({ type: 'natural_language' } & NaturalLanguage)
  | { type: 'and' | 'or'; conditions: AuthoredCondition[] }
  | { type: 'not'; condition: AuthoredCondition }
  | Assertion

const nested = z.lazy((): z.ZodType<AuthoredCondition, ConditionInput> => conditionSchema)

const conditionsField = { conditions: z.array(nested).min(1).describe('Conditions of any kind') }

const conditionKinds = [
  z.strictObject({
    type: kind('after_turns', 'The conversation has had this many turns'),
    turns: z.int().min(1).describe('The maximum number of turns'),
  }),
  z.strictObject({
    type: kind('field_equals', 'A field of the output has this value'),
    path,
    value: z.unknown().describe('The value'),
  }),
  z.strictObject({ type: kind('field_is_set', 'A field of the output exists and is not null'), path }),
  z.strictObject({
    type: kind('natural_language', 'A judge answers a question about the conversation with yes'),
    prompt: z.string().regex(/\S/, 'must not be blank').describe('A question about the conversation'),
    threshold: z.number().gt(0).max(1).optional().describe('How confident the judge must be (default 0.7)'),
    connector: z.string().optional().describe('The connector of the judge'),
  }),
  z.strictObject({ type: kind('and', 'All of the conditions are met'), ...conditionsField }),
  z.strictObject({ type: kind('or', 'One of the conditions is met'), ...conditionsField }),
  z.strictObject({
    type: kind('not', 'The condition is not met'),
    condition: nested.describe('A condition of any kind'),
  }),
] as const

const conditionTypes = conditionKinds.map(({ shape }) => shape.type.value)

/** A condition that ends a conversation: one of the kinds above, or any assertion on the reply. */
export const conditionSchema: z.ZodType<AuthoredCondition, ConditionInput> = z
  .discriminatedUnion('type', [...conditionKinds, ...assertionSchema.options], {
    error: ({ input }) => unknownTypeMessage(input, conditionTypes),
  })
  .meta({ id: 'condition' })

/** All assertions in a condition with their paths. */
export function collectAssertions(
  condition: AuthoredCondition,
  path: readonly (string | number)[],
): { path: (string | number)[]; assertion: Assertion }[] {
  switch (condition.type) {
    case 'after_turns':
    case 'field_equals':
    case 'field_is_set':
      return []
    case 'natural_language':
      // It asks the judge: what that needs is looked for as for any judge.
      return [{ path: [...path], assertion: judgeFor(condition) }]
    case 'and':
    case 'or':
      return condition.conditions.flatMap((each, index) =>
        collectAssertions(each, [...path, 'conditions', index]),
      )
    case 'not':
      return collectAssertions(condition.condition, [...path, 'condition'])
    default:
      return [{ path: [...path], assertion: condition }]
  }
}

export function compileCondition(condition: AuthoredCondition, helpers: CheckHelpers): Condition {
  const compile = (each: AuthoredCondition) => compileCondition(each, helpers)
  const check = (assertion: Assertion) => ({ check: compileAssertion(assertion, 'turn', helpers) })
  switch (condition.type) {
    case 'after_turns':
      return { turns: condition.turns }
    case 'field_equals':
      return check({ type: 'json_path', path: condition.path, value: condition.value })
    case 'field_is_set': {
      const { path } = condition
      const isNull = check({ type: 'json_path', path, value: null })
      return { all: [check({ type: 'json_path', path, exists: true }), { not: isNull }] }
    }
    case 'natural_language':
      return {
        check: naturalLanguageCheck(condition, {
          judge: (question, scope) => helpers.judge('viva.judge', question, scope),
        }),
      }
    case 'and':
      return { all: condition.conditions.map(compile) }
    case 'or':
      return { any: condition.conditions.map(compile) }
    case 'not':
      return { not: compile(condition.condition) }
    default:
      return check(condition)
  }
}

function judgeFor({ prompt, connector }: NaturalLanguage): Assertion {
  return { type: 'judge', criteria: prompt, ...(connector !== undefined && { options: { connector } }) }
}
