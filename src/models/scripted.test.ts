import { describe, expect, it } from 'vitest'
import type { Data, Message } from '../results/transcript/message.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { createScriptHost } from '../scripts/runner/script-host.ts'
import { createScriptedModel } from './scripted.ts'

const place = { folder: '/', scripts: createScriptHost() }

function ask(options: Data, ...messages: Message[]) {
  return createScriptedModel('s', options, place).generate(
    { messages, tools: [], settings: {} },
    createPlainScope(),
  )
}

const user = (content: string): Message => ({ role: 'user', content })

describe('the scripted model', () => {
  const rules = [
    {
      when: { user: 'refund of (\\d+)' },
      reply: 'Refunding {{1}}.',
      tool_calls: [{ name: 'refund', arguments: { amount: '{{1}}' } }],
      usage: { input_tokens: 2 },
    },
    { when: { assistant: 'confirm', user: '^yes$' }, reply: { done: true } },
    { when: { system: 'pirate' }, reply: 'Arr.' },
    { when: { turn: 2 }, reply: 'second' },
    { when: { user: 'fail' }, error: { status: 429 } },
  ]

  it('answers with the first rule that matches, with its groups inserted', async () => {
    const reply = await ask({ rules }, user('a refund of 20 please'))
    expect(reply).toMatchObject({
      content: 'Refunding 20.',
      toolCalls: [{ name: 'refund', arguments: { amount: '20' } }],
      usage: { inputTokens: 2 },
      finishReason: 'stop',
    })
    expect(reply.messages).toEqual([
      {
        role: 'assistant',
        content: 'Refunding 20.',
        toolCalls: [{ id: 'call_1', name: 'refund', arguments: { amount: '20' } }],
      },
    ])
  })

  it('matches the assistant, the system prompts and the turn', async () => {
    expect(
      (await ask({ rules }, { role: 'assistant', content: 'please confirm' }, user('yes'))).content,
    ).toBe('{"done":true}')
    expect((await ask({ rules }, { role: 'system', content: 'you are a pirate' }, user('hi'))).content).toBe(
      'Arr.',
    )
    expect((await ask({ rules }, user('a'), user('b'))).content).toBe('second')
  })

  it('fails with an infrastructure error when a rule says so or no rule matches', async () => {
    await expect(ask({ rules }, user('fail'))).rejects.toMatchObject({ kind: 'rate_limit', retryable: true })
    await expect(ask({ rules }, user('x'))).rejects.toThrow('the scripted model has no rule for "x"')
  })

  it.each([
    [{}, 'needs `rules` or `module`'],
    [{ rules: [], module: './model.ts' }, 'needs `rules` or `module`'],
    [{ embeddings: { a: [1], b: [1, 2] } }, 'of different lengths'],
    [{ embeddings: { a: [0] } }, 'all zeros'],
    [{ rules: [{ when: { usr: 'x' } }] }, 'unknown key "usr"'],
    [{ rules: [{ when: { user: '(' } }] }, 'RE2'],
    [{ rules: [{ delay: '5' }] }, 'duration'],
  ])('refuses %j', (options, message) => {
    expect(() => createScriptedModel('s', options, place)).toThrow(message)
  })

  it('embeds the texts of its table, and has no embeddings without one', async () => {
    const model = createScriptedModel('s', { embeddings: { a: [1, 0], b: [0, 1] } }, place)
    expect(await model.embed?.(['b', 'a'], createPlainScope())).toEqual([
      [0, 1],
      [1, 0],
    ])
    await expect(model.embed?.(['toString'], createPlainScope())).rejects.toThrow(
      'no embedding for "toString"',
    )
    expect(createScriptedModel('s', { rules }, place).embed).toBeUndefined()
  })

  it('matches the tool that answered last, and its result', async () => {
    const withTools = [
      { when: { tool: 'look_up', result: '"status":"(\\w+)"' }, reply: 'It is {{1}}.' },
      { when: { tool: '.' }, reply: 'I do not know.' },
      { tool_calls: [{ name: 'desk__look_up', arguments: { id: '7' } }] },
    ]
    const asked = await ask({ rules: withTools }, user('Where is it?'))
    expect(asked.toolCalls).toEqual([{ id: 'call_1', name: 'desk__look_up', arguments: { id: '7' } }])
    const answered = (content: string): Message[] => [
      user('Where is it?'),
      ...asked.messages,
      { role: 'tool', toolCallId: 'call_1', name: 'desk__look_up', content },
    ]
    expect((await ask({ rules: withTools }, ...answered('{"status":"lost"}'))).content).toBe('It is lost.')
    expect((await ask({ rules: withTools }, ...answered('Error: no'))).content).toBe('I do not know.')
    const again = await ask({ rules: withTools }, ...answered('{"status":"lost"}'), user('And now?'))
    expect(again.toolCalls).toMatchObject([{ id: 'call_2' }])
  })
})
