import { describe, expect, it } from 'vitest'
import { AgentError, InfrastructureError } from '../../errors.ts'
import type { Model, ModelRequest } from '../../models/model.ts'
import type { ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import { type Tool, ToolError } from '../../tools/tool.ts'
import { answerWithTools, type ToolLoop } from './tool-loop.ts'

const call = (id: string, name: string, args: unknown = {}): ToolCall => ({ id, name, arguments: args })

function says(content: string, toolCalls: ToolCall[] = []): Reply {
  const said = { role: 'assistant', content, ...(toolCalls.length > 0 ? { toolCalls } : {}) } as const
  return {
    output: content,
    content,
    messages: [said],
    toolCalls,
    usage: { inputTokens: 10, outputTokens: 2 },
  }
}

/** Gives these replies in turn, and repeats the last one. */
function modelThatSays(...replies: Reply[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    id: 'm',
    requests,
    async generate(request) {
      requests.push(request)
      return replies[requests.length - 1] ?? replies.at(-1) ?? says('')
    },
  }
}

const running: string[] = []
const order: string[] = []
const tools: Tool[] = [
  {
    name: 'add',
    description: 'Adds',
    inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    call: async (args) => ({ sum: (args as { a: number }).a + 1 }),
  },
  {
    name: 'meet',
    inputSchema: {},
    async call(args) {
      running.push(String(args))
      while (running.length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
      order.push('met')
      return 'met'
    },
  },
  {
    name: 'fail',
    inputSchema: {},
    async call() {
      throw new ToolError('stuck')
    },
  },
  {
    name: 'gone',
    inputSchema: {},
    async call() {
      throw new InfrastructureError('connection', 'the server is gone')
    },
  },
]

async function answer(model: Model, more: Partial<ToolLoop> = {}): Promise<Reply> {
  const loop: ToolLoop = { agentId: 'desk', tools, maxTurn: 3, maxTurnKey: 'most', loop: true, ...more }
  const request = { messages: [{ role: 'user', content: 'Hi' } as const], settings: { temperature: 0 } }
  return (await answerWithTools(loop, model, request, createPlainScope())).reply
}

describe('answerWithTools', () => {
  it('combines all messages, tool calls and tokens of the rounds into one reply', async () => {
    const model = modelThatSays(says('Let me see.', [call('c1', 'add', { a: 1 })]), says('It is 2.'))
    expect(await answer(model)).toEqual({
      output: 'It is 2.',
      content: 'It is 2.',
      messages: [
        { role: 'assistant', content: 'Let me see.', toolCalls: [call('c1', 'add', { a: 1 })] },
        { role: 'tool', toolCallId: 'c1', name: 'add', content: '{"sum":2}' },
        { role: 'assistant', content: 'It is 2.' },
      ],
      toolCalls: [{ ...call('c1', 'add', { a: 1 }), result: { sum: 2 } }],
      usage: { inputTokens: 20, outputTokens: 4 },
    })
    expect(model.requests[0]).toMatchObject({
      settings: { temperature: 0 },
      tools: [
        {
          type: 'function',
          function: { name: 'add', description: 'Adds', parameters: tools[0]?.inputSchema },
        },
        {},
        {},
        {},
      ],
    })
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  it.each([
    ['wrong arguments', call('c', 'add', { a: 'one' }), /wrong arguments for add: a must be a number/],
    ['arguments that are not JSON', call('c', 'add', 'add one'), /not JSON/],
    ['an unknown tool', call('c', 'subtract'), /no tool subtract; there are: add, meet, fail, gone/],
    ['a tool that fails', call('c', 'fail'), /^stuck$/],
  ])('reports %s to the model and goes on', async (_, wrong, error) => {
    const model = modelThatSays(says('', [wrong]), says('', [call('d', 'add', { a: 1 })]), says('Done.'))
    const reply = await answer(model)
    expect(reply.content).toBe('Done.')
    expect(reply.toolCalls).toEqual([
      { ...wrong, error: expect.stringMatching(error) },
      { ...call('d', 'add', { a: 1 }), result: { sum: 2 } },
    ])
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(/^Error: /)
  })

  it('reports every tool as unknown where none is offered', async () => {
    const reply = await answer(modelThatSays(says('', [call('c', 'add')]), says('Done.')), { tools: [] })
    expect(reply.toolCalls).toEqual([{ ...call('c', 'add'), error: 'there is no tool add; there are none' }])
  })

  it('hides the calls of a model that hides them', async () => {
    const silent: Reply = { ...says('Done.'), toolCalls: 'hidden' }
    expect((await answer(modelThatSays(silent), { tools: [] })).toolCalls).toBe('hidden')
  })

  it('repairs arguments that are almost JSON', async () => {
    const model = modelThatSays(says('', [call('c', 'add', "{'a': 1,")]), says('Done.'))
    expect((await answer(model)).toolCalls).toEqual([{ ...call('c', 'add', { a: 1 }), result: { sum: 2 } }])
  })

  it('runs the calls of one answer in parallel and keeps their order', async () => {
    const model = modelThatSays(
      says('', [call('a', 'meet', 1), call('b', 'add', { a: 1 }), call('c', 'meet', 2)]),
      says('ok'),
    )
    const reply = await answer(model)
    expect(order).toEqual(['met', 'met'])
    expect(reply.messages.map(({ toolCallId }) => toolCallId)).toEqual([undefined, 'a', 'b', 'c', undefined])
  })

  it('fails the agent after the maximum number of rounds', async () => {
    const model = modelThatSays(says('', [call('c', 'add', { a: 1 })]))
    const failed = answer(model)
    await expect(failed).rejects.toBeInstanceOf(AgentError)
    await expect(failed).rejects.toThrow('desk called tools in 3 rounds and still asked for add (most)')
    expect(model.requests).toHaveLength(4)
  })

  it('stops when a tool cannot be reached', async () => {
    const model = modelThatSays(says('', [call('c', 'gone'), call('d', 'add', { a: 1 })]))
    await expect(answer(model)).rejects.toThrow('the server is gone')
  })

  it('stops after the first round when the loop is off', async () => {
    const model = modelThatSays(says('', [call('c', 'add', { a: 1 })]))
    const adding: Tool = { name: 'add', inputSchema: {}, call: async () => ({ message: 'Added.' }) }
    const reply = await answer(model, { loop: false, tools: [adding] })
    expect(reply).toMatchObject({ output: 'Added.', content: 'Added.' })
    expect(model.requests).toHaveLength(1)
  })

  it('lets the model correct failed calls when the loop is off', async () => {
    const model = modelThatSays(
      says('', [call('c', 'add', { a: 'one' })]),
      says('', [call('d', 'fail')]),
      says('', [call('e', 'add', { a: 1 })]),
    )
    const reply = await answer(model, { loop: false })
    expect(reply.toolCalls).toMatchObject([
      { id: 'c' },
      { id: 'd', error: 'stuck' },
      { id: 'e', result: { sum: 2 } },
    ])
    expect(model.requests).toHaveLength(3)
  })

  it.each([
    ['fail for the third time', [call('c', 'fail')]],
    ['are not made again', []],
  ])('fails, with the loop off, when failed calls %s', async (_, again) => {
    const model = modelThatSays(says('', [call('c', 'fail')]), says('Sorry.', again))
    const failed = answer(model, { loop: false })
    await expect(failed).rejects.toBeInstanceOf(AgentError)
    await expect(failed).rejects.toThrow('tool calls of desk failed, and were not corrected: fail: stuck')
    expect(model.requests).toHaveLength(again.length === 0 ? 2 : 3)
  })
})
