import { auditAgentFor, type CaseEntry } from '../cases/entry.ts'
import { InfrastructureError, TimeoutError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { isGradable } from '../results/gradable.ts'
import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { awakeClock } from '../scope/awake-clock.ts'
import { CaseScope } from '../scope/case-scope.ts'
import type { KeptPlay } from '../scope/tape.ts'
import type { CallOrigin, Targets } from '../scope/targets.ts'
import { ScriptCrash, ScriptThrew } from '../scripts/runner/script-error.ts'
import { shortDuration } from '../text/duration.ts'
import { findBreak, recordBreak, repeatBreak } from './broken-play.ts'
import { emptyResult, resultFromError } from './empty-result.ts'
import { buildContext } from './identity.ts'
import { excuseCase } from './missing-service.ts'
import { carryOver } from './recorded-case.ts'
import type { Stage } from './stage.ts'

/** Time for a suite to report a timeout itself before it is aborted from here. */
const graceMs = 2000

/** Plays a case of a suite, which runs it itself. */
export async function playCaseOfSuite(
  entry: CaseEntry,
  key: Key,
  stage: Stage,
  signal: AbortSignal,
): Promise<CaseResult> {
  const { source, identity, timeoutMs: standardMs, retry, targets, services, tapes, emit, stubAll } = stage
  const base = emptyResult(entry, key)
  let recorded: CaseResult | undefined
  const timeoutMs = entry.timeoutMs ?? standardMs
  const started = awakeClock.now()
  const context = buildContext(identity, { agentId: key.variant, run: key.run })
  const scope = CaseScope.open({ key, context, timeoutMs: timeoutMs + graceMs, signal, retry, targets, emit })
  const tape = tapes?.open(key)
  let kept: KeptPlay | undefined
  let isComplete = false
  const turns: Turn[] = []
  const onTurn = (turn: Turn) => {
    turns.push(turn)
    emit({ type: 'turn', key, turn })
  }
  try {
    recorded = await stage.conversations?.find(key)
    if (recorded !== undefined && !isGradable(recorded)) return carryOver(base, recorded)
    const loaded = await source.load(entry)
    if (loaded.kind !== 'suite') throw new Error(`${entry.id} is not a case of a suite`)
    await services?.beforeCase(scope)
    const { id, run, attempt } = { ...key, id: entry.id }
    const against = auditAgentFor(entry, key.variant)
    const request = { id, run, attempt, timeoutMs, ...defined({ tape: tape?.data, stubAll, against }) }
    const onKept = (all: KeptPlay) => {
      kept = all
      isComplete = true
    }
    repeatBreak(tape, entry, scope, onTurn)
    const result = await loaded.play(request, scope, onTurn, onKept, recorded)
    if (recorded === undefined) noteAnswer(result, targets, { key, role: 'agent' })
    // The suite must not change which result this is.
    const own = { key, caseHash: entry.hash, tags: entry.tags, line: entry.line }
    return excuseCase({ ...result, ...own }, context)
  } catch (error) {
    const cause = recorded === undefined ? findBreak(error, scope) : undefined
    isComplete ||= cause !== undefined && recordBreak(tape, entry, cause, turns)
    const broken =
      cause === undefined
        ? resultFromError(recorded === undefined ? error : blameChecks(error))
        : cause instanceof TimeoutError
          ? agentFailure('timeout', `timeout after ${shortDuration(timeoutMs)}`)
          : agentFailure('agent_error', `agent error: ${cause.message}`)
    // The turns that were finished before the error.
    const view = { history: [], turns }
    const durationMs = awakeClock.now() - started
    return { ...base, ...broken, view, singleTurn: turns.length < 2, durationMs, logs: [...scope.logs] }
  } finally {
    scope.close()
    tape?.close({ isComplete, kept })
  }
}

/** A suite makes its calls in another process: whether they succeed is seen from its results. */
function noteAnswer({ fault, failure, view }: CaseResult, targets: Targets, asker: CallOrigin): void {
  const agent = asker.key.variant
  if (view.turns.some(({ reply }) => reply !== undefined)) targets.answered(agent, asker)
  else if (fault === 'infrastructure' && failure?.kind === 'connection')
    targets.failed(agent, new InfrastructureError('connection', failure.message), asker)
}

/** The agent is not called when a recorded conversation is graded, so it cannot have failed. */
function blameChecks(error: unknown): unknown {
  if (error instanceof TimeoutError)
    return new InfrastructureError('timeout', `${error.message}, while a check was running`)
  return error instanceof ScriptCrash || error instanceof ScriptThrew
    ? new InfrastructureError('script_error', error.message)
    : error
}

/** A failure that the suite could not report, because its code or the agent's hangs, ended the process, or threw. */
function agentFailure(
  reason: 'timeout' | 'agent_error',
  message: string,
): Pick<CaseResult, 'status' | 'fault' | 'failure' | 'termination'> {
  return {
    status: 'failed',
    fault: 'agent',
    failure: { kind: reason, message },
    termination: { reason, detail: message },
  }
}
