import { z } from 'zod'
import { sameData } from '../json/equal/find-difference.ts'
import { extractJson } from '../json/extract-json.ts'
import { compilePath, type DataPath, type Found } from '../json/path.ts'
import {
  type CheckVerdict,
  comparisonVerdict,
  defineAssertion,
  type ReplyData,
  type Subject,
  statementVerdict,
  withRepairNote,
} from './definition.ts'
import { show } from './describe.ts'
import { listToolCalls } from './tool-calls.ts'

export const jsonPathCheck = defineAssertion({
  type: 'json_path',
  about:
    'The value at a dotted path or JSONPath (RFC 9535) in the JSON of the reply equals `value` or, if `value` ' +
    'is an array, one of its items. A final assertion also looks in tool results, newest first, then in the ' +
    'variables that scripts have set. If the reply, or a fenced code block in it, is malformed JSON (a ' +
    'trailing comma, single quotes, truncated…), it is repaired first, and the reason says so.',
  fields: {
    path: z
      .string({ error: ({ input }) => (input === undefined ? 'json_path needs a "path"' : undefined) })
      .min(1)
      .describe('A dotted path or a JSONPath; the leading `$.` may be left out.'),
    value: z.unknown().optional().describe('The expected value.'),
    exists: z.boolean().optional().describe('Instead of a value: whether the path must exist.'),
  },
  example: { type: 'json_path', path: '$.need_search', value: true },
  looksAt: 'data',
  repairsJson: true,
  refine({ value, exists }, problem) {
    if (value === undefined && exists === undefined) problem('value', 'json_path needs a "value" or "exists"')
    if (value !== undefined && exists !== undefined)
      problem('exists', '"value" and "exists" cannot be combined')
  },
  compile({ path: source, value, exists }) {
    const path = compilePath(source)
    return (subject) => {
      const { found, data } = searchPath(path, subject)
      if (found === undefined && subject.where !== 'turn' && subject.scope.context.isRecorded)
        return {
          status: 'unknown',
          reason: `${source} is in no reply or tool result, and the variables of scripts are not in the results file`,
        }
      const verdict =
        exists === undefined
          ? valueVerdict(source, found, value, subject)
          : presenceVerdict(source, found, exists)
      return withRepairNote(verdict, data)
    }
  },
})

// In the reply; after the conversation, then in the results of tools, then among the variables that scripts have set:
// the first place where the path exists.
function searchPath(
  path: DataPath,
  subject: Subject,
): { found?: Found | undefined; data?: ReplyData | undefined } {
  const data = subject.data()
  const inReply = findInData(path, data)
  if (inReply !== undefined || subject.where === 'turn') return { found: inReply, data }
  for (const { result } of listToolCalls(subject.turns).calls.toReversed()) {
    const found = findInData(path, typeof result === 'string' ? extractJson(result) : { value: result })
    if (found !== undefined) return { found }
  }
  const found = findInData(path, { value: subject.scope.context.variables })
  return found === undefined ? { data } : { found }
}

function findInData(path: DataPath, data: Found | undefined): Found | undefined {
  return data === undefined ? undefined : path.find(data.value)
}

function presenceVerdict(source: string, found: Found | undefined, exists: boolean): CheckVerdict {
  const is = found === undefined ? `${source} is missing` : `${source} exists: ${show(found.value)}`
  const isThere = found !== undefined
  const verdict = statementVerdict(isThere === exists, is, is, exists ? 'it not to exist' : 'it to exist')
  return { ...verdict, expected: exists, actual: isThere }
}

function valueVerdict(
  source: string,
  found: Found | undefined,
  value: unknown,
  subject: Subject,
): CheckVerdict {
  if (found === undefined) {
    const noJson = subject.where === 'turn' && subject.data() === undefined
    const is = noJson ? `${source} is missing (the reply contains no JSON)` : `${source} is missing`
    return { ...comparisonVerdict(false, is, show(value)), nothingThere: true, expected: value }
  }
  const actual = found.value
  const anyOf = Array.isArray(value) && !Array.isArray(actual)
  const holds = anyOf ? value.some((member) => sameData(member, actual)) : sameData(actual, value)
  const expectation = anyOf ? `one of ${show(value)}` : show(value)
  return { ...comparisonVerdict(holds, `${source} is ${show(actual)}`, expectation), expected: value, actual }
}
