// Writes a results file with results of every kind, always the same:
//   node bench/make-results.mjs 10000 results.jsonl [--runs 5] [--variants 2]
import { closeSync, openSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1' }, variants: { type: 'string', default: '1' } },
})
const [count, path] = [Number(positionals[0]), positionals[1]]
const runs = Number(values.runs)
const variants = Array.from(
  { length: Number(values.variants) },
  (_, index) =>
    ['support@gpt-large', 'support@gpt-small', 'support@open-weights'][index] ?? `support@model-${index}`,
)

let state = 42
function random() {
  state = (state * 1664525 + 1013904223) >>> 0
  return state / 2 ** 32
}
const pick = (list) => list[Math.floor(random() * list.length)]

const wishes = [
  'I want to change the delivery address of my order',
  'My parcel has not arrived, and the page says it was delivered on Tuesday',
  'Can I get my money back for a ticket that I booked twice?',
  'Please cancel my subscription at the end of the month',
  'What is the difference between the two plans you offer?',
  'The app logs me out every time I open the invoice',
]
const answers = [
  'I can do that for you. Could you tell me the number of the order? You find it in the mail that we sent you, above the list of articles.',
  'I am sorry to hear that. I have looked at the tracking of your parcel: it was handed to a neighbour, whose name is not given. I have asked the carrier, who answers within two working days.',
  'Yes. The second booking has been cancelled, and the amount will be on your account within five days. Is there anything else I can do for you?',
  'Your subscription ends on the last day of this month. Until then you can use everything as before.\n\n- no further payment\n- your data is kept for 30 days',
  'The small plan has one project and mail support; the large one has ten, and somebody picks up the phone.',
]
const tags = [['smoke'], ['smoke', 'refund'], ['orders'], ['orders', 'slow'], []]
const kinds = [
  ['agent', 'assertion', 'does not contain "refund"'],
  ['agent', 'timeout', 'timeout after 30s: the agent was still answering turn 2'],
  ['agent', 'missing_checkpoints', 'missing checkpoints: confirmed'],
  ['agent', 'max_turns', 'the goal was not reached within 6 turns'],
  ['infrastructure', 'rate_limit', '429 from the provider after 3 retries'],
  ['infrastructure', 'connection', 'connect ECONNREFUSED 127.0.0.1:8080'],
]

const file = openSync(path, 'w')
let buffer = ''
function write(line) {
  buffer += `${JSON.stringify(line)}\n`
  if (buffer.length < 1 << 20) return
  writeSync(file, buffer)
  buffer = ''
}

write({
  type: 'start',
  schema_version: 1,
  viva_version: '0.1.0',
  timestamp: '2026-11-16T08:00:00.000Z',
  plan_hash: 'a1b2c3',
  total_cases: Math.ceil(count / runs),
  agent_id: 'support',
  connector: 'gpt-large',
  variants,
  runs,
  environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
  command: 'viva test -i cases/ -n support --parallel 16',
})

let written = 0
for (let number = 1; written < count; number += 1) {
  // How good the agent is at this case, in all runs.
  const talent = random() < 0.7 ? 1 : random()
  for (const variant of number % 23 === 0 ? ['scripts'] : variants)
    for (let run = 1; run <= runs && written < count; run += 1) {
      write(result(number, variant, run, talent))
      written += 1
    }
}
if (buffer !== '') writeSync(file, buffer)
closeSync(file)

function result(number, variant, run, talent) {
  const isScript = number % 23 === 0
  const isSkipped = number % 41 === 0
  const isMulti = !isScript && number % 3 === 0
  const failed = !isSkipped && random() >= talent
  const [fault, kind, message] = failed ? (isScript ? kinds[0] : pick(kinds)) : []
  const duration = Math.round(200 + random() ** 3 * 20_000)
  const head = {
    type: 'result',
    file: isScript
      ? 'assistants/support/src/refund_test.ts'
      : `cases/${['orders', 'refunds', 'plans'][(number % 7) % 3]}.jsonl`,
    id: isScript ? `TestRefund${number}` : `T${String(number).padStart(5, '0')}`,
    ...(number % 2 ? { name: wishes[number % wishes.length].slice(0, 40) } : {}),
    line: number,
    variant: isScript ? 'scripts' : variant,
    run,
    attempt: 1,
    ...(isScript ? { kind: 'script' } : {}),
    tags: tags[number % tags.length],
    status: isSkipped ? 'skipped' : failed ? 'failed' : 'passed',
    ...(failed ? { fault, error_kind: kind, error: message } : {}),
    ...(isSkipped ? { skip_reason: 'waits for the new address service' } : {}),
    ...(!failed && !isSkipped && number % 29 === 0 ? { flaky: true } : {}),
    ...(failed && fault === 'agent' && number % 37 === 0 ? { expected_failure: 'see issue 1234' } : {}),
  }
  const tail = {
    session_id: `s-${number}-${run}`,
    case_hash: `h${number}`,
    started_at: '2026-11-16T08:00:01.000Z',
    duration_ms: duration,
    usage: {
      agent: { calls: 2, retries: 0, input_tokens: 900 + number, output_tokens: 120, cost: 0.0031 },
      ...(isMulti
        ? { simulator: { calls: 3, retries: 0, input_tokens: 700, output_tokens: 60, cost: 0.0004 } }
        : {}),
    },
    cost: isMulti ? 0.0035 : 0.0031,
  }
  if (isSkipped)
    return {
      ...head,
      mode: 'single_turn',
      termination: { reason: 'skipped', detail: '' },
      total_turns: 0,
      ...tail,
    }
  if (isScript)
    return {
      ...head,
      mode: 'single_turn',
      termination: { reason: 'completed', detail: '' },
      total_turns: 0,
      script: {
        assertions: 4,
        subtests: [{ name: 'of a booking', status: failed ? 'failed' : 'passed', duration_ms: 12 }],
      },
      ...(failed
        ? {
            final_assertions: [
              {
                type: 'Equal',
                passed: false,
                status: 'failed',
                reason: 'expected 20, got 25',
                expected: 20,
                actual: 25,
                at: 'src/refund_test.ts:14:5',
              },
            ],
          }
        : {}),
      logs: ['refund of 20 asked for', 'the bank answered 202'],
      ...tail,
    }
  if (!isMulti)
    return {
      ...head,
      mode: 'single_turn',
      ...turnFields(1, failed && kind === 'assertion'),
      termination: { reason: failed && kind === 'timeout' ? 'timeout' : 'completed', detail: '' },
      messages_count: 1,
      total_turns: 1,
      ...tail,
    }
  const turns = Array.from(
    { length: 2 + (number % 4) },
    (_, index, { length } = { length: 2 + (number % 4) }) => ({
      turn: index + 1,
      ...turnFields(index + 1, failed && kind === 'assertion' && index === length - 1),
      status: 'passed',
      duration_ms: Math.round(duration / 3),
    }),
  )
  const reached = !failed
  return {
    ...head,
    mode: 'multi_turn',
    termination: {
      reason: failed ? (kind === 'max_turns' ? 'max_turns' : 'completed') : 'checkpoints_reached',
      detail: '',
    },
    messages_count: turns.length * 2,
    turns,
    total_turns: turns.length,
    checkpoints: [
      {
        id: 'asked for the number',
        passed: true,
        reached_at_turn: 1,
        status: 'passed',
        reason: 'contains "number"',
      },
      reached
        ? {
            id: 'confirmed',
            passed: true,
            reached_at_turn: 2,
            status: 'passed',
            reason: 'contains "confirmed"',
          }
        : {
            id: 'confirmed',
            passed: false,
            after: ['asked for the number'],
            status: 'failed',
            reason: 'does not contain "confirmed"',
          },
      {
        id: 'no promise of money',
        passed: true,
        status: 'failed',
        reason: 'does not contain "we will pay"',
        forbidden: true,
      },
    ],
    ...tail,
  }
}

function turnFields(turn, wrong) {
  const answer = pick(answers)
  return {
    input:
      turn === 1 ? pick(wishes) : pick(['It is 4711-0815.', 'Yes, please.', 'No, thank you. That was all.']),
    input_source: turn === 1 ? 'initial' : turn % 2 ? 'static' : 'simulated',
    ...(turn % 2 || turn === 1
      ? {}
      : {
          simulator: {
            by: 'viva.user',
            format: 'json',
            reasoning: 'The agent asked for the number, which I have.',
          },
        }),
    output: answer,
    response: answer,
    tool_calls: [
      {
        id: `c${turn}`,
        name: 'orders__find',
        args: { number: '4711-0815', customer: { id: 12, mail: 'ada@example.com' } },
        result: { status: 'delivered', at: '2026-11-10', to: 'a neighbour', articles: ['lamp', 'book'] },
        ...(turn === 2 ? { stubbed: true } : {}),
      },
    ],
    awaiting_input: turn % 2 === 1,
    awaiting_reason: turn % 2 === 1 ? 'content_is_question' : 'completed',
    tokens: { input_tokens: 450, output_tokens: 60, cost: 0.0015 },
    reply_ms: Math.round(300 + random() * 2000),
    assertions: [
      { type: 'contains', value: 'you', passed: true, status: 'passed', reason: 'contains "you"' },
      wrong
        ? {
            type: 'equals',
            value:
              'The amount of 20 euros will be on your account within three days. Is there anything else?',
            passed: false,
            status: 'failed',
            reason: 'the output is not the expected one',
            expected:
              'The amount of 20 euros will be on your account within three days. Is there anything else?',
            actual: answer,
          }
        : {
            type: 'tool_called',
            name: 'orders__find',
            passed: true,
            status: 'passed',
            reason: 'orders__find was called',
          },
    ],
    ...(wrong ? { assertion_errors: ['the output is not the expected one'] } : {}),
  }
}
