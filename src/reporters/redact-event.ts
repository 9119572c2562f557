import { defined } from '../defined.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunStart } from '../results/summary.ts'
import type { RunEvent } from '../run-event.ts'
import { type Redact, redactKey } from '../scope/redact.ts'
import type { CheckResult } from '../transcript/check-result.ts'
import type { Message } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import type { Turn } from '../transcript/turn.ts'

/** Takes secrets out of what was said and found, and out of names. Statuses and other words of ours stay. */
export function redactEvent(event: RunEvent, redact: Redact): RunEvent {
  switch (event.type) {
    case 'run_started':
      return { ...event, start: redactStart(event.start, redact) }
    case 'case_started':
      return { ...event, key: redactKey(event.key, redact), ...defined({ name: redact(event.name) }) }
    case 'exchange': {
      const { key, target, request, response, error } = event
      return {
        ...event,
        key: redactKey(key, redact),
        target: redact(target),
        request: redact(request),
        response: redact(response),
        ...defined({ error: redact(error) }),
      }
    }
    case 'turn':
      return { ...event, key: redactKey(event.key, redact), turn: redactTurn(event.turn, redact) }
    case 'log':
      return { ...event, key: redactKey(event.key, redact), text: redact(event.text) }
    case 'case_finished':
      return { ...event, result: redactResult(event.result, redact) }
    case 'run_finished':
      // Counted from lines that have none.
      return event
  }
}

function redactStart(start: RunStart, redact: Redact): RunStart {
  const { agentId, connector, variants, environment } = start
  return {
    ...start,
    agentId: redact(agentId),
    ...defined({ connector: redact(connector) }),
    variants: redact(variants),
    environment: redact(environment),
  }
}

function redactResult(result: CaseResult, redact: Redact): CaseResult {
  const { key, name, tags, failure, termination, view, finals, expected, expectedFailure, logs } = result
  return {
    ...result,
    key: redactKey(key, redact),
    tags: redact(tags),
    ...defined({
      name: redact(name),
      failure: failure && { ...failure, message: redact(failure.message) },
      expectedFailure: redact(expectedFailure),
    }),
    ...(expected === undefined ? {} : { expected: redact(expected) }),
    termination: { ...termination, detail: redact(termination.detail) },
    view: {
      history: view.history.map((message) => redactMessage(message, redact)),
      turns: view.turns.map((turn) => redactTurn(turn, redact)),
    },
    finals: finals.map((check) => redactCheck(check, redact)),
    logs: redact(logs),
  }
}

function redactTurn(turn: Turn, redact: Redact): Turn {
  const { input, reply, error, description, checks, awaiting } = turn
  return {
    ...turn,
    ...defined({
      description: redact(description),
      error: redact(error),
      reply: reply && redactReply(reply, redact),
    }),
    input: { value: redact(input.value), message: redactMessage(input.message, redact) },
    checks: checks.map((check) => redactCheck(check, redact)),
    awaiting: { ...awaiting, ...defined({ match: redact(awaiting.match) }) },
  }
}

function redactReply(reply: Reply, redact: Redact): Reply {
  const { output, content, messages, toolCalls, inputHint, raw } = reply
  return {
    ...reply,
    output: redact(output),
    content: redact(content),
    messages: messages.map((message) => redactMessage(message, redact)),
    toolCalls: toolCalls === 'hidden' ? toolCalls : redact(toolCalls),
    ...defined({ inputHint: redact(inputHint) }),
    ...(raw === undefined ? {} : { raw: redact(raw) }),
  }
}

function redactMessage(message: Message, redact: Redact): Message {
  const { content, name, toolCalls } = message
  return {
    ...message,
    content: redact(content),
    ...defined({ name: redact(name), toolCalls: redact(toolCalls) }),
  }
}

function redactCheck(check: CheckResult, redact: Redact): CheckResult {
  const { type, status, gates } = check
  return { ...redact(check), type, status, gates }
}
