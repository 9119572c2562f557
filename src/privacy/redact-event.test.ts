import { expect, test } from 'vitest'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Message, ToolCall } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { redactEvent } from './redact-event.ts'
import { createRedactor } from './secrets.ts'

const secret = 'hunter2-hunter2'
const redact = createRedactor([secret])
const key = { file: secret, id: secret, variant: secret, run: 1, attempt: 1 }

/** `Required`, so that a field that is added to a type must be added here too. */
const call: Required<ToolCall> = {
  id: secret,
  name: secret,
  arguments: { [secret]: secret },
  result: secret,
  error: secret,
  stubbed: true,
}
const message: Required<Message> = {
  role: 'assistant',
  content: [{ type: 'text', text: secret }],
  name: secret,
  toolCalls: [call],
  toolCallId: secret,
}
const check: Required<CheckResult> = {
  type: 'contains',
  status: 'failed',
  gates: true,
  reason: secret,
  expected: secret,
  actual: secret,
  score: 0,
  details: { suggestions: ['secret'] },
  nothingThere: true,
  unchecked: true,
  fields: { value: secret },
}
const turn: Required<Turn> = {
  number: 1,
  source: 'simulated',
  simulated: { by: secret, format: 'json', reasoning: secret, rejected: secret, toolCalls: [call] },
  description: secret,
  input: { value: secret, message },
  reply: {
    output: secret,
    content: secret,
    messages: [message],
    toolCalls: [call],
    awaitingInput: true,
    inputHint: secret,
    finishReason: secret,
    usage: { inputTokens: 1 },
    raw: secret,
  },
  error: secret,
  checks: [check],
  unevaluated: ['contains'],
  awaiting: { awaiting: true, reason: 'agent_declared', match: secret },
  lastUserCalls: [call],
  durationMs: 1,
}
const result: Required<CaseResult> = {
  key,
  givenHash: 'h',
  caseHash: 'abc',
  name: secret,
  tags: [secret],
  line: 1,
  status: 'failed',
  fault: 'agent',
  failure: { kind: 'checks', message: secret },
  termination: { reason: 'completed', detail: secret },
  singleTurn: false,
  view: { history: [message], turns: [turn] },
  finals: [check],
  unevaluated: ['contains'],
  expected: secret,
  script: {
    assertions: 1,
    subtests: [{ name: secret, status: 'failed', durationMs: 1, reason: secret }],
  },
  checkpoints: [
    { id: secret, description: secret, required: true, forbidden: false, status: 'waiting', reason: secret },
  ],
  expectedFailure: secret,
  workersLost: 1,
  retrying: false,
  flaky: false,
  origin: 'replayed',
  unchecked: false,
  fingerprint: 'abc',
  logs: [secret],
  sessionId: secret,
  usage: { simulator: { calls: 1, retries: 0 } },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
}
const start: Required<RunStart> = {
  queueRun: '20260101000000-1',
  vivaVersion: '1.0.0',
  timestamp: '2026-01-01T00:00:00.000Z',
  planHash: 'abc',
  totalCases: 1,
  multiTurn: true,
  agentId: secret,
  connector: secret,
  variants: [secret],
  runs: 1,
  seed: 1,
  resumed: 0,
  leftOut: [[secret, secret, secret, 1]],
  carriedOver: [[secret, secret, secret, '2026-01-01T00:00:00.000Z']],
  environment: { userId: secret, teamId: secret, locale: secret },
  scripts: [{ file: secret, tests: 1 }],
  gates: { case: 0.9 },
  shard: {
    index: 1,
    of: 2,
    by: 'hash',
    division: 'abc',
    planHash: 'abc',
    totalCases: 1,
    multiTurn: true,
    agentId: secret,
    scripts: [{ file: secret, tests: 1 }],
  },
  command: secret,
  origin: { kind: 'replayed', from: secret, live: ['model'] },
}
const events: RunEvent[] = [
  { type: 'run_started', start },
  { type: 'case_started', key, name: secret },
  {
    type: 'exchange',
    key,
    role: 'simulator',
    target: secret,
    request: { headers: [secret] },
    response: secret,
    error: secret,
    retries: 0,
    durationMs: 1,
  },
  { type: 'turn', key, turn },
  { type: 'log', key, text: secret },
  { type: 'case_finished', result },
]

test.each(events)('a secret is redacted in every field of $type', (event) => {
  const expected: unknown = JSON.parse(JSON.stringify(event).replaceAll(secret, '[redacted]'))
  expect(redactEvent(event, redact)).toEqual(expected)
})

test.each([
  'simulated',
  'agent_declared',
  'assistant',
  'contains',
  'completed',
  'simulator',
  'arguments',
  'expected',
  'checkpoints',
])("%s is one of viva's own words and stays, even when it is a secret", (word) => {
  for (const event of events) expect(redactEvent(event, createRedactor([word]))).toEqual(event)
})
