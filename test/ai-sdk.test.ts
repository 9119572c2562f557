import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FakeAnswer, startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { messageText } from '../src/results/transcript/message.ts'
import { jsonl, project, repository, results, viva } from './support/viva.ts'

/** These tests run the AI SDK itself, with its own provider, against a server on loopback. */
interface Said {
  role: string
  content: unknown
}

function answer(messages: Said[]): FakeAnswer {
  const last = messages.at(-1)
  const text = messageText(last?.content)
  if (last?.role === 'tool') return `Filed as ${text}.`
  if (text === 'file') return { toolCalls: [{ id: 'c1', name: 'create_expense', arguments: { amount: 3 } }] }
  if (text === 'misfile')
    return { toolCalls: [{ id: 'c2', name: 'create_expense', arguments: { amount: 'x' } }] }
  if (text === 'ask') return { toolCalls: [{ id: 'c3', name: 'ask_user', arguments: { question: 'Why?' } }] }
  if (text === 'broke') return { status: 429, error: { message: 'no money', code: 'insufficient_quota' } }
  if (text === 'yes') return '{"ok": true}'
  return text
}

async function play(name: string, ...cases: object[]) {
  const server = await startFakeOpenAIServer({ answer: ({ messages }) => answer(messages as Said[]) })
  onTestFinished(() => server.close())
  const cwd = project({ 'cases.jsonl': jsonl(...cases) })
  const agent = join(repository, 'test/fixtures/ai-sdk/agent.ts')
  const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', `${agent}${name}`, '-o', 'x.jsonl'], {
    cwd,
    env: { MODEL_URL: server.url },
  })
  const sent = server.requests.map(({ body }) => body.messages as Said[])
  return { exitCode, results: results(join(cwd, 'x.jsonl')), sent }
}

describe('AI SDK agents, with the real package', () => {
  it('an agent calls its tools, and the next turn includes the tool exchanges', async () => {
    const { exitCode, results, sent } = await play('', {
      id: 'a',
      turns: [
        {
          input: 'file',
          assert: [
            { type: 'equals', value: 'Filed as {"id":"E1","amount":3}.' },
            { type: 'tool_called', name: 'create_expense', arguments: { amount: 3 } },
            { type: 'tool_result', name: 'create_expense', path: 'id', value: 'E1' },
          ],
        },
        { input: 'thanks', expected: 'thanks' },
      ],
    })
    expect(results).toMatchObject([{ status: 'passed', usage: { agent: { calls: 2 } } }])
    expect(sent.at(-1)?.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(exitCode).toBe(0)
  })

  it('a conversation continues after a call without a result and after a call with invalid arguments', async () => {
    const { results } = await play(
      '',
      { id: 'ask', turns: [{ input: 'ask' }, { input: 'because', expected: 'because' }] },
      { id: 'misfile', input: 'misfile', assert: { type: 'contains', value: 'Invalid input' } },
    )
    expect(results).toMatchObject([{ status: 'passed' }, { status: 'passed' }])
  })

  it('an error of the provider is an infrastructure error', async () => {
    const { results, exitCode } = await play('', { id: 'a', input: 'broke' })
    expect(results).toMatchObject([{ fault: 'infrastructure', error_kind: 'quota' }])
    expect(exitCode).toBe(3)
  })

  it('an agent with structured output fails when its reply does not match', async () => {
    const { results } = await play(
      '#structured',
      { id: 'good', input: 'yes', expected: { ok: true } },
      { id: 'bad', input: 'no' },
    )
    expect(results).toMatchObject([
      { status: 'passed' },
      { status: 'failed', fault: 'agent', error_kind: 'agent_error' },
    ])
  })
})

describe('AI SDK models, with the real package', () => {
  it('a model without an agent holds a conversation', async () => {
    const { results } = await play('#model', {
      id: 'a',
      turns: [{ input: 'a' }, { input: 'b', expected: 'b' }],
    })
    expect(results).toMatchObject([{ status: 'passed' }])
  })
})
