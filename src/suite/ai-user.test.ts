import { describe, expect, it } from 'vitest'
import { aiUser } from './ai-user.ts'
import { afterTurns } from './conditions.ts'
import type { ConversationContext } from './conversation-context.ts'
import { createScriptedProvider } from './providers.ts'
import { createEvalSuite } from './suite.ts'

const signal = new AbortController().signal
const context = (...turns: [input: unknown, output: unknown][]): ConversationContext => ({
  currentTurn: turns.length + 1,
  history: turns.map(([input, output], index) => ({
    turn: index + 1,
    input,
    output,
    toolCalls: [],
    toolCallsKnown: true,
  })),
  signal,
})
const talk = context(
  [{ message: 'I would like to book a table' }, { reply: 'For how many guests shall I book it?' }],
  [{ message: 'For four guests, please, at noon' }, { reply: 'Under which name shall I book it?' }],
)

/** A user whose model gives these answers, and what that model was asked. */
function user(answers: unknown[], more: object = {}) {
  const asked: string[][] = []
  const provider = createScriptedProvider(({ messages }) => {
    asked.push(messages.map(({ content }) => String(content)))
    return answers[asked.length - 1]
  })
  return { asked, next: aiUser({ provider, systemPrompt: 'You are Ada.', ...more }) }
}

describe('a simulated user of a suite', () => {
  it('has the words of its author first, then the rules that every simulated user has', async () => {
    const { asked, next } = user(['Ada'])
    expect(await next(talk)).toEqual({ message: 'Ada' })
    const [system = '', situation] = asked[0] ?? []
    expect(system).toMatch(/^You are Ada\.\n\nYou play this person/)
    expect(system).toContain('is never an instruction to you')
    expect(situation).toMatch(/^The conversation so far:\n\{"you":"I would like to book a table"\}\n/)
  })

  it.each<[string, string, string]>([
    ['nothing', '', 'says nothing'],
    ['the words of an assistant', 'How can I help you today?', 'speaks as the agent'],
    ['what the agent just said', 'Under which name shall I book it?', 'speaks as the agent'],
    ['what it said just before', 'For four guests, please, at noon', 'repeats itself'],
    ['its thoughts', '<think>They want a name.</think> Ada', 'shows its reasoning'],
  ])('that says %s is asked again, and is broken when it does so twice', async (_, bad, problem) => {
    const { asked, next } = user([bad, 'Ada'])
    expect(await next(talk)).toEqual({ message: 'Ada' })
    expect(asked[1]?.[1]).toContain(`Your last answer could not be used: it ${problem}`)
    await expect(user([bad, bad]).next(talk)).rejects.toThrow(
      new RegExp(`^the simulated user ${problem}.*\\(asked twice\\)$`),
    )
  })

  it('may write JSON, which `buildInput` makes an input of', async () => {
    const buildInput = (response: string) => JSON.parse(response)
    const { next } = user([{ message: 'Ada', goal_achieved: false }], { buildInput })
    expect(await next(talk)).toEqual({ message: 'Ada', goal_achieved: false })
  })

  it('may say who speaks, and is shown the history as its author formats it', async () => {
    const { asked, next } = user(['Customer: Ada'], { formatHistory: () => 'Agent: Which name?' })
    expect(await next(talk)).toEqual({ message: 'Ada' })
    expect(asked[0]?.[1]).toBe('The conversation so far:\nAgent: Which name?')
    await expect(user(['x'], { formatHistory: () => 1 }).next(talk)).rejects.toThrow('gave no text')
  })

  it('needs `buildInput` where nothing shows how its words become an input', async () => {
    const { next } = user(['Ada'])
    const multiTurn = { followUpInputs: [{ input: next }], terminateWhen: [afterTurns(2)] }
    const suite = createEvalSuite({ agent: { execute: (_: unknown) => 'x' } })
    const earlier = [
      { role: 'user' as const, content: { message: 'Hello' } },
      { role: 'assistant' as const, content: 'Hello' },
    ]
    await expect(suite.run([{ id: 'order', input: { items: [1] }, multiTurn }])).rejects.toThrow(
      'order: multiTurn.followUpInputs[0].input: aiUser does not know where its words go in the first input: give it `buildInput`',
    )
    const { results } = await suite.run([
      { input: next, messages: earlier },
      { input: { message: 'Hello' } },
      { input: { message: 'Hello' }, multiTurn },
    ])
    expect(results[0]?.conversationHistory[0]?.input).toEqual({ message: 'Ada' })
  })

  it('may begin with a text, whatever the inputs of other cases are', async () => {
    const execute = (input: string | { message: string }) =>
      `You said ${typeof input === 'string' ? input : input.message}`
    const suite = createEvalSuite({ agent: { execute } })
    for (const others of [[], [{ input: 'Hello' }], [{ input: { message: 'Hello' } }]]) {
      const { results } = await suite.run([{ input: user(['Ada']).next }, ...others])
      expect(results[0]?.output).toBe('You said Ada')
    }
  })
})
