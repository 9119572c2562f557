import { areEqual } from '../../json/equal/find-difference.ts'
import { isRecord } from '../../json/json.ts'
import type { ToolCall } from '../../results/transcript/message.ts'
import { isToolName } from '../../text/tool-name.ts'

/**
 * Pairs the calls that an agent reports with those that viva has seen, each seen call once: by id, else by name, else by
 * arguments and result, because a framework may report a tool under a name that the agent has not `offered`.
 */
export function matchCalls(
  reported: readonly ToolCall[],
  seen: readonly ToolCall[],
  offered: readonly string[],
): ReadonlyMap<ToolCall, ToolCall> {
  const matches = new Map<ToolCall, ToolCall>()
  const left = new Set(seen)
  const match = (isSame: (reportedCall: ToolCall, seenCall: ToolCall) => boolean) => {
    for (const call of reported) {
      const found = matches.has(call) ? undefined : [...left].find((each) => isSame(call, each))
      if (found === undefined) continue
      matches.set(call, found)
      left.delete(found)
    }
  }
  match((call, each) => call.id === each.id && isSameTool(call, each))
  for (const isSame of [isSameName, isSameTool]) {
    match((call, each) => isSame(call, each) && isSameEnd(call, each) && hasSameArguments(call, each))
    match((call, each) => isSame(call, each) && isSameEnd(call, each))
  }
  match((call, each) => isSameTool(call, each) && hasSameArguments(call, each))
  match((call, each) => !isOffered(call.name, offered) && isRenamed(call, each))
  return matches
}

/** Whether a tool was offered, with or without the name of its server. */
export function isOffered(name: string, offered: readonly string[]): boolean {
  return offered.some((each) => isSameTool({ name }, { name: each }))
}

type Named = Pick<ToolCall, 'name'>

function isSameName(call: Named, each: Named): boolean {
  return call.name === each.name
}

function isSameTool(call: Named, each: Named): boolean {
  return isToolName(call.name, each.name) || isToolName(each.name, call.name)
}

function hasSameArguments(call: ToolCall, each: ToolCall): boolean {
  return areEqual(call.arguments, each.arguments)
}

/** A call that is reported as failed may have had invalid arguments, so that it is not the next one of the same name. */
function isSameEnd(call: ToolCall, { error }: ToolCall): boolean {
  if (!hasOnlyFailed(call)) return true
  return error !== undefined && call.error?.includes(error) === true
}

export function hasOnlyFailed({ result, error }: ToolCall): boolean {
  return error !== undefined && result === undefined
}

/** Equal arguments and results are evidence only if there are some. */
function isRenamed(call: ToolCall, each: ToolCall): boolean {
  if (!isSameEnd(call, each) || !hasSameArguments(call, each)) return false
  const showsBoth = call.result !== undefined && each.result !== undefined
  if (showsBoth && !areEqual(call.result, each.result)) return false
  return !isEmpty(call.arguments) || (showsBoth && !isEmpty(call.result))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0)
}

/** All calls of a turn: the reported ones, and between them, in the order in which they were seen, those that are missing there. */
export function mergeCalls(
  reported: readonly ToolCall[],
  seen: readonly ToolCall[],
  matches: ReadonlyMap<ToolCall, ToolCall>,
): ToolCall[] {
  const matched = new Set(matches.values())
  const merged: ToolCall[] = []
  let next = 0
  const addUnreported = (end: number) => {
    merged.push(...seen.slice(next, end).filter((call) => !matched.has(call)))
    next = Math.max(next, end)
  }
  for (const call of reported) {
    const own = matches.get(call)
    if (own !== undefined) addUnreported(seen.indexOf(own))
    merged.push(own === undefined ? call : addWhatWasSeen(call, own))
  }
  addUnreported(seen.length)
  return merged
}

/** A reported call without a result has the one that viva has seen. */
function addWhatWasSeen(call: ToolCall, { result, error, stubbed }: ToolCall): ToolCall {
  const complete = { ...call }
  if (call.result === undefined && call.error === undefined) {
    if (result !== undefined) complete.result = result
    if (error !== undefined) complete.error = error
  }
  if (stubbed) complete.stubbed = true
  return complete
}
