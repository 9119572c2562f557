import { z } from 'zod'
import { extractJson } from '../json/extract-json.ts'
import { compilePath, type DataPath, type Found } from '../json/path.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { checkMatchers, compileMatch } from './argument-match.ts'
import { containsValue } from './contains.ts'
import { type CheckVerdict, defineAssertion, optionalName, type ReportProblem } from './definition.ts'
import { show } from './describe.ts'
import { compileCall, meetsExpectation } from './expected-call.ts'
import { bySide, findRefusedCall, hiddenVerdict, isCallTo, listToolCalls } from './tool-calls.ts'
import { argumentsField, byField, type CallingSide } from './tool-fields.ts'
import { searchValue } from './value-fields.ts'
import { isYaoForm, readYaoForm, refineYaoForm } from './yao-tool-result.ts'

const resultFields = {
  name: optionalName.describe('The name of the tool, with or without its server.'),
  arguments: argumentsField.describe('Consider only calls whose arguments contain these.'),
  args: argumentsField.describe('The same as `arguments`.'),
  path: optionalName.describe('Checks this part of the result: a dotted path or a JSONPath.'),
  value: z
    .unknown()
    .optional()
    .describe(
      'The expected result; objects may have more keys, and matchers can be used. Without `name`, the form that ' +
        'Yao uses: `{"tool": …, "result": …}`, where a string `"regex:…"` is a pattern, and the call must not have failed.',
    ),
  contains: searchValue.optional().describe('What the result must contain, as defined for `contains`.'),
  exists: z
    .boolean()
    .optional()
    .describe('Whether there must be a result or, with `path`, whether the path must exist.'),
  error: z.boolean().optional().describe('Whether the call must have failed.'),
  by: byField,
}

type Fields = z.output<z.ZodObject<typeof resultFields>>

export const toolResultCheck = defineAssertion({
  type: 'tool_result',
  about: 'At least one call of the tool returned this result. Matchers work as in `tool_called`.',
  fields: resultFields,
  example: { type: 'tool_result', name: 'create_expense', path: 'status', value: 'draft' },
  looksAt: 'tools',
  refine: refineResult,
  compile(written) {
    const expectation = readExpectation(written)
    const { by } = written
    const { name, value, contains, exists, error } = expectation
    const wanted = compileCall({ name, arguments: written.arguments ?? written.args })
    const miss = compileMiss(expectation)
    const expected = { value, contains, exists, error }
    return ({ turns, scope }) => {
      const { calls, hidden } = listToolCalls(turns, by)
      const refused = findRefusedCall(scope, by)
      const attempts = calls.filter((call) => meetsExpectation(call, wanted))
      const verdict = judgeResults(attempts, miss, (call) => describeNoResult(call, turns, by))
      if (verdict?.status === 'passed' || (verdict !== undefined && !hidden)) return { expected, ...verdict }
      if (hidden) return hiddenVerdict(`the result of ${name} is unknown`, scope, by)
      if (refused && isCallTo(refused, [name])) return { status: 'unknown', reason: refused.message }
      const how = wanted.call.arguments === undefined ? '' : ` with ${show(wanted.call.arguments)}`
      return { status: 'failed', reason: `tool ${name} was not called${bySide(by)}${how}`, expected }
    }
  },
})

type ResultExpectation = Pick<Fields, 'path' | 'value' | 'contains' | 'exists' | 'error'> & {
  name: string
  /** A text is expected, so a text result is not parsed as JSON. */
  isText: boolean
}

/** Reads the expectation from either of the two written forms. */
function readExpectation(written: Fields): ResultExpectation {
  const { name = '', value } = written
  if (!isYaoForm(written)) return { ...written, name, isText: typeof value === 'string' }
  const { tool, result, isText } = readYaoForm(value)
  return { name: tool, value: result, isText, error: false }
}

function refineResult(written: Fields, problem: ReportProblem): void {
  const { args } = written
  if (isYaoForm(written)) refineYaoForm(written, problem)
  else refineOwnForm(written, problem)
  if (written.arguments !== undefined && args !== undefined)
    problem('args', '"arguments" and "args" are the same')
  checkMatchers(written.arguments, ['arguments'], problem)
  checkMatchers(args, ['args'], problem)
}

function refineOwnForm({ name, value, contains, exists, error }: Fields, problem: ReportProblem): void {
  if (name === undefined) problem('name', 'tool_result needs the "name" of a tool')
  if ([value, contains, exists, error].every((each) => each === undefined))
    problem('value', 'tool_result needs "value", "contains", "exists" or "error"')
  if (exists !== undefined && (value !== undefined || contains !== undefined))
    problem('exists', '"exists" cannot be combined with "value" or "contains"')
  checkMatchers(value, ['value'], problem)
}

function describeNoResult(call: ToolCall, turns: readonly Turn[], by: CallingSide = 'agent'): string {
  const isIn = ({ toolCalls }: Reply) => toolCalls !== 'hidden' && toolCalls.includes(call)
  const waits = turns.some(({ reply }) => reply?.awaitingInput === true && isIn(reply))
  return waits
    ? 'has no result yet: the agent waits for input, such as the approval of the call'
    : `the ${by} does not show its result`
}

/** The verdict on the calls: a passed one, else an unknown one, else that of the last call. */
function judgeResults(
  calls: readonly ToolCall[],
  missOf: (call: ToolCall) => string | undefined,
  whyNone: (call: ToolCall) => string,
): CheckVerdict | undefined {
  const judged = calls.map((call): CheckVerdict => {
    const { name, result, error } = call
    if (result === undefined && error === undefined)
      return { status: 'unknown', reason: `tool ${name} was called, but ${whyNone(call)}` }
    const miss = missOf(call)
    const actual = result ?? (error === undefined ? null : { error })
    const gave =
      error === undefined ? `tool ${name} returned ${show(result)}` : `tool ${name} failed: ${error}`
    if (miss === undefined)
      return { status: 'passed', reason: gave, negatedReason: `${gave}, expected anything else`, actual }
    const all = calls.length > 1 ? ` (the last of ${calls.length} calls)` : ''
    return { status: 'failed', reason: `tool ${name}: ${miss}${all}`, negatedReason: gave, actual }
  })
  return (
    judged.find(({ status }) => status === 'passed') ??
    judged.find(({ status }) => status === 'unknown') ??
    judged.at(-1)
  )
}

/** Returns a function that describes the first difference between a call and the expectation. */
function compileMiss({ path: source, value, contains, exists, error, isText }: ResultExpectation) {
  const path = source === undefined ? undefined : compilePath(source)
  const name = source ?? 'the result'
  const missesOf = value === undefined ? undefined : compileMatch(value, name)
  return (call: ToolCall): string | undefined => {
    if (error === true && call.error === undefined) return 'it did not fail'
    if (error === false && call.error !== undefined) return `it failed: ${call.error}`
    const found = findPart(call, path, isText)
    if (exists !== undefined && (found !== undefined) !== exists)
      return found === undefined ? `${name} is missing` : `${name} exists: ${show(found.value)}`
    if (found === undefined && (value !== undefined || contains !== undefined))
      return call.error === undefined ? `${name} is missing` : `it failed: ${call.error}`
    const [miss] = missesOf?.(found?.value) ?? []
    if (miss !== undefined) return miss
    if (contains === undefined || containsValue(found?.value, contains)) return undefined
    return `${name} does not contain ${show(contains)}`
  }
}

function findPart({ result }: ToolCall, path: DataPath | undefined, isText: boolean): Found | undefined {
  if (result === undefined) return undefined
  if (typeof result !== 'string') return path === undefined ? { value: result } : path.find(result)
  // Many tools return JSON as text.
  const data = isText && path === undefined ? undefined : extractJson(result)
  if (path === undefined) return data ?? { value: result }
  return data === undefined ? undefined : path.find(data.value)
}
