import { z } from 'zod'
import { errorMessage } from '../errors.ts'
import { compilePath, type Found } from '../json/path.ts'
import { type RepairedJson, repairNote } from '../json/repair-json.ts'
import type { CheckStatus } from '../results/transcript/check-result.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { findNearest } from '../text/nearest.ts'
import type { CheckHelpers } from './check-helpers.ts'

/** Whether an assertion belongs to one turn or to the whole conversation. */
export type Where = 'turn' | 'final'

/** The JSON of a reply. */
export type ReplyData = Found & Partial<Pick<RepairedJson, 'repairs'>>

/** What an assertion judges. */
export interface Subject {
  /** The output of the selected reply, or the part of it that `path` names. */
  output: unknown
  /** Its name in reasons: `output`, or the path. */
  name: string
  /** The output as data: JSON extracted from a text reply, or undefined if the text contains none. */
  data(): ReplyData | undefined
  /** The selected turns; the output is that of the last one. */
  turns: readonly Turn[]
  where: Where
  view: View
  scope: Scope
}

export interface CheckVerdict {
  status: CheckStatus
  /** One line. A plain fact fits both an assertion and its negation. */
  reason: string
  /** The reason when `negate` reverses the verdict, if `reason` would not fit then. */
  negatedReason?: string
  /** There was nothing to judge, which also fails the negation. */
  nothingThere?: true
  /** Nothing was compared: what came is what is expected from now on. */
  unchecked?: true
  expected?: unknown
  actual?: unknown
  score?: number
  /** Further findings of a judge, for reports. */
  details?: Record<string, unknown>
}

/** Turns passed and failed around; unknown, error and what had nothing to judge stay what they are. */
export function negateVerdict(verdict: CheckVerdict): CheckVerdict {
  const { status, reason, negatedReason, nothingThere = false } = verdict
  if (status === 'unknown' || status === 'error') return verdict
  const opposite = status === 'passed' || nothingThere ? 'failed' : 'passed'
  const unwanted = status === 'passed' ? `${reason} (expected the opposite)` : reason
  return { ...verdict, status: opposite, reason: negatedReason ?? unwanted, negatedReason: reason }
}

/** The verdict on what something is: `$.status is "draft", expected "submitted"`. */
export function comparisonVerdict(holds: boolean, is: string, expectation: string): CheckVerdict {
  return holds
    ? { status: 'passed', reason: is, negatedReason: `${is}, expected anything else` }
    : { status: 'failed', reason: `${is}, expected ${expectation}`, negatedReason: is }
}

/** The verdict on whether something is so: `output contains "a"`. `unwanted` is what its negation expects instead. */
export function statementVerdict(holds: boolean, is: string, isNot: string, unwanted: string): CheckVerdict {
  if (!holds) return { status: 'failed', reason: isNot }
  return { status: 'passed', reason: is, negatedReason: `${is}, expected ${unwanted}` }
}

/** Says in the reasons what had to be repaired before there was anything to judge. */
export function withRepairNote(
  verdict: CheckVerdict,
  data: Pick<ReplyData, 'repairs'> | undefined,
): CheckVerdict {
  const note = repairNote(data?.repairs)
  const { reason, negatedReason = reason } = verdict
  return note === '' ? verdict : { ...verdict, reason: reason + note, negatedReason: negatedReason + note }
}

export type JudgeSubject = (subject: Subject) => CheckVerdict | Promise<CheckVerdict>

/** Reports a problem of an assertion before anything is run. */
export type ReportProblem = (path: string | readonly PropertyKey[], message: string) => void

type FieldValues<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/** Everything about one type of assertion: one file per type, one line in `list.ts`. */
export interface AssertionDefinition<
  Type extends string = string,
  Shape extends z.ZodRawShape = z.ZodRawShape,
> {
  type: Type
  /** One sentence for the documentation. */
  about: string
  /** Its own fields, without those that every assertion has. */
  fields: Shape
  example: Record<string, unknown>
  /**
   * `output`: the reply, or a part of it. `data`: JSON in the reply or in tool results. `tools`: tool calls.
   * `turns`: whole turns. `assertions`: whatever its nested assertions look at.
   */
  looksAt: 'output' | 'data' | 'tools' | 'turns' | 'assertions'
  /** A text reply that is almost JSON is repaired first, and the reasons say so. */
  repairsJson?: true
  /** Checks that the schema of the fields cannot express. */
  refine?(fields: FieldValues<Shape>, problem: ReportProblem): void
  /** The agents that it uses; they are loaded before anything is played. */
  asks?(fields: FieldValues<Shape>): string[]
  /** Whether a model decides about it, which costs money and may not be reproducible. */
  asksModel?(fields: FieldValues<Shape>): boolean
  /** Reports missing services, such as an unknown script, before anything runs. */
  findProblems?(fields: FieldValues<Shape>, helpers: CheckHelpers, problem: ReportProblem): void
  /**
   * Prepares patterns and paths once and returns the function that judges. With `turn` or `scope`, `where` is
   * `turn`.
   */
  compile(fields: FieldValues<Shape>, where: Where, helpers: CheckHelpers): JudgeSubject
}

export const optionalName = z.string().min(1).optional()

/** The fields that every assertion has. */
export const commonFields = {
  negate: z
    .boolean()
    .optional()
    .describe(
      'Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the assertion fails in any case.',
    ),
  message: z.string().optional().describe('Shown first when the assertion does not pass.'),
  path: optionalName.describe('Checks only this part of the output: a dotted path or a JSONPath.'),
  weight: z
    .number()
    .min(0)
    .optional()
    .describe('Its weight in the reported score; the assertion must pass, whatever its weight.'),
  gates: z.boolean().optional().describe('`false`: the result is recorded, but does not fail the case.'),
  turn: z.int().min(1).optional().describe('Checks only this turn, counted from 1.'),
  scope: z
    .enum(['any', 'all', 'last'])
    .optional()
    .describe('Checks every turn, of which `any` or `all` must pass, or only the `last` turn.'),
}

export type CommonFields = z.output<z.ZodObject<typeof commonFields>>

/** Adds the schema of its assertions to a definition. */
export function defineAssertion<const Type extends string, Shape extends z.ZodRawShape>(
  definition: AssertionDefinition<Type, Shape>,
) {
  const schema = assertionObject(definition, (fields, problem) => {
    refineCommon(definition, fields, problem)
    // The fields were parsed with this shape.
    definition.refine?.(fields as FieldValues<Shape>, problem)
  })
  return { ...definition, schema }
}

/** The strict schema of one type, with the common fields and the checks that only code can do. */
function assertionObject<const Type extends string, Shape extends z.ZodRawShape>(
  { type, fields, about, example }: AssertionDefinition<Type, Shape>,
  refine: (fields: CommonFields, problem: ReportProblem) => void,
) {
  const known = ['type', ...Object.keys(commonFields), ...Object.keys(fields)]
  return z
    .strictObject(
      { type: z.literal(type).describe(about), ...commonFields },
      { error: (issue) => describeUnknownKeys(issue, known) },
    )
    .extend(fields)
    .superRefine(
      (value, context) => {
        refine(value as CommonFields, (path, message) => {
          context.addIssue({ code: 'custom', path: typeof path === 'string' ? [path] : [...path], message })
        })
      },
      // An unknown key must not hide other problems: all are reported at once.
      { when: ({ issues }) => issues.every((issue) => issue.code === 'unrecognized_keys') },
    )
    .meta({ id: `${type.replaceAll('_', '-')}-assertion`, description: about, examples: [example] })
}

/** `unknown key "vaule" (did you mean "value"?)` for zod's issue about unknown keys; undefined for other issues. */
export function describeUnknownKeys(
  issue: { code?: string; keys?: unknown },
  known: readonly string[],
): string | undefined {
  if (issue.code !== 'unrecognized_keys' || !Array.isArray(issue.keys)) return undefined
  return issue.keys.map((key) => `unknown key "${key}"${didYouMean(String(key), known)}`).join(', ')
}

export function didYouMean(word: string, known: readonly string[]): string {
  const candidate = findNearest(word, known)
  return candidate === undefined ? '' : ` (did you mean "${candidate}"?)`
}

/** Runs code that throws on a bad pattern or path, and reports the message. */
export function reportThrown(
  path: string | readonly PropertyKey[],
  problem: ReportProblem,
  attempt: () => void,
): void {
  try {
    attempt()
  } catch (error) {
    problem(path, errorMessage(error))
  }
}

const noPartReasons = {
  tools: 'looks at tool calls',
  turns: 'looks at whole turns',
  assertions: 'leaves that to the assertions in it',
}

function refineCommon(
  { type, looksAt, fields: own }: Pick<AssertionDefinition, 'type' | 'looksAt' | 'fields'>,
  { path, turn, scope }: CommonFields,
  problem: ReportProblem,
): void {
  if (turn !== undefined && scope !== undefined) problem('scope', '"turn" and "scope" cannot be combined')
  if (path === undefined) return
  const hasPart = looksAt === 'output' || looksAt === 'data' || Object.hasOwn(own, 'path')
  if (hasPart) reportThrown('path', problem, () => compilePath(path))
  else problem('path', `"path" selects a part of the output, but ${type} ${noPartReasons[looksAt]}`)
}
