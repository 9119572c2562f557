import { jsonSchema, Output, stepCountIs, ToolLoopAgent, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { agentReply } from './agent.ts'
import { fromAgtlantis } from './agtlantis.ts'
import { afterTurns } from './conditions.ts'
import { createEvalSuite } from './suite.ts'

type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>

function generated(content: Generated['content'], reason: 'stop' | 'tool-calls' = 'stop'): Generated {
  return {
    content,
    finishReason: { unified: reason, raw: undefined },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 5, text: 5, reasoning: undefined },
    },
    warnings: [],
  }
}

/** Says how many messages it was given, after a look at the weather. */
function weatherAgent() {
  const prompts: unknown[][] = []
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      prompts.push(prompt)
      if (prompt.at(-1)?.role === 'tool')
        return generated([{ type: 'text', text: `${prompt.length} messages` }])
      const input = JSON.stringify({ city: 'Rome' })
      return generated([{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input }], 'tool-calls')
    },
  })
  const weather = tool({
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: async ({ city }) => ({ city, at: new Date(0) }),
  })
  return {
    agent: new ToolLoopAgent({ id: 'weather-agent', model, tools: { weather }, stopWhen: stepCountIs(3) }),
    prompts,
  }
}

describe('an agent of the AI SDK', () => {
  it('is taken as it is, with its tool calls, its usage and the whole conversation', async () => {
    const { agent, prompts } = weatherAgent()
    const suite = createEvalSuite({ agent })
    expectTypeOf(suite.run)
      .parameter(0)
      .toExtend<Iterable<{ input: unknown; expectedOutput?: string | undefined }>>()
    const { results } = await suite.run([
      {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello!' },
        ],
        input: 'How is Rome?',
        assert: [
          { type: 'tool_called', name: 'weather', arguments: { city: 'Rome' } },
          { type: 'contains', value: 'messages' },
        ],
        multiTurn: {
          followUpInputs: [{ input: 'And now?' }],
          terminateWhen: [afterTurns(2)],
          onMaxTurnsReached: 'pass',
        },
      },
    ])
    const [result] = results
    expect(result).toMatchObject({ passed: true, output: '9 messages', toolCallsKnown: true })
    expect(result?.toolCalls.map(({ name, result }) => [name, result])).toEqual([
      ['weather', { city: 'Rome', at: '1970-01-01T00:00:00.000Z' }],
      ['weather', { city: 'Rome', at: '1970-01-01T00:00:00.000Z' }],
    ])
    expect(result?.usage.agent).toMatchObject({ calls: 2, inputTokens: 40, outputTokens: 20 })
    expect(prompts[0]?.map((message) => (message as { role: string }).role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
    const wrong = () => [
      // @ts-expect-error: its inputs are texts
      suite.run([{ input: 3 }]),
      // @ts-expect-error: it answers a text
      suite.run([{ input: 'x', expectedOutput: 3 }]),
    ]
    expectTypeOf(wrong).toBeFunction()
  })

  it('answers data where it was made with an output', async () => {
    const model = new MockLanguageModelV3({
      doGenerate: generated([{ type: 'text', text: '{"mood":"good"}' }]),
    })
    const schema = jsonSchema<{ mood: string }>({ type: 'object', properties: { mood: { type: 'string' } } })
    const suite = createEvalSuite({ agent: new ToolLoopAgent({ model, output: Output.object({ schema }) }) })
    const { results } = await suite.run([{ input: 'How are you?', expectedOutput: { mood: 'good' } }])
    expectTypeOf(results[0]?.output).toEqualTypeOf<{ mood: string } | undefined>()
    expect(results[0]).toMatchObject({ passed: true, output: { mood: 'good' } })
    // @ts-expect-error: there is no such field
    expectTypeOf(() => suite.run([{ input: 'x', expectedOutput: { mod: 'good' } }])).toBeFunction()
  })

  it('can be made anew for each case, and replaced by another', async () => {
    const says = (text: string) =>
      new ToolLoopAgent({
        model: new MockLanguageModelV3({ doGenerate: generated([{ type: 'text', text }]) }),
      })
    const suite = createEvalSuite({ createAgent: () => says('one') })
    expect((await suite.run([{ input: 'x', expectedOutput: 'one' }])).summary.passed).toBe(1)
    const other = await suite.withAgent(says('two')).run([{ input: 'x', expectedOutput: 'two' }])
    expect(other.summary.passed).toBe(1)
  })

  it('is not blamed for what its provider does', async () => {
    const busy = Object.assign(new Error('the server is down'), {
      name: 'AI_APICallError',
      url: 'https://model.test/v1',
      statusCode: 503,
      isRetryable: false,
    })
    const fails = (error: Error) =>
      createEvalSuite({
        agent: { version: 'agent-v1' as const, generate: async (): Promise<never> => Promise.reject(error) },
      }).run([{ input: 'x' }])
    expect((await fails(busy)).results[0]).toMatchObject({ passed: false, fault: 'infrastructure' })
    expect((await fails(new Error('oops'))).results[0]).toMatchObject({
      fault: 'agent',
      error: 'agent error: oops',
    })
  })
})

it.each([
  ['function', () => 'x'],
  ['promise', agentReply(Promise.resolve('x'))],
])('an output that is a %s is a failure of the agent', async (word, output) => {
  const agent = { execute: async () => output as unknown as string }
  const { results } = await createEvalSuite({ agent }).run([
    { input: 'x', assert: { type: 'not_contains', value: 'secret' } },
  ])
  expect(results[0]).toMatchObject({
    passed: false,
    fault: 'agent',
    error: `agent error: the output of the agent is a ${word}: return the data itself`,
  })
})

describe('fromAgtlantis', () => {
  const agent = {
    config: { name: 'shout', description: 'Shouts' },
    prompt: { id: 'p', version: '1', system: '', renderUserPrompt: (input: { text: string }) => input.text },
    async execute({ text }: { text: string }) {
      const tokenUsage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
      return {
        result: { loud: text.toUpperCase() },
        metadata: { duration: 5, promptVersion: '1', tokenUsage },
      }
    },
  }

  it('makes an agent of one that answers result and metadata, with its types', async () => {
    const suite = createEvalSuite({ agent: fromAgtlantis(agent) })
    const { results } = await suite.run([{ input: { text: 'hi' }, expectedOutput: { loud: 'HI' } }])
    expectTypeOf(results[0]?.output).toEqualTypeOf<{ loud: string } | undefined>()
    expect(results[0]).toMatchObject({ passed: true, usage: { agent: { inputTokens: 3, outputTokens: 4 } } })
    expect(results[0]?.conversationHistory[0]).toMatchObject({
      metadata: { duration: 5, promptVersion: '1' },
    })
    const wrong = () => [
      // @ts-expect-error: no such field in its input
      suite.run([{ input: { txt: 'hi' } }]),
      // @ts-expect-error: it answers no result
      fromAgtlantis({ execute: async () => ({ output: 1 }) }),
    ]
    expectTypeOf(wrong).toBeFunction()
  })

  it('says how its tools and its tokens become visible', async () => {
    const hidden = (text: string) => expect.stringContaining(`To make them visible, ${text}`)
    const called = { input: { text: 'hi' }, assert: { type: 'tool_called', name: 'pay' } } as const
    for (const suite of [
      createEvalSuite({ agent: fromAgtlantis(agent) }),
      createEvalSuite({ createAgent: () => fromAgtlantis(agent) }),
    ]) {
      const { results } = await suite.run([called, { ...called, stubs: { pay: { result: 1 } } }])
      expect(results.map(({ error }) => error)).toEqual([
        hidden('replace fromAgtlantis, which passes on only the input, by { execute: (input, context)'),
        expect.stringMatching(/viva cannot see the tools of \w+; replace fromAgtlantis/),
      ])
    }
    const silent = fromAgtlantis({ execute: async (_: string) => ({ result: 'x' }) })
    const { results } = await createEvalSuite({ agent: silent }).run([
      { input: 'x', assert: { type: 'cost', max: 1 } },
    ])
    expect(results[0]?.error).toEqual(hidden('let the agent answer with `metadata.tokenUsage`'))
  })

  it('counts tokens by the shorter names, too', async () => {
    const tokenUsage = { input: 3, output: 4, total: 7 }
    const short = { execute: async (_: string) => ({ result: 'x', metadata: { tokenUsage } }) }
    const { results } = await createEvalSuite({ agent: fromAgtlantis(short) }).run([{ input: 'x' }])
    expect(results[0]).toMatchObject({ usage: { agent: { inputTokens: 3, outputTokens: 4 } } })
  })

  it('waits for a result that is a promise', async () => {
    const late = { execute: async (_: string) => ({ result: Promise.resolve('x') as unknown as string }) }
    const suite = createEvalSuite({ agent: fromAgtlantis(late) })
    const { results } = await suite.run([{ input: 'x', expectedOutput: 'x' }])
    expect(results[0]).toMatchObject({ passed: true, output: 'x' })
  })

  it.each([
    [undefined, 'the agent answered without a `result`'],
    [Promise.resolve(), 'the agent answered without a `result`'],
    [async () => 'x', 'the `result` of the agent is a function'],
  ])('blames an agent whose result is %s', async (result, message) => {
    const agent = { execute: async (_: string) => ({ result: result as unknown as string }) }
    const { results } = await createEvalSuite({ agent: fromAgtlantis(agent) }).run([
      { input: 'x', assert: { type: 'not_contains', value: 'secret' } },
    ])
    expect(results[0]).toMatchObject({
      passed: false,
      fault: 'agent',
      error: `agent error: ${message}: it must answer { result, metadata }`,
    })
  })

  it('blames an agent that answers something else', async () => {
    const other = { execute: async (_: string) => 'just text' as unknown as { result: string } }
    const { results } = await createEvalSuite({ agent: fromAgtlantis(other) }).run([{ input: 'x' }])
    expect(results[0]).toMatchObject({ passed: false, fault: 'agent' })
    expect(() => fromAgtlantis({} as never)).toThrow('execute')
  })
})
