import type { AssertionInput } from '../../../checks/assertion-type.ts'
import { sameData } from '../../../json/equal/find-difference.ts'
import { isRecord } from '../../../json/json.ts'
import type { ToolCall } from '../../../results/transcript/message.ts'
import { isExact } from '../tools.ts'
import type { CheckCandidate, Suggest } from './candidate.ts'
import { isHidden } from './text-checks.ts'

/** Longer lists of calls are nothing that anybody would read. */
const mostListed = 6

/** The tools that were called, with the arguments that matter, and no others. */
export const suggestCallChecks: Suggest = ({ original, damaged, calls, tools }) => {
  if (original.toolCalls === 'hidden' || damaged.toolCalls === 'hidden') return []
  const [before, after] = [original.toolCalls, damaged.toolCalls]
  if (sameCalls(before, after)) return []
  const called = new Set(after.map(({ name }) => name))
  const wanted = new Set(before.map(({ name }) => name))
  const names = [...wanted].filter((name) => !called.has(name))
  const unwanted = [...called].filter((name) => !wanted.has(name) && tools.includes(name))
  return [
    ...names.map((name) => toolCheck({ type: 'tool_called', name }, 0.8)),
    ...before.flatMap((call) => argumentChecks(call, after)).map((each) => toolCheck(each, 0.9)),
    ...orderChecks(calls),
    ...unwanted.map((name) => toolCheck({ type: 'tool_not_called', name }, 1.5)),
  ]
}

function toolCheck(assertion: AssertionInput, cost: number): CheckCandidate {
  return { assertion, cost, looksAt: 'tools' }
}

/** Exactly these calls, and with exactly these arguments. */
function orderChecks(calls: readonly ToolCall[]): CheckCandidate[] {
  if (calls.length > mostListed) return []
  const names = calls.map(({ name }) => name)
  const complete = calls.map((call) => {
    const args = exactArguments(call)
    return args === undefined ? call.name : { name: call.name, arguments: args }
  })
  const order = (value: (typeof complete)[number][], cost: number): CheckCandidate => ({
    ...toolCheck({ type: 'tool_order', value }, cost + calls.length / 10),
    forAllTurns: true,
  })
  return complete.every((each) => typeof each === 'string')
    ? [order(names, 1.1)]
    : [order(names, 1.1), order(complete, 1.2)]
}

/** The arguments that can be written in one way only; undefined if there are none. */
function exactArguments({ arguments: args }: ToolCall): Record<string, unknown> | undefined {
  if (!isRecord(args)) return undefined
  const exact = Object.entries(args).filter(
    ([key, value]) => (typeof value !== 'string' || isExact(value, [key])) && !isLong(value),
  )
  return exact.length === 0 || isHidden(JSON.stringify(exact)) ? undefined : Object.fromEntries(exact)
}

function isLong(value: unknown): boolean {
  return JSON.stringify(value).length > 80
}

/** Only the arguments that differ from those of the calls that were made. */
function argumentChecks({ name, arguments: args }: ToolCall, after: readonly ToolCall[]): AssertionInput[] {
  if (!isRecord(args)) return []
  const closest = after.find((other) => other.name === name)
  const made = isRecord(closest?.arguments) ? closest.arguments : {}
  const wrong = Object.entries(args).filter(
    ([key, value]) => closest !== undefined && !sameData(value, made[key]),
  )
  if (wrong.length === 0 || isHidden(JSON.stringify(wrong))) return []
  return [{ type: 'tool_called', name, arguments: Object.fromEntries(wrong) }]
}

function sameCalls(left: readonly ToolCall[], right: readonly ToolCall[]): boolean {
  const plain = (calls: readonly ToolCall[]) => calls.map(({ name, arguments: args }) => ({ name, args }))
  return sameData(plain(left), plain(right))
}
