import { z } from 'zod'
import { checkMatchers, compileArguments } from '../checks/argument-match.ts'
import { defined } from '../json/defined.ts'
import { durationSchema } from '../json/validation/duration-schema.ts'
import { parseDuration } from '../text/duration.ts'
import type { StubAnswer, StubRule, Stubs } from '../tools/stubs.ts'

const answerFields = {
  result: z.unknown().optional().describe('What the tool returns'),
  error: z.string().min(1).optional().describe('The tool fails with this message'),
  delay: durationSchema.optional().describe('How long the tool takes'),
}

const answerSchema = z
  .strictObject(answerFields)
  .superRefine(requireOneOf('result', 'error'))
  .meta({ id: 'stub-answer' })

export const stubSchema = z
  .strictObject({
    when: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Applies only to calls whose arguments match, as in `tool_called`'),
    ...answerFields,
    sequence: z
      .array(answerSchema)
      .min(1)
      .optional()
      .describe('Answers for successive calls; the last one is repeated'),
  })
  .superRefine(requireOneOf('result', 'error', 'sequence'))
  .superRefine(({ when }, context) => {
    checkMatchers(when, ['when'], (path, message) => {
      context.addIssue({ code: 'custom', path: [path].flat(), message })
    })
  })
  .meta({ id: 'stub', examples: [{ result: { status: 'ok' } }, { error: 'out of order' }] })

/** Stubbed answers by tool name, with or without the name of the server. */
export const stubsSchema = z.record(z.string().min(1), z.union([stubSchema, z.array(stubSchema).min(1)]))

/** The schema does not see a key of this name. No tool has it. */
export function findStubNameProblem(stubs: object): string | undefined {
  return Object.hasOwn(stubs, '__proto__') ? 'no tool can have the name "__proto__"' : undefined
}

type AuthoredStubs = z.infer<typeof stubsSchema>
type AuthoredRule = z.infer<typeof stubSchema>

export function compileStubs(stubs: AuthoredStubs | undefined): Stubs {
  if (stubs === undefined) return {}
  return Object.fromEntries(
    Object.entries(stubs).map(([tool, rules]) => [tool, [rules].flat().map(compileRule)]),
  )
}

function compileRule(written: AuthoredRule): StubRule {
  const { when, sequence, ...only } = written
  const missesOf = when === undefined ? () => [] : compileArguments(when)
  return {
    written,
    matches: (args) => missesOf(args).length === 0,
    answers: (sequence ?? [only]).map(compileAnswer),
  }
}

function compileAnswer({ result, error, delay }: z.infer<typeof answerSchema>): StubAnswer {
  return defined({ result, error, delayMs: delay === undefined ? undefined : parseDuration(delay) })
}

/** Requires exactly one of these keys. */
function requireOneOf(...keys: string[]) {
  return (value: object, context: z.RefinementCtx): void => {
    const given = keys.filter((key) => key in value)
    if (given.length === 1) return
    const message =
      given.length === 0
        ? `a stub needs one of ${keys.join(', ')}`
        : `${given.join(' and ')} cannot be combined`
    context.addIssue({ code: 'custom', message })
  }
}
