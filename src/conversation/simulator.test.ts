import { describe, expect, it } from 'vitest'
import type { Agent } from '../agents/agent.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Awaiting, Turn } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import type { ConversationState } from './plan.ts'
import { type Simulator, simulatorSource } from './simulator.ts'

const waiting: Awaiting = { awaiting: true, reason: 'content_is_question' }
const done: Awaiting = { awaiting: false, reason: 'completed' }

function turn(number: number, said: string, answered: string, more: Partial<Turn> = {}): Turn {
  return {
    number,
    source: 'simulated',
    simulated: { by: 'sim', format: 'json' },
    input: { value: said, message: { role: 'user', content: said } },
    reply: {
      output: answered,
      content: answered,
      messages: [{ role: 'assistant', content: answered }],
      toolCalls: [],
    },
    checks: [],
    awaiting: waiting,
    durationMs: 1,
    ...more,
  }
}

const standing = (...turns: Turn[]): ConversationState => ({
  view: { history: [], turns },
  spoken: turns.length,
  checkpoints: [],
  maxTurns: 10,
})

/** A simulator that answers from a list and records its requests. */
function simulator(answers: unknown[], more: Partial<Simulator> = {}) {
  const asked: { params: Data; metadata: Data; referer: string; sessionId: string }[] = []
  const agent: Agent = {
    id: 'sim',
    input: 'any',
    history: 'given',
    tools: 'hidden',
    async open({ context }) {
      return {
        async send({ input, options }) {
          const { referer, sessionId } = context
          const params = JSON.parse(String(input.message.content)) as Data
          asked.push({ params, metadata: options.metadata as Data, referer, sessionId })
          const answer = answers[asked.length - 1]
          if (answer instanceof Error) throw answer
          const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
          return { output: answer, content, messages: [], toolCalls: 'hidden' }
        },
        async close() {},
      }
    },
  }
  const source = simulatorSource({ id: 'sim', agent: async () => agent, options: {}, brief: {}, ...more })
  return { source, asked }
}

const says = async (answer: unknown, ...turns: Turn[]) =>
  simulator([answer]).source.next(standing(...turns), createPlainScope())

describe('the request to a simulator', () => {
  it('is one message with all parameters, which are also in the metadata', async () => {
    const { source, asked } = simulator([{ input: 'Yes' }], {
      brief: { persona: 'Ada', goal: 'a flight', tone: 'short' },
      options: { connector: 'c', metadata: { extra: 1 } },
    })
    const flown = { id: '1', name: 'book', arguments: {}, result: { ok: true } }
    const last = turn(2, 'to Rome', 'Book it?')
    if (last.reply) last.reply.toolCalls = [flown]
    const given: ConversationState = {
      ...standing(turn(1, 'hello', 'Where to?'), last),
      checkpoints: [
        { id: 'asked', required: true, forbidden: false, turn: 1, status: 'passed', reason: '' },
        { id: 'booked', required: true, forbidden: false, status: 'failed', reason: '' },
      ],
    }
    const scope = createPlainScope({ context: { sessionId: 'session', variables: { budget: 5 } } })
    await source.next(given, scope)
    expect(asked[0]?.params).toMatchObject({
      test_mode: 'simulator',
      persona: 'Ada',
      goal: 'a flight',
      tone: 'short',
      conversation: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'Where to?' },
        { role: 'user', content: 'to Rome' },
        { role: 'assistant', content: 'Book it?' },
      ],
      last_response: 'Book it?',
      turn_number: 3,
      turn_count: 2,
      max_turns: 10,
      tool_results: { book: { ok: true } },
      checkpoints_reached: ['asked'],
      checkpoints_pending: ['booked'],
      session_id: 'session',
      variables: { budget: 5 },
    })
    expect(asked[0]?.metadata).toEqual({ extra: 1, ...asked[0]?.params })
    expect(asked[0]).toMatchObject({ referer: 'agent-test' })
    expect(asked[0]?.sessionId).not.toBe('session')
  })
})

describe('the answer of a simulator', () => {
  it.each([
    [{ input: 'Yes', goal_achieved: false, reasoning: 'it asked' }],
    ['{"input": "Yes", "reasoning": "it asked"}'],
    ['```json\n{"message": "Yes", "reasoning": "it asked"}\n```'],
    ['Here you are: {"input": "Yes", "reasoning": "it asked"}'],
  ])('is parsed as JSON: %j', async (answer) => {
    expect(await says(answer, turn(1, 'a', 'Sure?'))).toMatchObject({
      say: { value: 'Yes' },
      source: 'simulated',
      simulated: { by: 'sim', format: 'json', reasoning: 'it asked' },
    })
  })

  it('may be plain text', async () => {
    expect(await says('Yes', turn(1, 'a', 'Sure?'))).toMatchObject({
      say: { value: 'Yes' },
      simulated: { format: 'text' },
    })
  })

  it('may end the conversation, with or without a message', async () => {
    expect(await says({ input: 'Thanks', goal_achieved: true }, turn(1, 'a', 'Done.'))).toMatchObject({
      say: { value: 'Thanks' },
      simulated: { last: true },
    })
    const end = { goal_achieved: true, input: '', reasoning: 'done' }
    expect(await says(end, turn(1, 'a', 'Done.'))).toEqual({ end: 'goal_achieved', reasoning: 'done' })
  })

  it('is not sent if it is plain text and the agent asked nothing', async () => {
    expect(await says('Fine', turn(1, 'a', 'Done.', { awaiting: done }))).toEqual({ end: 'exhausted' })
  })

  it('is the exact opening at first, without a request', async () => {
    const { source, asked } = simulator([], { opening: 'Good day to you' })
    expect(await source.next(standing(), createPlainScope())).toMatchObject({
      say: { value: 'Good day to you' },
    })
    expect(asked).toEqual([])
  })
})

describe('a simulator speaks', () => {
  const { source } = simulator([])
  const wants = (...turns: Turn[]) => source.wants({ history: [], turns }, turns.length)

  it('first, and after every reply if it answers in JSON', () => {
    expect(wants()).toBe(true)
    expect(wants(turn(1, 'a', 'Done.', { awaiting: done }))).toBe(true)
  })

  it('only after questions if it writes plain text', () => {
    const simulated = { by: 'sim', format: 'text' as const }
    expect(wants(turn(1, 'a', 'Done.', { awaiting: done, simulated }))).toBe(false)
    expect(wants(turn(1, 'a', 'Sure?', { simulated }))).toBe(true)
  })
})

describe('an answer that no user would give', () => {
  const question = 'Which of these flights would you like me to book for you?'
  it.each([
    ['an empty message', { input: '' }],
    ['an empty answer', ''],
    ['a phrase of an agent', 'How can I help you today?'],
    ['a message as the assistant', 'Assistant: I have booked it.'],
    ['an echo of the agent', question],
    ['an echo with a small change', `${question.slice(0, -1)} now?`],
    ['reasoning in tags', '<think>The user wants…</think> Yes'],
    ['reasoning in text', 'Reasoning: it asked for the day\nToday'],
    ['broken JSON', '{"input": "Yes", "goal_achieved": fal'],
    ['a name before the message', 'User: the second one'],
    ['a goal_achieved that is not a boolean', { input: 'The second one', goal_achieved: 'yes' }],
    ['a description of its role', 'As the user, I would say yes'],
    ['a repeated sentence', 'I would like the second of them'],
  ])('is requested again with the reason: %s', async (_, answer) => {
    const turns = [turn(1, 'I would like the second of them', question)]
    const { source, asked } = simulator([answer, { input: 'The cheap one' }])
    expect(await source.next(standing(...turns), createPlainScope())).toMatchObject({
      say: { value: 'The cheap one' },
      simulated: { rejected: expect.stringMatching(/^its? /) },
    })
    expect(asked[1]?.params.problem).toMatch(/^its? /)
  })

  it('may be the same short word twice, but not three times', async () => {
    const twice = [turn(1, 'a', 'A?'), turn(2, 'Yes', 'Sure?')]
    expect(await says('Yes', ...twice)).toMatchObject({ say: { value: 'Yes' } })
    const thrice = simulator(['yes', 'yes'])
    const three = [...twice, turn(3, 'Yes', 'Really?')]
    await expect(thrice.source.next(standing(...three), createPlainScope())).rejects.toThrow(
      'simulator error: it repeats itself: "yes" (asked twice)',
    )
  })

  it('may be repeated if the agent repeats itself', async () => {
    const sentence = 'I would like the second of them'
    const turns = [turn(1, 'Hello', 'Which one?'), turn(2, sentence, 'which  ONE?')]
    expect(await says(sentence, ...turns)).toMatchObject({ say: { value: sentence } })
  })

  it('cannot achieve the goal before the conversation began', async () => {
    const eager = { goal_achieved: true, input: 'Hi' }
    const { source } = simulator([eager, eager])
    await expect(source.next(standing(), createPlainScope())).rejects.toMatchObject({
      kind: 'simulator_error',
      message: expect.stringContaining('before the conversation has begun'),
    })
  })

  it('is an infrastructure error if the simulator fails', async () => {
    const { source } = simulator([new Error('no key')])
    await expect(source.next(standing(), createPlainScope())).rejects.toMatchObject({
      kind: 'simulator_error',
      message: 'simulator error: no key',
    })
  })
})
