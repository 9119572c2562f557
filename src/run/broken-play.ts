import type { CaseEntry } from '../cases/entry.ts'
import { AgentError, TimeoutError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { CaseScope } from '../scope/case-scope.ts'
import { errorFromData, errorToData } from '../scope/error-data.ts'
import type { PlayTape, TapeCall } from '../scope/tape.ts'
import { ScriptCrash, ScriptThrew } from '../scripts/runner/script-error.ts'

/** What ended the play of a suite that could not report its own end: a crash, or time that is up because it hangs. */
export type BreakOfSuite = AgentError | TimeoutError

export function findBreak(error: unknown, { stop }: Pick<CaseScope, 'stop'>): BreakOfSuite | undefined {
  if (stop.reason instanceof TimeoutError) return stop.reason
  if (error instanceof ScriptCrash || error instanceof ScriptThrew) return new AgentError(error.message)
  return error instanceof AgentError ? error : undefined
}

/** What the process has recorded ended with it: the whole play is one failed call of the agent. */
function breakingCall({ hash }: CaseEntry): TapeCall {
  return { layer: 'agent', target: 'the process of the suite', request: { case: hash } }
}

/** Records the break, with the turns that were finished before it. Returns whether it is on tape. */
export function recordBreak(
  tape: PlayTape | undefined,
  entry: CaseEntry,
  error: BreakOfSuite,
  turns: readonly Turn[],
): boolean {
  const { rules, recorded } = tape?.data ?? {}
  if (tape === undefined || findRecorded(recorded, entry) !== undefined) return tape !== undefined
  if (rules !== undefined && rules.missing === 'error' && !rules.live.includes('agent')) return false
  const { layer, target, request } = breakingCall(entry)
  const keep = tape.take({ layer, target, request })
  if (typeof keep !== 'function') return false
  const aborted = error instanceof TimeoutError
  const data = { ...errorToData(error), ...(aborted && { aborted }) }
  keep({ layer, target, request, error: data, effects: turns, startedMs: 0, durationMs: 0 })
  return true
}

/** Ends a play as it ended when it was recorded, if it broke then and the agent is not live. */
export function repeatBreak(
  tape: PlayTape | undefined,
  entry: CaseEntry,
  { stop }: CaseScope,
  onTurn: (turn: Turn) => void,
): void {
  if (tape === undefined || findRecorded(tape.data.recorded, entry) === undefined) return
  const taken = tape.take(breakingCall(entry))
  if (typeof taken !== 'object' || taken.error === undefined) return
  for (const turn of (taken.effects ?? []) as Turn[]) onTurn(turn)
  const error = errorFromData(taken.error)
  if (taken.error.aborted) stop.abort(error)
  throw error
}

function findRecorded(recorded: PlayTape['data']['recorded'], entry: CaseEntry) {
  const { target } = breakingCall(entry)
  return recorded?.calls.find(
    (call) => call.target === target && isRecord(call.request) && call.request.case === entry.hash,
  )
}
