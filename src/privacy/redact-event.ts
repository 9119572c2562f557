import type { CaseResult, CheckpointResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Message, ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { type Redact, redactKey } from './redact.ts'
import { redactAssertion, redactAt } from './redact-assertion.ts'

/** Takes secrets out of all that is said, found and named. Statuses and other words of ours stay. */
export function redactEvent(event: RunEvent, redact: Redact): RunEvent {
  // Nearly all events hold none, and are given back as they are.
  return redact(event) === event ? event : mapEvent(event, redact)
}

/** The same event with all that came from outside put through `redact`, piece by piece; what says whose it is, through `ofKeys`. */
export function mapEvent(event: RunEvent, redact: Redact, ofKeys = redact): RunEvent {
  switch (event.type) {
    case 'run_started':
      return { ...event, start: redactStart(event.start, redact) }
    case 'case_started':
    case 'log':
      return { ...redactFields(event, redact, 'type', 'key'), key: redactKey(event.key, ofKeys) }
    case 'exchange':
      return {
        ...redactFields(event, redact, 'type', 'role', 'retries', 'durationMs', 'key'),
        key: redactKey(event.key, ofKeys),
      }
    case 'turn':
      return { ...event, key: redactKey(event.key, ofKeys), turn: redactTurn(event.turn, redact) }
    case 'target_given_up':
      return redactFields(event, redact, 'type', 'tests')
    case 'case_finished':
      return { ...event, result: redactResult(event.result, redact, ofKeys) }
    case 'case_stability':
    case 'run_finished':
      // Counted from lines that have none.
      return event
  }
}

/** Every field but `ours`, so that a field nobody thought of hides its secrets too. What fields are called stays. */
function redactFields<T extends object>(value: T, redact: Redact, ...ours: (keyof T & string)[]): T {
  const kept: string[] = ours
  const fields = Object.entries(value).map(([name, item]) => [
    name,
    kept.includes(name) ? item : redact(item),
  ])
  return Object.fromEntries(fields) as T
}

function redactStart(start: RunStart, redact: Redact): RunStart {
  const { scripts } = start
  return {
    ...redactFields(start, redact, 'vivaVersion', 'timestamp', 'planHash', ...countsOfStart, 'scripts'),
    ...(scripts && { scripts: scripts.map((script) => redactFields(script, redact, 'tests')) }),
  }
}

const countsOfStart = ['totalCases', 'runs', 'seed', 'resumed'] as const
const wordsOfResult = [
  'caseHash',
  'status',
  'fault',
  'unevaluated',
  'usage',
  'startedAt',
  'line',
  'durationMs',
] as const
const partsOfResult = ['key', 'failure', 'termination', 'view', 'script', 'finals', 'checkpoints'] as const

function redactResult(result: CaseResult, redact: Redact, ofKeys: Redact): CaseResult {
  const { key, failure, termination, view, finals, checkpoints, script } = result
  return {
    ...redactFields(result, redact, ...wordsOfResult, ...partsOfResult),
    key: redactKey(key, ofKeys),
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

function redactTurn(turn: Turn, redact: Redact): Turn {
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

function redactReply(reply: Reply, redact: Redact): Reply {
  const { messages, toolCalls } = reply
  return {
    ...redactFields(reply, redact, 'usage', 'messages', 'toolCalls'),
    messages: messages.map((message) => redactMessage(message, redact)),
    toolCalls: toolCalls === 'hidden' ? toolCalls : redactCalls(toolCalls, redact),
  }
}

function redactMessage(message: Message, redact: Redact): Message {
  const { toolCalls } = message
  return {
    ...redactFields(message, redact, 'role', 'toolCalls'),
    ...(toolCalls && { toolCalls: redactCalls(toolCalls, redact) }),
  }
}

function redactCalls(calls: readonly ToolCall[], redact: Redact): ToolCall[] {
  return calls.map((call) => redactFields(call, redact))
}

function redactCheck(check: CheckResult, redact: Redact): CheckResult {
  const { expected, actual, fields } = check
  const path = fields?.exists === undefined ? fields?.path : undefined
  return {
    ...redactFields(check, redact, 'type', 'status', 'score', 'expected', 'actual', 'fields'),
    ...(expected !== undefined && { expected: redactAt(path, expected, redact) }),
    ...(actual !== undefined && { actual: redactAt(path, actual, redact) }),
    ...(fields && { fields: redactAssertion(fields, redact) }),
  }
}

function redactCheckpoint(checkpoint: CheckpointResult, redact: Redact): CheckpointResult {
  return redactFields(checkpoint, redact, 'status', 'turn')
}
