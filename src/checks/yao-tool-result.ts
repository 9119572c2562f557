import { z } from 'zod'
import { isRecord } from '../json/json.ts'
import { checkMatchers } from './argument-match.ts'
import { describeUnknownKeys, type ReportProblem } from './definition.ts'

const formKeys = ['tool', 'result']

const yaoFormSchema = z.strictObject(
  {
    tool: z.string({ error: () => '"tool" must be the name of a tool' }).min(1),
    result: z.unknown().optional(),
  },
  { error: (issue) => describeUnknownKeys(issue, formKeys) },
)

/** Fields that would contradict the Yao form. */
const ownFields = ['path', 'contains', 'exists', 'error'] as const

type YaoFormFields = Partial<Record<(typeof ownFields)[number] | 'name', unknown>> & { value?: unknown }

/** Whether a `tool_result` is written as Yao documents it: `"value": {"tool": "setup", "result": {…}}`. */
export function isYaoForm({ name, value }: YaoFormFields): boolean {
  return name === undefined && isRecord(value) && Object.hasOwn(value, 'tool')
}

export function refineYaoForm(written: YaoFormFields, problem: ReportProblem): void {
  for (const { path, message } of yaoFormSchema.safeParse(written.value).error?.issues ?? [])
    problem(['value', ...path], message)
  for (const key of ownFields)
    if (written[key] !== undefined) problem(key, `"${key}" needs "name", not "tool" in "value"`)
  checkMatchers(readYaoForm(written.value).result, ['value', 'result'], problem)
}

/** The tool and its expected result with matchers: in Yao, a text that begins with `regex:` is a pattern. */
export function readYaoForm(value: unknown): { tool: string; result: unknown; isText: boolean } {
  const { tool = '', result } = yaoFormSchema.safeParse(value).data ?? {}
  return { tool, result: withPatterns(result), isText: typeof result === 'string' }
}

function withPatterns(expected: unknown): unknown {
  if (typeof expected === 'string')
    return expected.startsWith('regex:') ? { $regex: expected.slice('regex:'.length) } : expected
  if (Array.isArray(expected)) return expected.map(withPatterns)
  if (!isRecord(expected)) return expected
  return Object.fromEntries(Object.entries(expected).map(([key, member]) => [key, withPatterns(member)]))
}
