import { defined } from '../json/defined.ts'
import { listFailedChecks } from '../results/failed-checks.ts'
import { type CaseResult, type Failure, notRecorded } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Simulated, Turn } from '../results/transcript/turn.ts'

/**
 * Drops what was said and what quotes it: messages, outputs, arguments, reasons, logs. What stays: which checks of the
 * case file passed, names of tools, kinds of failures, times, tokens and cost.
 */
export function redactTranscripts(event: RunEvent): RunEvent | undefined {
  switch (event.type) {
    case 'log':
      return undefined
    case 'exchange':
      return {
        ...event,
        // The arguments of a tool may follow its name.
        target: event.role === 'tool' ? event.target.replace(/\s.*/s, '') : event.target,
        request: notRecorded,
        response: notRecorded,
        ...(event.error !== undefined && { error: notRecorded }),
      }
    case 'target_given_up':
      return { ...event, message: notRecorded }
    case 'turn':
      return { ...event, turn: redactTurn(event.turn) }
    case 'case_finished':
      return { ...event, result: redactResult(event.result) }
    default:
      return event
  }
}

function redactResult(result: CaseResult): CaseResult {
  const { failure, view, finals, checkpoints, script, termination } = result
  return {
    ...result,
    ...(failure && { failure: redactFailure(failure, result) }),
    termination: { ...termination, detail: '' },
    view: {
      history: view.history.map(({ role }) => ({ role, content: notRecorded })),
      turns: view.turns.map(redactTurn),
    },
    finals: finals.map(script ? redactScriptAssertion : redactCheck),
    checkpoints: checkpoints.map((checkpoint) => ({ ...checkpoint, reason: notRecorded })),
    ...(script && {
      script: {
        ...script,
        subtests: script.subtests.map(({ name, status, durationMs }) => ({ name, status, durationMs })),
      },
    }),
    logs: [],
  }
}

function redactFailure({ kind, message }: Failure, result: CaseResult): Failure {
  if (isWrittenByAuthor(result)) return { kind, message }
  const checks = listFailedChecks(result).map(({ check: { type }, turn }) =>
    turn === undefined ? type : `${type} in turn ${turn}`,
  )
  return {
    kind,
    message: checks.length === 0 ? `${kind} ${notRecorded}` : `failed checks: ${checks.join(', ')}`,
  }
}

/** Whether the reason comes from the case file or from viva. A script makes up its reason while it runs. */
function isWrittenByAuthor({ status, termination, script }: CaseResult): boolean {
  const reasons = ['skipped', 'missing_input', 'no_initial_input']
  return status === 'skipped' && script === undefined && reasons.includes(termination.reason)
}

function redactTurn(turn: Turn): Turn {
  const { input, reply, simulated, lastUserCalls, awaiting, error } = turn
  return {
    ...turn,
    input: { value: notRecorded, message: { role: input.message.role, content: notRecorded } },
    ...(reply && { reply: redactReply(reply) }),
    ...(simulated && { simulated: redactSimulated(simulated) }),
    ...(lastUserCalls && { lastUserCalls: lastUserCalls.map(redactCall) }),
    ...(error !== undefined && { error: notRecorded }),
    checks: turn.checks.map(redactCheck),
    awaiting: { awaiting: awaiting.awaiting, reason: awaiting.reason },
  }
}

function redactSimulated({ by, format, toolCalls }: Simulated): Simulated {
  return { by, format, ...(toolCalls && { toolCalls: redactCalls(toolCalls) }) }
}

function redactReply({ toolCalls, finishReason, usage, connector, awaitingInput }: Reply): Reply {
  return {
    output: notRecorded,
    content: notRecorded,
    messages: [{ role: 'assistant', content: notRecorded }],
    toolCalls: redactCalls(toolCalls),
    // An agent may put any text here.
    ...(finishReason !== undefined && { finishReason: isWord(finishReason) ? finishReason : notRecorded }),
    ...defined({ usage, connector, awaitingInput }),
  }
}

function isWord(text: string): boolean {
  return /^[a-z_-]{1,30}$/i.test(text)
}

function redactCalls(calls: Reply['toolCalls']): Reply['toolCalls'] {
  return calls === 'hidden' ? calls : calls.map(redactCall)
}

function redactCall({ name, error, stubbed }: ToolCall, index: number): ToolCall {
  const failed = error === undefined ? undefined : notRecorded
  return { id: String(index + 1), name, arguments: notRecorded, ...defined({ error: failed, stubbed }) }
}

function redactCheck({ type, status, gates, score, fields }: CheckResult): CheckResult {
  return { type, status, gates, reason: notRecorded, ...defined({ score, fields }) }
}

/** A script test makes up the messages of its assertions while it runs: only their place stays. */
function redactScriptAssertion({ fields, ...check }: CheckResult): CheckResult {
  return redactCheck({ ...check, ...(fields && { fields: { at: fields.at } }) })
}
