import { checksThatFail } from '../results/failed-checks.ts'
import { type CaseResult, type Failure, notRecorded } from '../results/result.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { Conceal } from './conceal.ts'

/**
 * Leaves out all that was said, and what quotes it: messages, outputs, arguments, reasons, logs. What stays: which checks
 * of the case file held, tools by their names, kinds of failures, times, tokens and cost.
 */
export const withoutTranscripts: Conceal = (event) => {
  switch (event.type) {
    case 'log':
      return undefined
    case 'exchange':
      return {
        ...event,
        // What a tool was asked for may follow its name.
        target: event.role === 'tool' ? event.target.replace(/\s.*/s, '') : event.target,
        request: notRecorded,
        response: notRecorded,
        ...(event.error !== undefined && { error: notRecorded }),
      }
    case 'target_given_up':
      return { ...event, message: notRecorded }
    case 'turn':
      return { ...event, turn: turnWithout(event.turn) }
    case 'case_finished':
      return { ...event, result: resultWithout(event.result) }
    default:
      return event
  }
}

function resultWithout(result: CaseResult): CaseResult {
  const { failure, view, finals, checkpoints, script, termination } = result
  return {
    ...result,
    ...(failure && { failure: failureWithout(failure, result) }),
    termination: { ...termination, detail: '' },
    view: {
      history: view.history.map(({ role }) => ({ role, content: notRecorded })),
      turns: view.turns.map(turnWithout),
    },
    finals: finals.map(script ? assertionWithout : checkWithout),
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

function failureWithout({ kind, message }: Failure, result: CaseResult): Failure {
  if (isToldByUs(result)) return { kind, message }
  const checks = checksThatFail(result).map(({ check: { type }, turn }) =>
    turn === undefined ? type : `${type} in turn ${turn}`,
  )
  return {
    kind,
    message: checks.length === 0 ? `${kind} ${notRecorded}` : `did not hold: ${checks.join(', ')}`,
  }
}

/** The words of whoever wrote the case file, or our own; those of a script are made when it runs. */
function isToldByUs({ status, termination, script }: CaseResult): boolean {
  const reasons = ['skipped', 'missing_input', 'no_initial_input']
  return status === 'skipped' && script === undefined && reasons.includes(termination.reason)
}

function turnWithout(turn: Turn): Turn {
  const { input, reply, simulated, awaiting, error } = turn
  return {
    ...turn,
    input: { value: notRecorded, message: { role: input.message.role, content: notRecorded } },
    ...(reply && { reply: replyWithout(reply) }),
    ...(simulated && { simulated: { by: simulated.by, format: simulated.format } }),
    ...(error !== undefined && { error: notRecorded }),
    checks: turn.checks.map(checkWithout),
    awaiting: { awaiting: awaiting.awaiting, reason: awaiting.reason },
  }
}

function replyWithout({ toolCalls, finishReason, usage, connector, awaitingInput }: Reply): Reply {
  return {
    output: notRecorded,
    content: notRecorded,
    messages: [{ role: 'assistant', content: notRecorded }],
    toolCalls: toolCalls === 'hidden' ? toolCalls : toolCalls.map(callWithout),
    // An agent may say anything here.
    ...(finishReason !== undefined && { finishReason: isWord(finishReason) ? finishReason : notRecorded }),
    ...(usage && { usage }),
    ...(connector !== undefined && { connector }),
    ...(awaitingInput !== undefined && { awaitingInput }),
  }
}

function isWord(text: string): boolean {
  return /^[a-z_-]{1,30}$/i.test(text)
}

function callWithout({ name, error, stubbed }: ToolCall, index: number): ToolCall {
  return {
    id: String(index + 1),
    name,
    arguments: notRecorded,
    ...(error !== undefined && { error: notRecorded }),
    ...(stubbed !== undefined && { stubbed }),
  }
}

function checkWithout({ type, status, gates, score, fields }: CheckResult): CheckResult {
  return {
    type,
    status,
    gates,
    reason: notRecorded,
    ...(score !== undefined && { score }),
    ...(fields && { fields }),
  }
}

/** Of a script test: what it says beside its assertions is made when it runs. */
function assertionWithout({ fields, ...check }: CheckResult): CheckResult {
  return checkWithout({ ...check, ...(fields && { fields: { at: fields.at } }) })
}
