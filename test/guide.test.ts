import { describe, expect, it } from 'vitest'
import {
  accuracy,
  afterTurns,
  aiUser,
  and,
  type ConversationContext,
  createEvalSuite,
  createJudge,
  createOpenAIProvider,
  createScriptedProvider,
  fieldEquals,
  fieldIsSet,
  type MultiTurnTestCase,
  naturalLanguage,
  not,
  or,
  relevance,
  reportToMarkdown,
  type TerminationCondition,
  type TestCase,
} from '../src/index.ts'

/**
 * The code of the guide to suites, block by block, completed with what it leaves out: an agent, a model, and the parts
 * behind `...`. No type annotations are added, because the compiler must be able to infer what the guide leaves out.
 */

interface BookingInput {
  message: string
  conversationHistory?: Array<{ role: 'user' | 'assistant'; content: string }>
}

interface BookingOutput {
  reply: string
  booking: {
    status: 'pending' | 'confirmed' | 'cancelled'
    date?: string
    guests?: number
    name?: string
  }
}

/** An agent that asks for what it does not know yet (date, guests, name, confirmation) and keeps no memory of its own. */
const bookingAgent = {
  name: 'booking',
  async execute(
    { message }: BookingInput,
    { history }: { history: readonly { input: BookingInput }[] },
  ): Promise<BookingOutput> {
    const said = [...history.map(({ input }) => input.message), message].join('\n')
    const booking: BookingOutput['booking'] = { status: 'pending' }
    if (/tomorrow|friday|february/i.test(said)) booking.date = 'Friday, 7pm'
    if (/\d (?:people|guests)/i.test(said)) booking.guests = 4
    if (/smith/i.test(said)) booking.name = 'John Smith'
    if (/february 30/i.test(said))
      return { reply: 'There is no such date. Which date?', booking: { status: 'pending' } }
    if (booking.date === undefined) return { reply: 'For which date?', booking }
    if (booking.guests === undefined) return { reply: 'For how many guests?', booking }
    if (booking.name === undefined) return { reply: 'Under which name?', booking }
    if (!/yes|confirm it/i.test(said)) return { reply: 'Shall I confirm it?', booking }
    return { reply: 'Your table is booked.', booking: { ...booking, status: 'confirmed' } }
  },
}

/** A model that plays the customer or judges, depending on its system prompt. */
const openai = createScriptedProvider(({ messages }) => {
  const system = String(messages[0]?.content)
  const user = String(messages.at(-1)?.content)
  if (system.includes('You are an examiner'))
    return {
      verdicts: ['accuracy', 'relevance', 'conversation-quality']
        .filter((criterionId) => system.includes(`- ${criterionId}:`))
        .map((criterionId) => ({ criterionId, reasoning: 'as it should be', score: 90 })),
    }
  if (system.includes('answer one question'))
    return { reason: 'it says so', confidence: user.includes('booked') ? 0.9 : 0.1 }
  const asked = user.split('\n').at(-1) ?? ''
  if (asked.includes('date')) return 'Friday at 7pm'
  if (asked.includes('guests')) return '4 people'
  if (asked.includes('name')) return 'John Smith'
  return 'Yes, please'
})

async function play(testCase: MultiTurnTestCase<BookingInput, BookingOutput>, agent = bookingAgent) {
  const { results } = await createEvalSuite({ agent }).run([testCase])
  const [result] = results
  if (result?.kind !== 'multi-turn') throw new Error('no conversation')
  return result
}

describe('the guide: a first test', () => {
  const testCase: MultiTurnTestCase<BookingInput, BookingOutput> = {
    id: 'complete-booking-flow',
    description: 'Test the complete booking conversation',
    input: { message: 'I want to make a reservation' },
    multiTurn: {
      followUpInputs: [
        { input: { message: 'Tomorrow at 7pm' }, description: 'Provide date and time' },
        { input: { message: '4 people' }, description: 'Provide party size' },
        { input: { message: 'John Smith' }, description: 'Provide name' },
        { input: { message: 'Yes, please confirm' }, description: 'Confirm booking' },
      ],
      terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(10)],
      onConditionMet: 'pass',
      onMaxTurnsReached: 'fail',
    },
  }

  it('the first test passes when the booking is confirmed', async () => {
    expect(await play(testCase)).toMatchObject({
      passed: true,
      totalTurns: 5,
      terminationReason: 'condition_met',
    })
  })

  it('the first test fails when the booking is never confirmed', async () => {
    const forgetful = {
      ...bookingAgent,
      execute: async (): Promise<BookingOutput> => ({ reply: 'Hm?', booking: { status: 'pending' } }),
    }
    expect(await play(testCase, forgetful)).toMatchObject({ passed: false, terminationReason: 'exhausted' })
  })
})

describe('the guide: conditions', () => {
  const output = (fields: object) => ({ execute: async (_input: string) => ({ ...fields }) })

  async function met(condition: TerminationCondition<object>, fields: object): Promise<boolean> {
    const { results } = await createEvalSuite({ agent: output(fields) }).run([endsBy(condition)])
    return results[0]?.passed === true
  }

  function endsBy(condition: TerminationCondition<object>): TestCase<string, object> {
    const followUpInputs = [{ input: 'y', turns: 3 }]
    return { input: 'x', multiTurn: { followUpInputs, terminateWhen: [condition] } }
  }

  it('each condition is met as the guide says', async () => {
    expect(await met(fieldEquals('booking.status', 'confirmed'), { booking: { status: 'confirmed' } })).toBe(
      true,
    )
    expect(await met(fieldEquals('task.completed', true), { task: { completed: false } })).toBe(false)
    expect(await met(fieldEquals('response.type', 'final'), { response: { type: 'final' } })).toBe(true)
    expect(await met(fieldIsSet('booking.confirmationNumber'), { booking: { confirmationNumber: 7 } })).toBe(
      true,
    )
    expect(await met(fieldIsSet('response.result'), { response: { result: null } })).toBe(false)
    const complete = and(fieldEquals('booking.status', 'confirmed'), fieldIsSet('booking.confirmationNumber'))
    expect(await met(complete, { booking: { status: 'confirmed' } })).toBe(false)
    const ended = or(fieldEquals('status', 'confirmed'), fieldEquals('status', 'cancelled'), afterTurns(10))
    expect(await met(ended, { status: 'cancelled' })).toBe(true)
    expect(await met(not(fieldIsSet('error')), {})).toBe(true)
    const terminateWhen = [
      or(
        and(fieldEquals('booking.status', 'confirmed'), fieldEquals('payment.status', 'completed')),
        fieldEquals('booking.status', 'cancelled'),
      ),
      afterTurns(15),
    ]
    for (const condition of terminateWhen.slice(0, 1))
      expect(await met(condition, { booking: { status: 'cancelled' } })).toBe(true)
  })

  it('a naturalLanguage condition reports its confidence', async () => {
    const testCase: MultiTurnTestCase<BookingInput, BookingOutput> = {
      input: { message: 'Friday, 4 people, Smith' },
      multiTurn: {
        followUpInputs: [{ input: { message: 'Yes' } }],
        terminateWhen: [
          naturalLanguage({
            provider: openai,
            prompt: 'Has the customer successfully completed their restaurant booking?',
            threshold: 0.8,
          }),
        ],
      },
    }
    expect(await play(testCase)).toMatchObject({
      passed: true,
      totalTurns: 2,
      terminationDetail: 'it says so (0.9 of 0.8)',
    })
  })
})

describe('the guide: follow-up inputs', () => {
  it('an input function answers what the agent asks, once unless turns says otherwise', async () => {
    const testCase: MultiTurnTestCase<BookingInput, BookingOutput> = {
      id: 'dynamic-booking',
      input: { message: 'I need a reservation' },
      multiTurn: {
        followUpInputs: [
          {
            input: (ctx) => {
              const lastOutput = ctx.lastOutput as BookingOutput
              if (lastOutput.reply.includes('date')) return { message: 'Next Friday evening' }
              if (lastOutput.reply.includes('guests') || lastOutput.reply.includes('people'))
                return { message: '4 guests' }
              if (lastOutput.reply.includes('name')) return { message: 'John Smith' }
              if (lastOutput.reply.includes('confirm')) return { message: 'Yes, confirm it' }
              return { message: 'Continue please' }
            },
            description: 'Dynamic response based on agent question',
          },
        ],
        terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(10)],
      },
    }
    // As the guide writes it the function is used once, so that the booking is never confirmed.
    expect(await play(testCase)).toMatchObject({
      passed: false,
      totalTurns: 2,
      terminationReason: 'exhausted',
    })
    const [followUp] = testCase.multiTurn.followUpInputs
    const often = followUp ? [{ ...followUp, turns: Number.POSITIVE_INFINITY }] : []
    const untilTheEnd = { ...testCase, multiTurn: { ...testCase.multiTurn, followUpInputs: often } }
    expect(await play(untilTheEnd)).toMatchObject({ passed: true, totalTurns: 5 })
  })

  it('follow-up inputs are used as often as `turns` says, in their order', async () => {
    const said: string[] = []
    const agent = {
      async execute(input: string) {
        said.push(input)
        return 'ok'
      },
    }
    const user = (name: string) => aiUser({ provider: createScriptedProvider(() => name), systemPrompt: 'x' })
    await createEvalSuite({ agent }).run([
      {
        input: 'first',
        multiTurn: {
          followUpInputs: [
            { input: 'Start' },
            { input: user('a'), turns: 3 },
            { input: user('b'), turns: Number.POSITIVE_INFINITY },
          ],
          terminateWhen: [afterTurns(7)],
        },
      },
    ])
    expect(said).toEqual(['first', 'Start', 'a', 'a', 'a', 'b', 'b'])
  })
})

describe('the guide: simulated users', () => {
  function formatHistory(ctx: ConversationContext<BookingInput, BookingOutput>): string {
    return ctx.history.map((h) => `Agent: ${h.output.reply}`).join('\n')
  }

  function buildInputWithHistory(
    message: string,
    ctx: ConversationContext<BookingInput, BookingOutput>,
  ): BookingInput {
    const conversationHistory = ctx.history.flatMap((h) => [
      { role: 'user' as const, content: h.input.message },
      { role: 'assistant' as const, content: h.output.reply },
    ])
    return { message, conversationHistory }
  }

  it('a simulated user books a table', async () => {
    const testCase: MultiTurnTestCase<BookingInput, BookingOutput> = {
      id: 'ai-customer-booking',
      input: { message: 'Hello, I want to book a table' },
      multiTurn: {
        followUpInputs: [
          {
            input: aiUser({
              provider: openai,
              systemPrompt: `You are a customer making a restaurant reservation.
                - Respond naturally to the agent's questions
                - Provide realistic information (dates, party size, name)
                - Be polite but direct`,
              formatHistory: (ctx) => ctx.history.map((h) => `Agent: ${h.output.reply}`).join('\n'),
              buildInput: (response, _ctx) => ({ message: response }),
            }),
            description: 'AI simulated customer',
            turns: Number.POSITIVE_INFINITY,
          },
        ],
        terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(10)],
      },
    }
    expect(await play(testCase)).toMatchObject({ passed: true, terminationReason: 'condition_met' })
  })

  it('the prompt of a simulated user may change with the turn, and its input may include the history', async () => {
    const prompts: string[] = []
    const provider = createScriptedProvider(({ messages }) => {
      prompts.push(String(messages[0]?.content).split('\n')[0] ?? '')
      return 'go on'
    })
    const inputs: BookingInput[] = []
    const agent = {
      async execute(input: BookingInput): Promise<BookingOutput> {
        inputs.push(input)
        return { reply: 'yes?', booking: { status: 'pending' } }
      },
    }
    await createEvalSuite({ agent }).run([
      {
        input: { message: 'hi' },
        multiTurn: {
          followUpInputs: [
            {
              input: aiUser({
                provider,
                systemPrompt: (ctx) => {
                  const turn = ctx.currentTurn
                  if (turn <= 2) return 'You are patient and friendly.'
                  if (turn <= 5) return 'You are becoming slightly impatient. Answers are shorter.'
                  return 'You are very rushed. Give minimal answers, express urgency.'
                },
                formatHistory,
                buildInput: (response, ctx) => buildInputWithHistory(response, ctx),
              }),
              turns: Number.POSITIVE_INFINITY,
            },
          ],
          terminateWhen: [afterTurns(6)],
        },
      },
    ])
    expect(prompts.map((prompt) => prompt.split(' ')[2])).toEqual([
      'patient',
      'becoming',
      'becoming',
      'becoming',
      'very',
    ])
    expect(inputs.at(-1)?.conversationHistory).toHaveLength(10)
  })
})

describe('the guide: suites', () => {
  const judge = createJudge({
    provider: openai,
    criteria: [
      accuracy({ weight: 2 }),
      relevance(),
      {
        id: 'conversation-quality',
        name: 'Conversation Quality',
        description: 'Agent maintains natural, helpful dialogue',
      },
    ],
    passThreshold: 75,
  })
  const suite = createEvalSuite({
    agent: bookingAgent,
    judge,
    agentDescription: 'Restaurant booking assistant',
  })

  it('a suite runs single turns and conversations together', async () => {
    const testCases = [
      { id: 'greeting', input: { message: 'Hello' } },
      {
        id: 'full-booking',
        input: { message: 'Book a table' },
        multiTurn: {
          followUpInputs: [
            {
              input: aiUser({
                provider: openai,
                systemPrompt: 'You are a customer who wants a table.',
                formatHistory: (ctx) => ctx.history.map((h) => `Agent: ${h.output.reply}`).join('\n'),
                buildInput: (response, _ctx) => ({ message: response }),
              }),
              turns: Number.POSITIVE_INFINITY,
            },
          ],
          terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(10)],
        },
      },
    ]
    const report = await suite.run(testCases, { concurrency: 2, iterations: 3 })
    expect(report.results.map(({ kind, passed, score }) => [kind, passed, score])).toEqual([
      ['single-turn-iterated', true, 90],
      ['multi-turn-iterated', true, 90],
    ])
    for (const result of report.results) {
      if (result.kind === 'multi-turn-iterated') {
        expect(result.multiTurnIterationStats).toMatchObject({
          avgTurns: 5,
          minTurns: 5,
          maxTurns: 5,
          terminationCounts: { condition_met: 3 },
        })
      }
    }
  })

  it('a test that should fail may pass with onMaxTurnsReached', async () => {
    const report = await suite.run([
      {
        id: 'booking-with-invalid-date',
        input: { message: 'Book for February 30th' },
        multiTurn: {
          followUpInputs: [{ input: { message: 'February 30th, I said' }, turns: Number.POSITIVE_INFINITY }],
          terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(4)],
          onConditionMet: 'fail',
          onMaxTurnsReached: 'pass',
        },
      },
    ])
    expect(report.results[0]).toMatchObject({ passed: true, totalTurns: 4, terminationReason: 'max_turns' })
  })

  it('a report can be written as Markdown', async () => {
    function formatHistory(ctx: ConversationContext<BookingInput, BookingOutput>) {
      return ctx.history.map((h) => `Agent: ${h.output.reply}`).join('\n')
    }
    function buildInput(response: string, ctx: ConversationContext<BookingInput, BookingOutput>) {
      return {
        message: response,
        conversationHistory: ctx.history.flatMap((h) => [
          { role: 'user' as const, content: h.input.message },
          { role: 'assistant' as const, content: h.output.reply },
        ]),
      }
    }
    const testCases: MultiTurnTestCase<BookingInput, BookingOutput>[] = [
      {
        id: 'friendly-customer-booking',
        description: 'Friendly customer completes booking',
        input: { message: 'Hi, I want to book a table for dinner' },
        multiTurn: {
          followUpInputs: [
            {
              input: aiUser({
                provider: openai,
                systemPrompt: 'You are friendly.',
                formatHistory,
                buildInput,
              }),
              turns: Number.POSITIVE_INFINITY,
            },
          ],
          terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(10)],
          onConditionMet: 'pass',
          onMaxTurnsReached: 'fail',
        },
      },
      {
        id: 'rushed-customer-booking',
        description: 'Rushed customer gives info quickly',
        input: { message: 'Book table, Friday 7pm, 4 people, name Smith' },
        multiTurn: {
          followUpInputs: [
            {
              input: aiUser({ provider: openai, systemPrompt: 'You are rushed.', formatHistory, buildInput }),
              turns: Number.POSITIVE_INFINITY,
            },
          ],
          terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(5)],
          onConditionMet: 'pass',
          onMaxTurnsReached: 'fail',
        },
      },
    ]
    const report = await suite.run(testCases, { iterations: 3, concurrency: 1 })
    const markdown = reportToMarkdown(report)
    expect(markdown).toContain('| Passed | 6 |')
    expect(markdown).toContain(
      '### ✅ friendly-customer-booking: Friendly customer completes booking (score 90, 5 turns, condition_met',
    )
    expect(markdown).toContain('3 of 3 iterations passed, mean score 90 ± 0')
  })

  it('a provider has the name of its model', () => {
    const made = createOpenAIProvider({ apiKey: 'sk-x', defaultModel: 'gpt-4o-mini' })
    expect(made.id).toBe('gpt-4o-mini')
    expect(made.withDefaultModel('gpt-4o').id).toBe('gpt-4o')
  })
})
