import type { CaseResult, CheckpointResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Message, ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { type Redactor, redactKey } from './redact.ts'
import { redactAssertion, redactAt } from './redact-assertion.ts'

/** Redacts every part of an event that came from outside. Statuses and other words of viva's own stay. */
export function redactEvent(event: RunEvent, redact: Redactor): RunEvent {
  // Nearly all events have no secret in them and are returned as they are.
  return redact(event) === event ? event : redactEachPart(event, redact)
}

/** Redacts an event part by part. Keys, which identify its result, go through `redactKeyPart` instead. */
export function redactEachPart(event: RunEvent, redact: Redactor, redactKeyPart = redact): RunEvent {
  switch (event.type) {
    case 'run_started':
      return { ...event, start: redactStart(event.start, redact) }
    case 'case_started':
    case 'log':
      return { ...redactFields(event, redact, 'type', 'key'), key: redactKey(event.key, redactKeyPart) }
    case 'exchange':
      return {
        ...redactFields(event, redact, 'type', 'role', 'retries', 'durationMs', 'key'),
        key: redactKey(event.key, redactKeyPart),
      }
    case 'turn':
      return { ...event, key: redactKey(event.key, redactKeyPart), turn: redactTurn(event.turn, redact) }
    case 'target_given_up':
      return redactFields(event, redact, 'type', 'tests')
    case 'case_finished':
      return { ...event, result: redactResult(event.result, redact, redactKeyPart) }
    case 'case_stability':
    case 'run_finished':
      // They are counted from lines that are already redacted.
      return event
  }
}

/** Redacts every field but those to keep, so that a new field is redacted by default. Names of fields stay. */
function redactFields<T extends object>(value: T, redact: Redactor, ...keep: (keyof T & string)[]): T {
  const kept: string[] = keep
  const fields = Object.entries(value).map(([name, item]) => [
    name,
    kept.includes(name) ? item : redact(item),
  ])
  return Object.fromEntries(fields) as T
}

function redactStart(start: RunStart, redact: Redactor): RunStart {
  const { scripts } = start
  return {
    ...redactFields(start, redact, 'vivaVersion', 'timestamp', 'planHash', ...startCounts, 'scripts'),
    ...(scripts && { scripts: scripts.map((script) => redactFields(script, redact, 'tests')) }),
  }
}

const startCounts = ['totalCases', 'runs', 'seed', 'resumed'] as const
const plainResultFields = [
  'caseHash',
  'status',
  'fault',
  'unevaluated',
  'usage',
  'startedAt',
  'line',
  'durationMs',
] as const
const nestedResultFields = [
  'key',
  'failure',
  'termination',
  'view',
  'script',
  'finals',
  'checkpoints',
] as const

function redactResult(result: CaseResult, redact: Redactor, redactKeyPart: Redactor): CaseResult {
  const { key, failure, termination, view, finals, checkpoints, script } = result
  return {
    ...redactFields(result, redact, ...plainResultFields, ...nestedResultFields),
    key: redactKey(key, redactKeyPart),
    ...(failure && { failure: redactFields(failure, redact, 'kind') }),
    termination: redactFields(termination, redact, 'reason'),
    view: {
      history: view.history.map((message) => redactMessage(message, redact)),
      turns: view.turns.map((turn) => redactTurn(turn, redact)),
    },
    ...(script && {
      script: {
        ...script,
        subtests: script.subtests.map((each) => redactFields(each, redact, 'status', 'durationMs')),
      },
    }),
    finals: finals.map((check) => redactCheck(check, redact)),
    checkpoints: checkpoints.map((checkpoint) => redactCheckpoint(checkpoint, redact)),
  }
}

function redactTurn(turn: Turn, redact: Redactor): Turn {
  const { input, reply, checks, awaiting, simulated } = turn
  return {
    ...redactFields(
      turn,
      redact,
      'number',
      'durationMs',
      'source',
      'unevaluated',
      'simulated',
      'input',
      'reply',
      'checks',
      'awaiting',
    ),
    ...(simulated && { simulated: redactFields(simulated, redact, 'format') }),
    input: { ...redactFields(input, redact, 'message'), message: redactMessage(input.message, redact) },
    ...(reply && { reply: redactReply(reply, redact) }),
    checks: checks.map((check) => redactCheck(check, redact)),
    awaiting: redactFields(awaiting, redact, 'reason'),
  }
}

function redactReply(reply: Reply, redact: Redactor): Reply {
  const { messages, toolCalls } = reply
  return {
    ...redactFields(reply, redact, 'usage', 'messages', 'toolCalls'),
    messages: messages.map((message) => redactMessage(message, redact)),
    toolCalls: toolCalls === 'hidden' ? toolCalls : redactCalls(toolCalls, redact),
  }
}

function redactMessage(message: Message, redact: Redactor): Message {
  const { toolCalls } = message
  return {
    ...redactFields(message, redact, 'role', 'toolCalls'),
    ...(toolCalls && { toolCalls: redactCalls(toolCalls, redact) }),
  }
}

function redactCalls(calls: readonly ToolCall[], redact: Redactor): ToolCall[] {
  return calls.map((call) => redactFields(call, redact))
}

function redactCheck(check: CheckResult, redact: Redactor): CheckResult {
  const { expected, actual, fields } = check
  const path = fields?.exists === undefined ? fields?.path : undefined
  return {
    ...redactFields(check, redact, 'type', 'status', 'score', 'expected', 'actual', 'fields'),
    ...(expected !== undefined && { expected: redactAt(path, expected, redact) }),
    ...(actual !== undefined && { actual: redactAt(path, actual, redact) }),
    ...(fields && { fields: redactAssertion(fields, redact) }),
  }
}

function redactCheckpoint(checkpoint: CheckpointResult, redact: Redactor): CheckpointResult {
  return redactFields(checkpoint, redact, 'status', 'turn')
}
