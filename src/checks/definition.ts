import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { compilePath, type Found } from '../json/path.ts'
import { type RepairedJson, repairNote } from '../json/repair-json.ts'
import type { CheckStatus } from '../results/transcript/check-result.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { nearest } from '../text/nearest.ts'
import type { Helpers } from './helpers.ts'

/** Where an assertion stands: beside one turn, or after the whole conversation. */
export type Where = 'turn' | 'final'

/** The JSON of a reply. */
export type ReplyData = Found & Partial<Pick<RepairedJson, 'repairs'>>

/** What an assertion is judged on. */
export interface Subject {
  /** The output of the reply looked at, or the part of it that `path` names. */
  output: unknown
  /** How a reason calls it: `output`, or the path. */
  name: string
  /** The output as data: JSON pulled out of a text reply, or nothing where the text holds none. */
  data(): ReplyData | undefined
  /** The turns looked at; the reply is that of the last one. */
  turns: readonly Turn[]
  where: Where
  view: View
  scope: Scope
}

export interface Verdict {
  status: CheckStatus
  /** One line. A plain fact reads right for an assertion and for its negation. */
  reason: string
  /** The reason when `negate` turns the verdict around, where `reason` would not read right then. */
  negatedReason?: string
  /** There was nothing to judge. That is a failure, and of the negation too. */
  nothingThere?: true
  expected?: unknown
  actual?: unknown
  score?: number
  /** More of what a judge said, for reports. */
  details?: Record<string, unknown>
}

/** Turns passed and failed around; unknown, error and what had nothing to judge stay what they are. */
export function negated(verdict: Verdict): Verdict {
  const { status, reason, negatedReason, nothingThere = false } = verdict
  if (status === 'unknown' || status === 'error') return verdict
  const opposite = status === 'passed' || nothingThere ? 'failed' : 'passed'
  const unwanted = status === 'passed' ? `${reason} (expected the opposite)` : reason
  return { ...verdict, status: opposite, reason: negatedReason ?? unwanted, negatedReason: reason }
}

/** The verdict on what something is: `$.status is "draft", expected "submitted"`. */
export function compared(holds: boolean, is: string, expectation: string): Verdict {
  return holds
    ? { status: 'passed', reason: is, negatedReason: `${is}, expected anything else` }
    : { status: 'failed', reason: `${is}, expected ${expectation}`, negatedReason: is }
}

/** The verdict on whether something is so: `output contains "a"`. `unwanted` is what its negation expects instead. */
export function stated(holds: boolean, is: string, isNot: string, unwanted: string): Verdict {
  if (!holds) return { status: 'failed', reason: isNot }
  return { status: 'passed', reason: is, negatedReason: `${is}, expected ${unwanted}` }
}

/** Says in the reasons what had to be repaired before there was anything to judge. */
export function sayingRepairs(verdict: Verdict, data: Pick<ReplyData, 'repairs'> | undefined): Verdict {
  const note = repairNote(data?.repairs)
  const { reason, negatedReason = reason } = verdict
  return note === '' ? verdict : { ...verdict, reason: reason + note, negatedReason: negatedReason + note }
}

export type Judge = (subject: Subject) => Verdict | Promise<Verdict>

/** Reports what is wrong with an assertion before anything is run. */
export type ReportProblem = (path: string | readonly PropertyKey[], message: string) => void

type FieldsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/** All there is to know about a type of assertion: one file each, one line in `list.ts`. */
export interface AssertionDefinition<
  Type extends string = string,
  Shape extends z.ZodRawShape = z.ZodRawShape,
> {
  type: Type
  /** One sentence for the documentation. */
  about: string
  /** Its own fields; those that every assertion takes are added. */
  fields: Shape
  example: Record<string, unknown>
  /**
   * `output`: the reply, or a part of it. `data`: JSON in the reply or in tool results. `tools`: tool calls.
   * `turns`: what is known of whole turns. `assertions`: whatever the assertions in it look at.
   */
  looksAt: 'output' | 'data' | 'tools' | 'turns' | 'assertions'
  /** A text reply that is almost JSON is repaired for it; its reasons say so. */
  repairsJson?: true
  /** What the schema of the fields cannot say. */
  refine?(fields: FieldsOf<Shape>, problem: ReportProblem): void
  /** The agents that it asks: they are loaded before anything is played. */
  asks?(fields: FieldsOf<Shape>): string[]
  /** What it needs from outside the conversation and would not get, told before anything runs. */
  findProblems?(fields: FieldsOf<Shape>, helpers: Helpers, problem: ReportProblem): void
  /**
   * Prepares patterns and paths once; the function it gives judges every time. One that looks at a turn of its own
   * choice (`turn`, `scope`) stands beside that turn.
   */
  compile(fields: FieldsOf<Shape>, where: Where, helpers: Helpers): Judge
}

/** The fields that every assertion takes. */
export const commonFields = {
  negate: z
    .boolean()
    .optional()
    .describe('Swaps passed and failed. If there is nothing to check, the assertion still fails.'),
  message: z.string().optional().describe('Shown first when the assertion does not pass.'),
  path: z.string().min(1).optional().describe('Checks this part of the output: a dotted path or a JSONPath.'),
  weight: z
    .number()
    .min(0)
    .optional()
    .describe('Its share of the reported score; the assertion must pass in any case.'),
  gates: z.boolean().optional().describe('`false`: the result is recorded, but does not fail the case.'),
  turn: z.int().min(1).optional().describe('Checks this turn.'),
  scope: z
    .enum(['any', 'all', 'last'])
    .optional()
    .describe('Checks all turns (`any` or `all` of them must pass), or only the `last`.'),
}

export type CommonFields = z.output<z.ZodObject<typeof commonFields>>

/** A `value` of any kind that must be there. */
export function requiredValue(type: string, description: string) {
  return z
    .unknown()
    .refine((value): boolean => value !== undefined, `${type} needs a "value"`)
    .describe(description)
}

/** Something to look for; an empty text is in every text. */
export const toContain = z.unknown().refine((value) => value !== '', 'every text contains an empty one')

/** A `value` to look for that must be there. */
export function requiredToContain(type: string, description: string) {
  return toContain
    .refine((value): boolean => value !== undefined, `${type} needs a "value"`)
    .describe(description)
}

/** A `value` that is text; an empty one would say nothing. */
export function requiredText(type: string, description: string) {
  return z
    .string({ error: () => `${type} needs a "value" that is text` })
    .min(1, `${type} needs a "value" that is not empty`)
    .describe(description)
}

/** A `value` that is a list of what can be contained. */
export function requiredList(type: string, description: string) {
  const message = `${type} needs a "value" that is a list`
  return z
    .array(toContain, { error: () => message })
    .min(1, message)
    .describe(description)
}

/** A definition together with the schema of its assertions. */
export function defineAssertion<const Type extends string, Shape extends z.ZodRawShape>(
  definition: AssertionDefinition<Type, Shape>,
) {
  const schema = assertionObject(definition.type, definition.fields, (fields, problem) => {
    refineCommon(definition, fields, problem)
    // What was parsed with the shape has the shape's fields.
    definition.refine?.(fields as FieldsOf<Shape>, problem)
  })
  return { ...definition, schema }
}

/** The strict object of one type, with the common fields and what only code can check. */
export function assertionObject<const Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  fields: Shape,
  refine: (fields: CommonFields, problem: ReportProblem) => void,
) {
  const known = ['type', ...Object.keys(commonFields), ...Object.keys(fields)]
  return z
    .strictObject({ type: z.literal(type), ...commonFields }, { error: (issue) => unknownKeys(issue, known) })
    .extend(fields)
    .superRefine(
      (value, context) => {
        refine(value as CommonFields, (path, message) => {
          context.addIssue({ code: 'custom', path: typeof path === 'string' ? [path] : [...path], message })
        })
      },
      // An unknown key is no reason to keep quiet about the rest: all problems are listed at once.
      { when: ({ issues }) => issues.every((issue) => issue.code === 'unrecognized_keys') },
    )
}

/** `unknown key "vaule" (did you mean "value"?)` for zod's issue about keys; other issues keep their text. */
export function unknownKeys(
  issue: { code?: string; keys?: unknown },
  known: readonly string[],
): string | undefined {
  if (issue.code !== 'unrecognized_keys' || !Array.isArray(issue.keys)) return undefined
  return issue.keys.map((key) => `unknown key "${key}"${didYouMean(String(key), known)}`).join(', ')
}

export function didYouMean(word: string, known: readonly string[]): string {
  const candidate = nearest(word, known)
  return candidate === undefined ? '' : ` (did you mean "${candidate}"?)`
}

/** Runs what throws on a bad pattern or path, and reports its message. */
export function reportThrown(
  path: string | readonly PropertyKey[],
  problem: ReportProblem,
  attempt: () => void,
): void {
  try {
    attempt()
  } catch (error) {
    problem(path, messageOf(error))
  }
}

const noPart = {
  tools: 'looks at tool calls',
  turns: 'looks at whole turns',
  assertions: 'leaves that to the assertions in it',
}

function refineCommon(
  { type, looksAt, fields: own }: Pick<AssertionDefinition, 'type' | 'looksAt' | 'fields'>,
  { path, turn, scope }: CommonFields,
  problem: ReportProblem,
): void {
  if (turn !== undefined && scope !== undefined) problem('scope', '"turn" and "scope" exclude each other')
  if (path === undefined) return
  const hasPart = looksAt === 'output' || looksAt === 'data' || Object.hasOwn(own, 'path')
  if (hasPart) reportThrown('path', problem, () => compilePath(path))
  else problem('path', `"path" is a part of the output, and ${type} ${noPart[looksAt]}`)
}
