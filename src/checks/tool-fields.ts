import { z } from 'zod'
import { defined } from '../json/defined.ts'
import { checkMatchers } from './argument-match.ts'
import { describeUnknownKeys, type ReportProblem } from './definition.ts'

/** A tool call that the author expects. */
export interface ExpectedCall {
  name: string
  arguments?: unknown
}

const callKeys = ['name', 'arguments', 'args']

/** Whose tool calls an assertion looks at. */
export type CallingSide = 'agent' | 'user'

export const byField = z
  .enum(['agent', 'user'])
  .optional()
  .describe('Whose calls: those of the `agent` (default), or those of the simulated `user`.')

export const argumentsField = z.record(z.string(), z.unknown()).optional()

export interface CallFields {
  name: string
  arguments?: Record<string, unknown> | undefined
  args?: Record<string, unknown> | undefined
}

// A loose object with a refinement, so that a union with it still reports the unknown key.
const callObject: z.ZodType<CallFields, CallFields> = z
  .looseObject({
    name: z.string().min(1).describe('The name of the tool, with or without its server.'),
    arguments: argumentsField.describe('What the arguments must contain.'),
    args: argumentsField.describe('The same as `arguments`.'),
  })
  .superRefine((call, context) => {
    const keys = Object.keys(call).filter((key) => !callKeys.includes(key))
    if (keys.length === 0) return
    const issue = { code: 'unrecognized_keys' as const, keys, input: call, continue: true }
    context.addIssue({ ...issue, message: describeUnknownKeys(issue, callKeys) ?? '' })
  })
  .meta({ additionalProperties: false })

const valueForms =
  '"value" must be the name of a tool, {"name", "arguments"}, or a list of them of which any will do'

/** A tool name, or a call with arguments. */
export const nameOrCall = z.union([z.string().min(1), callObject], { error: valueForms })

const oneName = z
  .string({
    error: ({ input }) =>
      Array.isArray(input) ? 'must be one name, got a list: write a list as "value"' : undefined,
  })
  .min(1)
  .optional()

/** The fields with which an assertion names the expected calls. */
export const toolFields = {
  name: oneName.describe('The name of the tool, with or without its server.'),
  arguments: argumentsField.describe('What the arguments must contain.'),
  args: argumentsField.describe('The same as `arguments`.'),
  value: z
    .union([z.string().min(1), callObject, z.array(nameOrCall).min(1)], { error: valueForms })
    .optional()
    .describe('Instead of `name`: a name, a call with its arguments, or a list of alternatives.'),
  by: byField,
}

export type ToolFields = z.output<z.ZodObject<typeof toolFields>>

export function refineToolFields(type: string, fields: ToolFields, problem: ReportProblem): void {
  const { name, value } = fields
  if (name === undefined && value === undefined) problem('name', `${type} needs the "name" of a tool`)
  if (name !== undefined && value !== undefined) problem('value', '"name" and "value" cannot be combined')
  if (value !== undefined && (fields.arguments !== undefined || fields.args !== undefined)) {
    const key = fields.arguments === undefined ? 'args' : 'arguments'
    problem(key, `with "value", "${key}" belongs inside it: {"name": …, "${key}": …}`)
  }
  for (const { call, path } of [{ call: fields, path: [] }, ...listCallsInValue(value)]) {
    if (call.arguments !== undefined && call.args !== undefined) {
      problem([...path, 'args'], '"arguments" and "args" are the same')
    }
    checkMatchers(call.arguments, [...path, 'arguments'], problem)
    checkMatchers(call.args, [...path, 'args'], problem)
  }
}

interface WrittenCall {
  arguments?: unknown
  args?: unknown
}

function listCallsInValue(value: ToolFields['value']): { call: WrittenCall; path: PropertyKey[] }[] {
  const members = Array.isArray(value) ? value : [value]
  return members.flatMap((call, index) =>
    typeof call === 'object' ? [{ call, path: Array.isArray(value) ? ['value', index] : ['value'] }] : [],
  )
}

/** The alternative expected calls, from any of the written forms. */
export function readExpectedCalls({ name, value, ...fields }: ToolFields): ExpectedCall[] {
  const members =
    value === undefined ? [{ ...fields, name: name ?? '' }] : Array.isArray(value) ? value : [value]
  return members.map((call) => {
    if (typeof call === 'string') return { name: call }
    const expected = call.arguments ?? call.args
    return { name: call.name, ...defined({ arguments: expected }) }
  })
}
