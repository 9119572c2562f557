import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { describeIssues } from '../json/validation/issues.ts'

/** A schema that is built when it is first needed, so that importing the library costs little. */
export type LazySchema = () => z.ZodType

export function lazySchema(build: () => z.ZodType): LazySchema {
  let built: z.ZodType | undefined
  return () => {
    built ??= build()
    return built
  }
}

/** Options in code are checked like cases in files, also for those who write no types. `where` begins each message. */
export function checkOptions(schema: LazySchema, value: unknown, where: string): void {
  const { error } = schema().safeParse(value, { reportInput: true })
  if (error === undefined) return
  throw new ConfigError(
    describeIssues(error, schema(), where).map(({ code, path, key, message, hint }) => ({
      code,
      message: path.length === 0 && key === undefined ? message : `${where}: ${message}`,
      ...defined({ hint }),
    })),
  )
}

/** A value that a test of ours takes; `wanted` says what it must be. */
function wanted(isWanted: (value: unknown) => boolean, wanted: string) {
  return z.custom((value) => isWanted(value), { error: ({ input }) => `${String(input)} is not ${wanted}` })
}

const hasMethod = (name: string) => (value: unknown) => typeof Object(value)[name] === 'function'

export const fields = {
  judge: () => z.custom(hasMethod('evaluate'), 'has no evaluate(context): make one with createJudge'),
  /** Anything but nothing. */
  present: () => z.unknown().nonoptional(),
  text: () => z.string().regex(/\S/, 'must not be blank'),
  callable: () => wanted((value) => typeof value === 'function', 'a function'),
  wholeNumber: (least: number) =>
    wanted(
      (value) => Number.isInteger(value) && Number(value) >= least,
      `a whole number of at least ${least}`,
    ),
  wholeNumberUpTo: (least: number, most: number) =>
    wanted(
      (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
      `a whole number from ${least} to ${most}`,
    ),
  wholeNumberOrAuto: () =>
    wanted(
      (value) => value === 'auto' || (Number.isInteger(value) && Number(value) >= 1),
      "a whole number of at least 1, or 'auto'",
    ),
  amount: () => wanted((value) => Number.isFinite(value) && Number(value) >= 0, 'a number of at least 0'),
  /** Above 0. */
  share: (most: number) =>
    wanted(
      (value) => typeof value === 'number' && value > 0 && value <= most,
      most === Number.POSITIVE_INFINITY ? 'a number above 0' : `a number above 0, and at most ${most}`,
    ),
  timeout: () =>
    wanted((value) => ['number', 'string'].includes(typeof value), "milliseconds, or a text like '30s'"),
  turns: () =>
    wanted(
      (value) => value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) >= 1),
      'a whole number of at least 1, or Infinity',
    ),
}
