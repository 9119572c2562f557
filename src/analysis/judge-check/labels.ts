import { statSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import { describeIssues } from '../../json/validation/issues.ts'
import { readFileLines } from '../../system/read-lines.ts'

const text = z.string().min(1)

/** Something that a person has judged and that the judge is asked to judge too. */
const labelSchema = z.strictObject({
  id: text.optional().describe('The default is its line number'),
  criteria: z
    .union([text, z.array(text).min(1)])
    .optional()
    .describe('The default is `--criteria`'),
  rubric: z
    .union([text, z.record(z.string(), text)])
    .optional()
    .describe('How to score'),
  input: z.unknown().optional().describe('What the user said'),
  output: z.unknown().describe('The reply that was judged'),
  expected: z.unknown().optional().describe('An example of a right reply'),
  conversation: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'tool']), content: z.unknown() }))
    .optional()
    .describe('The conversation up to and including the reply'),
  label: z.enum(['pass', 'fail']).describe('The verdict of the person'),
  comment: z.string().optional().describe('The reason; the judge does not see it'),
})

export type Label = z.infer<typeof labelSchema> & { id: string; criteria: string | string[]; line: number }

/** Reads all labels of a file, or throws all of its mistakes at once. */
export async function readLabels(path: string, file: string, criteria: string | undefined): Promise<Label[]> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new ConfigError({ code: 'no_such_file', message: `no such file: ${file}` })
  const labels: Label[] = []
  const problems: Problem[] = []
  for await (const { text: written, number: line } of readFileLines(path)) {
    if (/^\s*(?:$|\/\/|#)/.test(written)) continue
    const found = readLabel(written, file, line, criteria)
    if ('label' in found) labels.push(found.label)
    else problems.push(...found.problems)
  }
  const ids = new Set<string>()
  for (const { id, line } of labels) {
    if (ids.has(id)) problems.push({ code: 'duplicate_id', message: `duplicate id ${id}`, file, line })
    ids.add(id)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  if (labels.length === 0)
    throw new ConfigError({ code: 'no_labels', message: 'the file has no labels', file })
  return labels
}

function readLabel(
  written: string,
  file: string,
  line: number,
  criteria: string | undefined,
): { label: Label } | { problems: Problem[] } {
  let value: unknown
  try {
    value = parseJsonc(written, file)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { problems: error.problems.map((problem) => ({ ...problem, line })) }
  }
  const parsed = labelSchema.safeParse(value, { reportInput: true })
  if (!parsed.success) {
    const issues = describeIssues(parsed.error, labelSchema, 'the label')
    return {
      problems: issues.map(({ code, message, hint }) => ({
        code,
        message,
        file,
        line,
        ...defined({ hint }),
      })),
    }
  }
  const wanted = parsed.data.criteria ?? criteria?.trim()
  if (wanted) {
    return { label: { ...parsed.data, id: parsed.data.id ?? `line ${line}`, criteria: wanted, line } }
  }
  const message = 'no criteria: give them in the label or with --criteria'
  return { problems: [{ code: 'missing', message, file, line }] }
}
