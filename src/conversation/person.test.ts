import { expect, it } from 'vitest'
import type { Message } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { type PersonAnswer, type PersonQuestion, personSource } from './person.ts'

function turn(reply: Partial<Reply>, awaiting = true): Turn {
  return {
    number: 1,
    source: 'initial',
    input: { value: 'hi', message: { role: 'user', content: 'hi' } },
    reply: { output: reply.content ?? '', content: '', messages: [], toolCalls: [], ...reply },
    checks: [],
    awaiting: { awaiting, reason: 'agent_declared' },
    durationMs: 0,
  }
}

/** What the person is asked, what they say, what is logged. */
async function askPerson(view: Partial<View>, answer: PersonAnswer = { text: 'yes' }) {
  const questions: PersonQuestion[] = []
  const logs: string[] = []
  const ask = async (question: PersonQuestion) => {
    questions.push(question)
    return answer
  }
  const standing = { view: { history: [], turns: [], ...view }, spoken: 0, checkpoints: [], maxTurns: 20 }
  const scope = createPlainScope({ key: { id: 'x' }, log: (text) => logs.push(text) })
  const next = await personSource({ ask }, 1000).next(standing, scope)
  return { question: questions[0], next, logs }
}

it('shows the message of the agent with its hint', async () => {
  const { question, next } = await askPerson({ turns: [turn({ content: 'Which?', inputHint: 'a or b' })] })
  expect(question).toMatchObject({ key: { id: 'x' }, agent: 'Which?', hint: 'a or b', timeoutMs: 1000 })
  expect(next).toMatchObject({
    say: { value: 'yes', message: { role: 'user', content: 'yes' } },
    source: 'human',
  })
})

it.each<[string, Partial<Reply>, string]>([
  [
    'the calls of an agent that asks with a tool',
    { toolCalls: [{ id: '1', name: 'ask_user', arguments: { question: 'Which?' } }] },
    '[tool: ask_user({"question":"Which?"})]',
  ],
  ['data if there is no text', { output: { ask: 'size' }, toolCalls: 'hidden' }, '{"ask":"size"}'],
])('shows %s', async (_, reply, shown) => {
  expect((await askPerson({ turns: [turn(reply)] })).question?.agent).toBe(shown)
})

it.each<[string, Message[], string | undefined]>([
  ['nothing if the person begins', [], undefined],
  [
    'the last message of a history that ends with the agent',
    [{ role: 'assistant', content: [{ type: 'text', text: 'Where?' }] }],
    'Where?',
  ],
  [
    'nothing of a history that does not end with the agent',
    [{ role: 'system', content: 'Be kind' }],
    undefined,
  ],
])('shows %s', async (_, history, shown) => {
  expect((await askPerson({ history })).question?.agent).toBe(shown)
})

it('lets the next source speak when there is no answer, and logs why', async () => {
  const { next, logs } = await askPerson({}, { none: 'Ctrl-D' })
  expect(next).toEqual({ end: 'exhausted' })
  expect(logs).toEqual(['no message from the person at the terminal: Ctrl-D'])
})

it('speaks when the agent waits, or when nobody has begun', () => {
  const source = personSource({ ask: async () => ({ text: '' }) }, 1000)
  expect(source.wants({ history: [], turns: [] }, 0)).toBe(true)
  expect(source.wants({ history: [], turns: [turn({ content: 'Which?' })] }, 1)).toBe(true)
  expect(source.wants({ history: [], turns: [turn({ content: 'Done.' }, false)] }, 1)).toBe(false)
})
