import type { CaseResult } from '../results/result.ts'
import { addUsages, type Role, roles, type Usage, type UsageByRole } from '../results/usage.ts'

/** They are asked again when a recorded conversation is graded. */
const askedAgain: readonly Role[] = ['judge', 'script']

/** What the recorded result says of its conversation, whatever the checks say of it now. */
export function addRecording(result: CaseResult, recorded: CaseResult): CaseResult {
  return Object.assign(result, {
    usage: addUsages(replayedUsage(recorded.usage), result.usage),
    logs: [...recorded.logs, ...result.logs],
    sessionId: recorded.sessionId,
    startedAt: recorded.startedAt,
    durationMs: recorded.durationMs,
  })
}

/** A result without a conversation that could be graded stays as it is. */
export function carryOver(result: CaseResult, recorded: CaseResult): CaseResult {
  const { status, fault, failure, termination, view, finals, unevaluated, checkpoints, singleTurn } = recorded
  Object.assign(result, { status, termination, view, finals, unevaluated, checkpoints, singleTurn })
  if (fault !== undefined) result.fault = fault
  if (failure !== undefined) result.failure = failure
  return addRecording(result, recorded)
}

/** Recorded calls that are not made again. */
function replayedUsage(recorded: UsageByRole): UsageByRole {
  const replayed: UsageByRole = {}
  for (const role of roles) {
    const own = recorded[role]
    if (own !== undefined && !askedAgain.includes(role)) replayed[role] = asReplayed(own)
  }
  return replayed
}

function asReplayed(usage: Usage): Usage {
  const { calls, inputTokens, outputTokens, cost } = usage
  const replayed: Usage = { ...usage, replayedCalls: calls }
  if (inputTokens !== undefined || outputTokens !== undefined)
    replayed.replayedTokens = (inputTokens ?? 0) + (outputTokens ?? 0)
  if (cost !== undefined) replayed.replayedCost = cost
  return replayed
}
