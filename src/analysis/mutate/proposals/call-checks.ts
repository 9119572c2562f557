import type { AssertionInput } from '../../../checks/assertion-type.ts'
import { sameData } from '../../../json/equal/find-difference.ts'
import { isRecord } from '../../../json/json.ts'
import type { ToolCall } from '../../../results/transcript/message.ts'
import type { Suggest } from './candidate.ts'
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
  const toolChecks = (assertions: AssertionInput[], cost: number) =>
    assertions.map((assertion) => ({ assertion, cost, looksAt: 'tools' as const }))
  const names = [...wanted].filter((name) => !called.has(name))
  const unwanted = [...called].filter((name) => !wanted.has(name) && tools.includes(name))
  return [
    ...toolChecks(
      names.map((name) => ({ type: 'tool_called', name })),
      0.8,
    ),
    ...toolChecks(
      before.flatMap((call) => argumentChecks(call, after)),
      0.9,
    ),
    ...toolChecks(orderChecks(calls), 1.1 + calls.length / 10),
    ...toolChecks(
      unwanted.map((name) => ({ type: 'tool_not_called', name })),
      1.5,
    ),
  ]
}

function orderChecks(calls: readonly ToolCall[]): AssertionInput[] {
  return calls.length > mostListed ? [] : [{ type: 'tool_order', value: calls.map(({ name }) => name) }]
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
