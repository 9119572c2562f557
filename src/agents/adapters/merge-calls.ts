import type { ToolCall } from '../../results/transcript/message.ts'

/** Pairs the calls that an agent reports with those that viva has seen: by id, else by name, and each seen call once. */
export function matchCalls(
  reported: readonly ToolCall[],
  seen: readonly ToolCall[],
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
  match((call, each) => call.id === each.id && call.name === each.name)
  match((call, each) => call.name === each.name)
  return matches
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
