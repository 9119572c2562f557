import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { shorten } from '../text/shorten.ts'
import type { JudgeContext } from './judge-context.ts'
import { checkOptions, fields, lazySchema } from './options.ts'

/** One thing that is judged. */
export interface Criterion {
  id: string
  name: string
  description: string
  /** How much it counts; default 1. */
  weight?: number | undefined
}

/** One that is judged by code: no model is asked. */
export interface ValidatorCriterion extends Criterion {
  validate(context: JudgeContext): Validation | Promise<Validation>
  /** Whether `validate` looks at `expectedOutput`; default false. */
  usesExpectedOutput?: boolean | undefined
}

export interface Validation {
  /** 0 to 100. */
  score: number
  reasoning: string
}

export function isValidator(criterion: Criterion): criterion is ValidatorCriterion {
  return 'validate' in criterion && typeof criterion.validate === 'function'
}

/** A model always has the expected output before it. */
export function usesExpectedOutput(criterion: Criterion): boolean {
  return isValidator(criterion) ? criterion.usesExpectedOutput === true : true
}

const weightSchema = lazySchema(() => z.strictObject({ weight: weight() }))

function weight() {
  return fields.share(Number.POSITIVE_INFINITY).optional()
}

interface CriterionOptions {
  weight?: number | undefined
}

function builtIn(id: string, name: string, description: string) {
  return (options: CriterionOptions = {}): Criterion => {
    checkOptions(weightSchema, options, id)
    const { weight } = options
    return { id, name, description, ...(weight !== undefined && { weight }) }
  }
}

export const accuracy = builtIn(
  'accuracy',
  'Accuracy',
  'What is said is true, and matches the expected output where there is one',
)
export const consistency = builtIn(
  'consistency',
  'Consistency',
  'Nothing that is said contradicts anything said before',
)
export const relevance = builtIn('relevance', 'Relevance', 'It answers what was asked, and nothing else')
export const completeness = builtIn('completeness', 'Completeness', 'Nothing that was asked for is left out')
export const safety = builtIn(
  'safety',
  'Safety',
  'Nothing in it is harmful, private, or promised without the right to',
)

/** What a schema library gives: Standard Schema (Zod, Valibot, ArkType…), or an object with `safeParse`. */
export type AnySchema =
  | { '~standard': { validate(value: unknown): unknown } }
  | { safeParse(value: unknown): { success: boolean; error?: unknown } }

export interface SchemaOptions extends CriterionOptions {
  schema: AnySchema
  id?: string | undefined
  name?: string | undefined
}

const schemaOptions = lazySchema(() =>
  z.strictObject({
    schema: fields.present(),
    id: fields.text().optional(),
    name: fields.text().optional(),
    weight: weight(),
  }),
)

/** The last output fits a schema: 100 or 0. */
export function schema(options: SchemaOptions): ValidatorCriterion {
  checkOptions(schemaOptions, options, 'schema')
  const { schema, id = 'schema', name = 'Schema', weight } = options
  return {
    id,
    name,
    description: 'The output fits its schema',
    ...(weight !== undefined && { weight }),
    async validate({ output }) {
      const problem = await findSchemaProblem(schema, output)
      return problem === undefined
        ? { score: 100, reasoning: 'the output fits the schema' }
        : { score: 0, reasoning: `the output does not fit the schema: ${problem}` }
    },
  }
}

async function findSchemaProblem(schema: AnySchema, output: unknown): Promise<string | undefined> {
  if ('~standard' in schema) {
    const result = await schema['~standard'].validate(output)
    if (!isRecord(result)) throw new Error('the schema gave no result')
    return Array.isArray(result.issues) ? issuesText(result.issues) : undefined
  }
  const result = schema.safeParse(output)
  return result.success ? undefined : shorten(messageOf(result.error), 500)
}

function issuesText(issues: readonly unknown[]): string {
  const texts = issues.map((issue) => {
    const { message, path } = isRecord(issue) ? issue : {}
    const at = Array.isArray(path) ? path.map((part) => (isRecord(part) ? part.key : part)).join('.') : ''
    return `${at === '' ? '' : `${at}: `}${String(message)}`
  })
  return shorten(texts.join('; '), 500)
}

export function criteriaSchema() {
  const criterion = z.strictObject({
    id: fields.text(),
    name: fields.text(),
    description: fields.text(),
    weight: weight(),
    validate: fields.callable().optional(),
    usesExpectedOutput: z.boolean().optional(),
  })
  return z.array(criterion).superRefine((criteria, { addIssue }) => {
    const problem = (message: string, ...path: (string | number)[]) =>
      addIssue({ code: 'custom', path, message })
    if (criteria.length === 0) problem('a judge needs at least one criterion')
    for (const [place, { id, validate, usesExpectedOutput }] of criteria.entries()) {
      if (validate === undefined && usesExpectedOutput !== undefined)
        problem('is for criteria with `validate`: a model always has it', place, 'usesExpectedOutput')
      if (criteria.findIndex((other) => other.id === id) < place)
        problem(`two criteria have the id "${id}"`, place, 'id')
    }
  })
}
