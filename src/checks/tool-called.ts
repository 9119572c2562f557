import type { ToolCall } from '../results/transcript/message.ts'
import type { Scope } from '../scope/scope.ts'
import { isToolName } from '../text/tool-name.ts'
import { alignArguments, parseJsonArguments } from './argument-match.ts'
import { type CheckVerdict, defineAssertion, type JudgeSubject } from './definition.ts'
import { listed, show } from './describe.ts'
import { compileCall, type Expectation, toExpectedCall } from './expected-call.ts'
import {
  bySide,
  findRefusedCall,
  hiddenVerdict,
  isCallTo,
  listCalledTools,
  listToolCalls,
} from './tool-calls.ts'
import {
  type CallingSide,
  type ExpectedCall,
  readExpectedCalls,
  refineToolFields,
  type ToolFields,
  toolFields,
} from './tool-fields.ts'

export const toolCalledCheck = defineAssertion({
  type: 'tool_called',
  about:
    'A tool was called with arguments that contain the expected ones. Instead of a value, an expected ' +
    'argument can be a matcher: `{"$regex": …}`, `{"$any": true}`, `{"$gt": n}`, `$gte`, `$lt` or `$lte`.',
  fields: toolFields,
  example: { type: 'tool_called', name: 'create_expense', arguments: { amount: { $gt: 3000 } } },
  looksAt: 'tools',
  refine: (fields, problem) => refineToolFields('tool_called', fields, problem),
  compile: compileToolCalled,
})

/** `tool_not_called` is the same, turned around. */
export function compileToolCalled(fields: ToolFields): JudgeSubject {
  const expectations = readExpectedCalls(fields).map(compileCall)
  const expected = expectations.length === 1 ? expectations[0]?.call : expectations.map(({ call }) => call)
  const { by } = fields
  return ({ turns, scope }) => ({
    expected,
    ...judgeCalls({ expectations, by }, listToolCalls(turns, by), scope),
  })
}

interface Attempt {
  expected: ExpectedCall
  call: ToolCall
  misses: string[]
}

interface Expected {
  expectations: Expectation[]
  by: CallingSide | undefined
}

function judgeCalls(
  { expectations, by }: Expected,
  { calls, hidden }: ReturnType<typeof listToolCalls>,
  scope: Scope,
): CheckVerdict {
  const attempts = expectations.flatMap(({ call: expected, misses }) =>
    calls
      .filter((call) => isToolName(call.name, expected.name))
      .map((call): Attempt => ({ expected, call, misses: misses(call.arguments) })),
  )
  const match = attempts.find(({ misses }) => misses.length === 0)
  if (match !== undefined) return calledVerdict(match.call, { expectations, by })
  const names = listNames(expectations)
  if (hidden) return hiddenVerdict(`whether it called ${listed(names)} is unknown`, scope, by)
  const refused = findRefusedCall(scope, by)
  const closest = attempts.toSorted((left, right) => left.misses.length - right.misses.length)[0]
  if (closest !== undefined) return nearMissVerdict(closest, attempts.length, by)
  if (refused && isCallTo(refused, names)) return { status: 'unknown', reason: refused.message }
  return notCalledVerdict({ expectations, by }, listCalledTools(calls, refused))
}

function calledVerdict(call: ToolCall, { expectations, by }: Expected): CheckVerdict {
  const withArguments = expectations.some((expectation) => expectation.call.arguments !== undefined)
  const reason = `tool ${call.name} was called${bySide(by)}${withArguments ? ` with ${show(call.arguments)}` : ''}`
  const negatedReason = `${reason}, expected ${withArguments ? 'no such call' : 'it not to be called'}`
  return { status: 'passed', reason, negatedReason, actual: toExpectedCall(call) }
}

function notCalledVerdict({ expectations, by }: Expected, made: readonly string[]): CheckVerdict {
  const names = listNames(expectations)
  const actual = [...new Set(made)]
  const instead = actual.length === 0 ? 'no tool was called' : `called: ${listed(actual)}`
  const missing =
    names.length === 1 ? `tool ${listed(names)} was not called` : `none of ${listed(names)} was called`
  return { status: 'failed', reason: `${missing}${bySide(by)} (${instead})`, actual }
}

/** What is expected of it is written as it was called, so that only what was missed differs. */
function nearMissVerdict(
  { expected, call, misses }: Attempt,
  attempts: number,
  by: CallingSide | undefined,
): CheckVerdict {
  const shown = misses.slice(0, 3)
  const rest = misses.length > shown.length ? `; and ${misses.length - shown.length} more` : ''
  const args = parseJsonArguments(call.arguments)
  const was = `was called${bySide(by)}`
  const times = attempts === 1 ? `${was}, but` : `${was} ${attempts} times; in the closest call`
  return {
    status: 'failed',
    reason: `${call.name} ${times} ${shown.join('; ')}${rest}`,
    negatedReason: `${call.name} ${was}, but not with these arguments`,
    expected: { name: call.name, arguments: alignArguments(expected.arguments, args) },
    actual: { name: call.name, arguments: args },
  }
}

function listNames(expectations: Expectation[]): string[] {
  return [...new Set(expectations.map(({ call }) => call.name))]
}
