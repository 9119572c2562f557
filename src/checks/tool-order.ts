import { z } from 'zod'
import type { InfrastructureError } from '../errors.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import { isToolName } from '../text/tool-name.ts'
import { type CheckVerdict, defineAssertion } from './definition.ts'
import { listed, show } from './describe.ts'
import { compileCall, type Expectation, meetsExpectation, toExpectedCall } from './expected-call.ts'
import { bestPairing, bestPairingInOrder, type Fits } from './pairing.ts'
import { findRefusedCall, hiddenVerdict, isCallTo, listCalledTools, listToolCalls } from './tool-calls.ts'
import { byField, type ExpectedCall, nameOrCall, readExpectedCalls, refineToolFields } from './tool-fields.ts'

type OrderMode = 'strict' | 'unordered' | 'subset' | 'superset'

export const toolOrderCheck = defineAssertion({
  type: 'tool_order',
  about:
    'All tool calls of the conversation together match the expected calls. `strict`: exactly these, in this ' +
    'order. `unordered`: exactly these, in any order. `subset`: no calls other than these. `superset`: all ' +
    'of these, and possibly others. Each expected call is paired with at most one actual call, and the best ' +
    'pairing counts. Matchers work as in `tool_called`.',
  fields: {
    value: z
      .array(nameOrCall, { error: () => 'tool_order needs a "value" that is a list of calls' })
      .describe('The expected calls: names, or `{"name", "arguments"}`.'),
    mode: z
      .enum(['strict', 'unordered', 'subset', 'superset'])
      .optional()
      .describe('How they are compared (default `strict`).'),
    in_order: z
      .boolean()
      .optional()
      .describe('With `subset` or `superset`: the paired calls must be in the same order.'),
    by: byField,
  },
  example: {
    type: 'tool_order',
    mode: 'superset',
    in_order: true,
    value: ['get_policy', { name: 'create_expense', arguments: { amount: { $gt: 0 } } }],
  },
  looksAt: 'tools',
  refine({ value, mode = 'strict', in_order }, problem) {
    refineToolFields('tool_order', { value }, problem)
    if (value.length === 0 && mode === 'superset')
      problem('value', 'every list of calls is a superset of no calls')
    if (in_order !== undefined && (mode === 'strict' || mode === 'unordered'))
      problem('in_order', `"in_order" is only for subset and superset, not for ${mode}`)
  },
  compile({ value, mode = 'strict', in_order = mode === 'strict', by }) {
    const expectations = readExpectedCalls({ value }).map(compileCall)
    const expected = expectations.map(({ call }) => call)
    const names = expected.map(({ name }) => name)
    return ({ turns, scope }) => {
      const { calls, hidden } = listToolCalls(turns, by)
      const refused = findRefusedCall(scope, by)
      const verdict = judgeOrder({ mode, inOrder: in_order, expectations, calls, refused })
      const settled =
        (mode === 'superset' && verdict.status === 'passed') ||
        (mode === 'subset' && verdict.status === 'failed')
      // Hidden calls can only add to the list, which does not change either of these verdicts.
      if (hidden && !settled) return { ...hiddenVerdict('their order is unknown', scope, by), expected }
      if (verdict.status === 'failed' && refused && isCallTo(refused, names))
        return { status: 'unknown', reason: refused.message, expected }
      return { ...verdict, expected, actual: calls.map(toExpectedCall) }
    }
  },
})

interface Comparison {
  mode: OrderMode
  inOrder: boolean
  expectations: readonly Expectation[]
  calls: readonly ToolCall[]
  refused: InfrastructureError | undefined
}

function judgeOrder({ mode, inOrder, expectations, calls, refused }: Comparison): CheckVerdict {
  const pair = inOrder ? bestPairingInOrder : bestPairing
  const pairing = pair(expectations.length, calls.length, createFits(expectations, calls))
  const paired = new Set(pairing.filter((actual) => actual !== undefined))
  const missing = mode === 'subset' ? [] : expectations.filter((_, index) => pairing[index] === undefined)
  const unexpected = mode === 'superset' ? [] : calls.filter((_, index) => !paired.has(index))

  const needed = { subset: calls.length, superset: expectations.length }
  const total =
    mode === 'subset' || mode === 'superset' ? needed[mode] : Math.max(calls.length, expectations.length)
  const score = total === 0 ? 1 : paired.size / total
  const way = inOrder && mode !== 'strict' ? `${mode}, in order` : mode
  const names = listCalledTools(calls, refused)
  const made = names.length === 0 ? 'no tool was called' : `called: ${listed(names)}`
  if (missing.length === 0 && unexpected.length === 0)
    return {
      status: 'passed',
      reason: `the tool calls are as expected (${way}); ${made}`,
      negatedReason: `the tool calls are exactly these (${way}), expected others; ${made}`,
      score,
    }
  const difference =
    mode === 'strict'
      ? describeFirstDifference(expectations, calls)
      : describeDifferences(missing, unexpected)
  return { status: 'failed', reason: `${difference} (${way}; ${made})`, score }
}

// Comparing a call may run regular expressions, so every pair is compared only once.
function createFits(expectations: readonly Expectation[], calls: readonly ToolCall[]): Fits {
  const known = expectations.map((expectation) => calls.map((call) => meetsExpectation(call, expectation)))
  return (expected, actual) => known[expected]?.[actual] === true
}

function describeDifferences(missing: readonly Expectation[], unexpected: readonly ToolCall[]): string {
  const parts = [
    { words: 'missing', calls: missing.map(({ call }) => call) },
    { words: 'unexpected', calls: unexpected.map(toExpectedCall) },
  ]
  return parts
    .filter(({ calls }) => calls.length > 0)
    .map(({ words, calls }) => `${words}: ${listed(calls.map(describeCall), 3)}`)
    .join('; ')
}

function describeFirstDifference(expectations: readonly Expectation[], calls: readonly ToolCall[]): string {
  const at = calls.findIndex((call, index) => {
    const expectation = expectations[index]
    return expectation === undefined || !meetsExpectation(call, expectation)
  })
  const index = at === -1 ? calls.length : at
  const [call, expectation] = [calls[index], expectations[index]]
  if (expectation === undefined) return `call ${index + 1} was ${call?.name}, expected no more`
  if (call === undefined) return `call ${index + 1} is missing, expected ${describeCall(expectation.call)}`
  if (!isToolName(call.name, expectation.call.name))
    return `call ${index + 1} was ${call.name}, expected ${expectation.call.name}`
  return `call ${index + 1} was ${call.name}, but ${expectation.misses(call.arguments).slice(0, 3).join('; ')}`
}

function describeCall({ name, arguments: written }: ExpectedCall): string {
  return written === undefined ? name : `${name} ${show(written, 60)}`
}
