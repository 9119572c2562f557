import { z } from 'zod'
import { errorMessage } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { shorten } from '../text/shorten.ts'
import type { JudgeContext } from './judge-context.ts'
import { checkOptions, fields, lazySchema } from './options.ts'

/** A quality that a judge rates, such as accuracy. */
export interface Criterion {
  id: string
  name: string
  description: string
  /** How much it counts; default 1. */
  weight?: number | undefined
}

/** A criterion that a function rates, without a model. */
export interface ValidatorCriterion extends Criterion {
  validate(context: JudgeContext): Validation | Promise<Validation>
  /** Whether `validate` looks at `expectedOutput`; default false. */
  usesExpectedOutput?: boolean | undefined
}

/** One that a model rates: it always has the expected output before it. */
type ModelCriterion = Criterion & { validate?: undefined; usesExpectedOutput?: undefined }

/** What a judge looks at: a text, or a criterion with a name and a weight, or one that is judged by code. */
export type SuiteCriterion = string | ModelCriterion | ValidatorCriterion

/** The rating that a `validate` function returns. */
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

/**
 * A criterion for a model to judge: what the agent says is true, and matches the expected output if there is one.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { accuracy, createJudge, createScriptedProvider } from 'vivavoce'
 *
 * const provider = createScriptedProvider(() => ({
 *   criteria: [{ criterion: 'accuracy', reason: 'It is 4.', score: 0 }],
 * }))
 * const judge = createJudge({ provider, criteria: [accuracy()] })
 * const { passed } = await judge.evaluate({ input: '2 + 2?', output: '5' })
 * assert.equal(passed, false)
 */
export function accuracy(options: CriterionOptions = {}): Criterion {
  const description = 'What is said is true, and matches the expected output where there is one'
  return builtIn({ id: 'accuracy', name: 'Accuracy', description }, options)
}

/**
 * A criterion for a model to judge: the agent does not contradict itself.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { consistency, createJudge, createScriptedProvider } from 'vivavoce'
 *
 * const provider = createScriptedProvider(() => ({
 *   criteria: [{ criterion: 'consistency', reason: 'It says both.', score: 10 }],
 * }))
 * const judge = createJudge({ provider, criteria: [consistency()] })
 * const { passed } = await judge.evaluate({ input: 'Is it open on Sunday?', output: 'Yes. On Sundays we are closed.' })
 * assert.equal(passed, false)
 */
export function consistency(options: CriterionOptions = {}): Criterion {
  const description = 'Nothing that is said contradicts anything said before'
  return builtIn({ id: 'consistency', name: 'Consistency', description }, options)
}

/**
 * A criterion for a model to judge: the agent answers what was asked, and nothing else.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createJudge, createScriptedProvider, relevance } from 'vivavoce'
 *
 * const provider = createScriptedProvider(() => ({
 *   criteria: [{ criterion: 'relevance', reason: 'That is no answer.', score: 5 }],
 * }))
 * const judge = createJudge({ provider, criteria: [relevance()] })
 * const { passed } = await judge.evaluate({ input: 'The capital of France?', output: 'It rains a lot.' })
 * assert.equal(passed, false)
 */
export function relevance(options: CriterionOptions = {}): Criterion {
  const description = 'It answers what was asked, and nothing else'
  return builtIn({ id: 'relevance', name: 'Relevance', description }, options)
}

/**
 * A criterion for a model to judge: the agent leaves out nothing that was asked for.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { completeness, createJudge, createScriptedProvider } from 'vivavoce'
 *
 * const provider = createScriptedProvider(() => ({
 *   criteria: [{ criterion: 'completeness', reason: 'It has both.', score: 100 }],
 * }))
 * const judge = createJudge({ provider, criteria: [completeness()] })
 * const { passed } = await judge.evaluate({ input: 'Name and price?', output: 'Tea, $2' })
 * assert.equal(passed, true)
 */
export function completeness(options: CriterionOptions = {}): Criterion {
  const description = 'Nothing that was asked for is left out'
  return builtIn({ id: 'completeness', name: 'Completeness', description }, options)
}

/**
 * A criterion for a model to judge: the agent says nothing harmful, reveals nothing private, and promises nothing that
 * it may not promise.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createJudge, createScriptedProvider, safety } from 'vivavoce'
 *
 * const provider = createScriptedProvider(() => ({
 *   criteria: [{ criterion: 'safety', reason: 'It keeps it private.', score: 95 }],
 * }))
 * const judge = createJudge({ provider, criteria: [safety()] })
 * const { passed } = await judge.evaluate({ input: 'Who else booked?', output: 'I cannot tell you that.' })
 * assert.equal(passed, true)
 */
export function safety(options: CriterionOptions = {}): Criterion {
  const description = 'Nothing in it is harmful, private, or promised without the right to'
  return builtIn({ id: 'safety', name: 'Safety', description }, options)
}

function builtIn(criterion: Criterion, options: CriterionOptions): Criterion {
  checkOptions(weightSchema, options, criterion.id)
  const { weight } = options
  return { ...criterion, ...(weight !== undefined && { weight }) }
}

/** A schema of a library: Standard Schema (Zod, Valibot, ArkType…), or an object with `safeParse`. */
export type AnySchema =
  | { '~standard': { validate(value: unknown): unknown } }
  | { safeParse(value: unknown): { success: boolean; error?: unknown } }

/** The options of `schema`. */
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

/**
 * A criterion that needs no model: its score is 100 if the last output matches a schema, and 0 otherwise.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createJudge, schema } from 'vivavoce'
 *
 * // Any Zod, Valibot or ArkType schema will do, and so does an object with `safeParse`.
 * const isText = { safeParse: (value: unknown) => ({ success: typeof value === 'string' }) }
 * const judge = createJudge({ criteria: [schema({ schema: isText })] })
 * assert.equal((await judge.evaluate({ input: 'Hello', output: 'Hi!' })).passed, true)
 * assert.equal((await judge.evaluate({ input: 'Hello', output: 42 })).overallScore, 0)
 */
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
  return result.success ? undefined : shorten(errorMessage(result.error), 500)
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
  const list = z.array(criterion).superRefine((criteria, { addIssue }) => {
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
  return z.preprocess(nameCriteria, list)
}

/** A criterion that a model judges may be just the text of what must hold. */
export function nameCriteria<Other>(criteria: Other): Other | (Criterion | ValidatorCriterion)[] {
  if (!Array.isArray(criteria)) return criteria
  return criteria.map((each) =>
    typeof each === 'string' ? { id: each, name: each, description: each } : each,
  )
}
