import { z } from 'zod'
import { defineAssertion, type Subject, type Verdict } from './definition.ts'
import { show } from './describe.ts'
import { deepEqual } from './equality.ts'
import { extractJson, type Found } from './extract-json.ts'
import { compilePath, type Path } from './path.ts'
import { toolCallsOf } from './tool-calls.ts'

export const jsonPath = defineAssertion({
  type: 'json_path',
  about:
    'What a dotted path or JSONPath (RFC 9535) finds in the JSON of the reply equals the value or, for an ' +
    'array as value, one of them; after the conversation it looks in tool results too, newest first.',
  fields: {
    path: z.string().min(1).describe('A dotted path or a JSONPath; the leading `$.` may be left out.'),
    value: z.unknown().optional().describe('What must be there.'),
    exists: z.boolean().optional().describe('Instead of a value: whether anything must be there.'),
  },
  example: { type: 'json_path', path: '$.need_search', value: true },
  looksAt: 'data',
  refine({ value, exists }, problem) {
    if (value === undefined && exists === undefined) problem('value', 'json_path needs a "value" or "exists"')
    if (value !== undefined && exists !== undefined)
      problem('exists', '"value" and "exists" exclude each other')
  },
  compile({ path: source, value, exists }) {
    const path = compilePath(source)
    return (subject) => {
      const found = search(path, subject)
      return exists === undefined ? compare(source, found, value, subject) : presence(source, found, exists)
    }
  },
})

// In the reply; after the conversation, then in the results of tools: the first place where the path exists.
function search(path: Path, subject: Subject): Found | undefined {
  const data = subject.data()
  const inReply = data === undefined ? undefined : path.find(data.value)
  if (inReply !== undefined || subject.where === 'turn') return inReply
  for (const { result } of toolCallsOf(subject.turns).calls.toReversed()) {
    const data = typeof result === 'string' ? extractJson(result) : { value: result }
    const inResult = data === undefined ? undefined : path.find(data.value)
    if (inResult !== undefined) return inResult
  }
  return undefined
}

function presence(source: string, found: Found | undefined, exists: boolean): Verdict {
  const status = (found !== undefined) === exists ? 'passed' : 'failed'
  const verdict: Verdict = {
    status,
    reason: `${source} is missing`,
    expected: exists,
    actual: found !== undefined,
  }
  return found === undefined ? verdict : { ...verdict, reason: `${source} is there: ${show(found.value)}` }
}

function compare(source: string, found: Found | undefined, value: unknown, subject: Subject): Verdict {
  if (found === undefined) {
    const noJson = subject.where === 'turn' && subject.data() === undefined
    const why = noJson ? `${source} is missing, for the reply holds no JSON` : `${source} is missing`
    return {
      status: 'failed',
      reason: `${why}; expected ${show(value)}`,
      negatedReason: why,
      expected: value,
    }
  }
  const actual = found.value
  const is = `${source} is ${show(actual)}`
  const anyOf = Array.isArray(value) && !Array.isArray(actual)
  if (anyOf ? value.some((member) => deepEqual(member, actual)) : deepEqual(actual, value)) {
    return {
      status: 'passed',
      reason: is,
      negatedReason: `${is}, expected anything else`,
      expected: value,
      actual,
    }
  }
  const expectation = anyOf ? `one of ${show(value)}` : show(value)
  return {
    status: 'failed',
    reason: `${is}, expected ${expectation}`,
    negatedReason: is,
    expected: value,
    actual,
  }
}
