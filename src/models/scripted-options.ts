import { z } from 'zod'
import { ConfigError, errorMessage } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { durationSchema } from '../json/validation/duration-schema.ts'
import { describeIssues } from '../json/validation/issues.ts'
import { readOnce } from '../json/validation/read-once.ts'
import type { Data } from '../results/transcript/message.ts'
import { compilePattern } from '../text/pattern.ts'
import { findVectorProblem } from './embeddings.ts'

const pattern = z.string().refine((text) => findPatternProblem(text) === undefined, {
  error: (issue) => findPatternProblem(String(issue.input)) ?? 'bad pattern',
})

const answerFields = {
  reply: z.unknown().optional().describe('The text; an object is sent as JSON'),
  tool_calls: z
    .array(z.strictObject({ id: z.string().optional(), name: z.string(), arguments: z.unknown() }))
    .optional(),
  finish_reason: z.string().optional(),
  usage: z
    .strictObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() })
    .optional(),
}

const ruleSchema = z.strictObject({
  when: z
    .strictObject({
      user: pattern.optional().describe('Matches the last user message; its groups are `{{1}}`, `{{2}}`…'),
      assistant: pattern.optional().describe('Matches the last assistant message'),
      system: pattern.optional().describe('Matches the system prompts'),
      turn: z.int().min(1).optional().describe('The number of user messages so far'),
      tool: pattern
        .optional()
        .describe('Matches the name of the tool, when the last message is a tool result'),
      result: pattern
        .optional()
        .describe(
          'Matches the text of a tool result, when that is the last message; provides the groups if there is no `user`',
        ),
    })
    .optional(),
  ...answerFields,
  delay: durationSchema.optional(),
  error: z.strictObject({ status: z.int().optional(), message: z.string().optional() }).optional(),
})

const optionsSchema = z.strictObject({
  model: z.string().optional(),
  rules: z.array(ruleSchema).optional(),
  module: z
    .string()
    .optional()
    .describe('A module with a function that receives the request, instead of rules'),
  embeddings: z
    .record(z.string(), z.array(z.number()).min(1))
    .refine((table) => findEmbeddingsProblem(table) === undefined, {
      error: (issue) => findEmbeddingsProblem(issue.input as Embeddings) ?? 'bad embeddings',
    })
    .optional()
    .describe('Texts and their vectors'),
})

type Embeddings = Record<string, number[]>

function findEmbeddingsProblem(table: Embeddings): string | undefined {
  const vectors = Object.values(table)
  return findVectorProblem(vectors, vectors.length)
}

/** The answer of a module; other keys are ignored. */
export const scriptedAnswerSchema = z.looseObject(answerFields)

export type ScriptedRule = z.infer<typeof ruleSchema>

/** The options of the scripted connector `id`. Throws `ConfigError`. */
export function parseScriptedOptions(id: string, options: Data): z.infer<typeof optionsSchema> {
  const parsed = optionsSchema.safeParse(options, readOnce)
  if (!parsed.success) {
    throw new ConfigError(
      describeIssues(parsed.error, optionsSchema, '`options`').map((issue) => ({
        code: 'bad_connector',
        message: `connector ${id}: ${issue.message}`,
        ...defined({ hint: issue.hint }),
      })),
    )
  }
  const { rules, module, embeddings } = parsed.data
  if (rules !== undefined ? module !== undefined : module === undefined && embeddings === undefined) {
    const message = `connector ${id}: needs \`rules\` or \`module\`, or \`embeddings\``
    throw new ConfigError({ code: 'bad_connector', message })
  }
  return parsed.data
}

function findPatternProblem(text: string): string | undefined {
  try {
    compilePattern(text)
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}
