import { isRecord } from '../json/json.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Message } from '../results/transcript/message.ts'
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
      return { ...event, start: redactParts(event.start, startRules, redact) }
    case 'case_started':
    case 'log':
      return {
        ...redactParts(event, { type: keep, key: keep }, redact),
        key: redactKey(event.key, redactKeyPart),
      }
    case 'exchange':
      return { ...redactParts(event, exchangeRules, redact), key: redactKey(event.key, redactKeyPart) }
    case 'turn': {
      const turn = redactParts(event.turn, turnRules, redact)
      return { ...event, key: redactKey(event.key, redactKeyPart), turn }
    }
    case 'target_given_up':
      return redactParts(event, { type: keep, tests: keep }, redact)
    case 'case_finished': {
      const key = redactKey(event.result.key, redactKeyPart)
      return { ...event, result: { ...redactParts(event.result, resultRules, redact), key } }
    }
    case 'workers':
    case 'case_stability':
    case 'run_finished':
      // They are counted from lines that are already redacted.
      return event
  }
}

/** The part stays as it is. */
const keep = 'keep'

/** How the parts of a value are redacted: by the rules for their own parts, or by a function. */
type Rules<T> = { [Name in keyof T]?: Rule<ItemOf<NonNullable<T[Name]>>> }
type Rule<T> = typeof keep | Rules<T> | ((value: T, redact: Redactor) => T)
type ItemOf<T> = Exclude<T, string> extends readonly (infer Item)[] ? Item : T

/** Parts without a rule are redacted as a whole, so that a new field is redacted by default. Names of fields stay. */
function redactParts<T extends object>(value: T, rules: Rules<T>, redact: Redactor): T {
  const parts = Object.entries(value).map(([name, part]) => {
    const rule = rules[name as keyof T] as Rule<unknown> | undefined
    return [name, rule === undefined ? redact(part) : applyRule(rule, part, redact)]
  })
  return Object.fromEntries(parts) as T
}

/** A rule for a list applies to each of its items. */
function applyRule(rule: Rule<unknown>, part: unknown, redact: Redactor): unknown {
  if (rule === keep) return part
  if (Array.isArray(part)) return part.map((item) => applyRule(rule, item, redact))
  if (typeof rule === 'function') return rule(part, redact)
  return isRecord(part) ? redactParts(part, rule, redact) : part
}

const startRules: Rules<RunStart> = {
  vivaVersion: keep,
  timestamp: keep,
  planHash: keep,
  totalCases: keep,
  runs: keep,
  seed: keep,
  resumed: keep,
  scripts: { tests: keep },
  shard: {
    index: keep,
    of: keep,
    by: keep,
    division: keep,
    planHash: keep,
    totalCases: keep,
    scripts: { tests: keep },
  },
  origin: { kind: keep, live: keep },
}

const exchangeRules: Rules<Extract<RunEvent, { type: 'exchange' }>> = {
  type: keep,
  key: keep,
  role: keep,
  retries: keep,
  durationMs: keep,
}

const messageRules: Rules<Message> = { role: keep, toolCalls: {} }

const turnRules: Rules<Turn> = {
  number: keep,
  durationMs: keep,
  source: keep,
  unevaluated: keep,
  simulated: { format: keep, toolCalls: {} },
  lastUserCalls: {},
  input: { message: messageRules },
  reply: { usage: keep, messages: messageRules, toolCalls: {} },
  checks: redactCheck,
  awaiting: { reason: keep },
}

const resultRules: Rules<CaseResult> = {
  key: keep,
  caseHash: keep,
  givenHash: keep,
  status: keep,
  fault: keep,
  origin: keep,
  unevaluated: keep,
  usage: keep,
  startedAt: keep,
  line: keep,
  durationMs: keep,
  failure: { kind: keep },
  termination: { reason: keep },
  view: { history: messageRules, turns: turnRules },
  script: { assertions: keep, subtests: { status: keep, durationMs: keep } },
  finals: redactCheck,
  checkpoints: { status: keep, turn: keep },
}

function redactCheck(check: CheckResult, redact: Redactor): CheckResult {
  const { expected, actual, fields } = check
  const path = fields?.exists === undefined ? fields?.path : undefined
  const rules: Rules<CheckResult> = {
    type: keep,
    status: keep,
    score: keep,
    expected: keep,
    actual: keep,
    fields: keep,
  }
  return {
    ...redactParts(check, rules, redact),
    ...(expected !== undefined && { expected: redactAt(path, expected, redact) }),
    ...(actual !== undefined && { actual: redactAt(path, actual, redact) }),
    ...(fields && { fields: redactAssertion(fields, redact) }),
  }
}
