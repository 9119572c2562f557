import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stepCountIs, ToolLoopAgent, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { InfrastructureError } from '../errors.ts'
import { type AgentContext, agentReply } from './agent.ts'
import { afterTurns } from './conditions.ts'
import { createEvalSuite } from './suite.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finish = (unified: 'stop' | 'tool-calls') => ({ unified, raw: unified })

/** Looks up the order that the user names, and repeats what the tool says. */
const model = new MockLanguageModelV3({
  async doGenerate({ prompt }) {
    const last = prompt.at(-1)
    const said = JSON.stringify(last?.content)
    const id = /[A-Z]\d/.exec(said)?.[0]
    if (last?.role !== 'tool' && id !== undefined) {
      const call = {
        type: 'tool-call' as const,
        toolCallId: 'c1',
        toolName: 'lookUp',
        input: JSON.stringify({ id }),
      }
      return { content: [call], finishReason: finish('tool-calls'), usage, warnings: [] }
    }
    const outputs =
      last?.role === 'tool' ? last.content.map((part) => ('output' in part ? part.output : part)) : []
    const heard = outputs.map((output) => JSON.stringify('value' in output ? output.value : output)).join()
    return {
      content: [{ type: 'text', text: `I hear: ${heard || 'nothing'}` }],
      finishReason: finish('stop'),
      usage,
      warnings: [],
    }
  },
})

let called = 0
async function find(id: string) {
  called += 1
  if (id === 'X0') throw new Error('the archive burns')
  return { id, status: 'shipped' }
}
const tools = {
  lookUp: tool({ inputSchema: z.object({ id: z.string() }), execute: ({ id }) => find(id) }),
}

const loop = () => new ToolLoopAgent({ model, tools, stopWhen: stepCountIs(3) })
const prepared = () => new ToolLoopAgent({ model, prepareCall: (call) => ({ ...call, tools }) })

/** The same in plain functions. */
const functions = {
  name: 'functions',
  async execute(input: string, context: AgentContext) {
    const { lookUp } = context.tools({ lookUp: async ({ id }: { id: string }) => find(id) })
    const id = /[A-Z]\d/.exec(input)?.[0]
    if (id === undefined) return 'I hear: nothing'
    try {
      const found = await lookUp({ id })
      return `I hear: ${JSON.stringify(found)}`
    } catch (error) {
      return `I hear: ${JSON.stringify((error as Error).message)}`
    }
  },
}

const suites = {
  'an AI SDK agent': () => createEvalSuite({ agent: loop() }),
  'an AI SDK agent that prepares its tools': () => createEvalSuite({ agent: prepared() }),
  'an agent with context.tools': () => createEvalSuite({ agent: functions }),
}

describe.each(Object.keys(suites) as (keyof typeof suites)[])('stubs of a suite: %s', (kind) => {
  it.each([1, 8])(
    'replace, delay and fail the tools of their case only: concurrency %i',
    async (concurrency) => {
      const { results, exitCode } = await suites[kind]().run(
        [
          { id: 'own', input: 'A1', assert: { type: 'contains', value: 'shipped' } },
          {
            id: 'result',
            input: 'A1',
            stubs: { lookUp: { result: 'lost', delay: '10ms' } },
            assert: { type: 'contains', value: 'lost' },
          },
          {
            id: 'error',
            input: 'A1',
            stubs: { lookUp: { error: 'closed' } },
            assert: { type: 'contains', value: 'closed' },
          },
          {
            id: 'arguments',
            input: 'B2',
            stubs: {
              lookUp: [
                { when: { id: 'A1' }, result: 'first' },
                { when: { id: 'B2' }, result: 'second' },
              ],
            },
            assert: [
              { type: 'contains', value: 'second' },
              { type: 'tool_called', name: 'lookUp', arguments: { id: 'B2' } },
            ],
          },
          { id: 'none', input: 'hello', assert: { type: 'tool_not_called', name: 'lookUp' } },
        ],
        { concurrency },
      )
      expect(results.map(({ id, passed, error }) => [id, passed, error])).toEqual(
        ['own', 'result', 'error', 'arguments', 'none'].map((id) => [id, true, undefined]),
      )
      expect(results[1]?.toolCalls).toMatchObject([{ name: 'lookUp', result: 'lost', stubbed: true }])
      expect(exitCode).toBe(0)
    },
  )

  it('a call that nobody stubbed is refused with stubAll, and says nothing about the agent', async () => {
    const before = called
    const { results, exitCode } = await suites[kind]().run(
      [
        { id: 'real', input: 'A1' },
        { id: 'unmatched', input: 'A1', stubs: { lookUp: { when: { id: 'B2' }, result: 1 } } },
        { id: 'stubbed', input: 'A1', stubs: { lookUp: { result: 'lost' } } },
      ],
      { stubAll: true },
    )
    expect(results).toMatchObject([
      { passed: false, error: 'lookUp was called and is not stubbed (--stub-all)', fault: 'infrastructure' },
      { passed: false, error: expect.stringContaining('no stub of lookUp matches'), fault: 'infrastructure' },
      { passed: true },
    ])
    expect([exitCode, called]).toEqual([3, before])
  })

  it('calls are recorded, and replayed while the agent is live', async () => {
    const record = join(tmpdir(), `viva-stubs-${crypto.randomUUID()}.jsonl`)
    onTestFinished(() => rmSync(record, { force: true }))
    const cases = [{ id: 'a', input: 'A1', assert: { type: 'contains' as const, value: 'shipped' } }]
    expect((await suites[kind]().run(cases, { record })).exitCode).toBe(0)
    const before = called
    for (const live of [undefined, ['agent'] as const]) {
      const { results } = await suites[kind]().run(cases, { replay: record, live })
      expect(results).toMatchObject([{ passed: true, toolCalls: [{ name: 'lookUp' }] }])
    }
    expect(called).toBe(before)
    const { exitCode } = await suites[kind]().run(cases, { replay: record, live: ['agent', 'tools'] })
    expect([exitCode, called]).toEqual([0, before + 1])
  })
})

describe('a stub of a suite that replaces nothing', () => {
  const misspelt = [{ id: 'a', input: 'A1', stubs: { lokUp: { result: 1 } } }]

  it('is refused before anything is played where the tools are known', async () => {
    await expect(createEvalSuite({ agent: loop() }).run(misspelt)).rejects.toThrow(
      'a: stub of "lokUp": the agent has no such tool (did you mean "lookUp"?)',
    )
  })

  it('is an error of the case where they are not', async () => {
    const { results, exitCode } = await createEvalSuite({ agent: functions }).run(misspelt)
    expect(results[0]?.error).toContain(
      'stub of "lokUp": functions has no such tool (did you mean "lookUp"?)',
    )
    expect(exitCode).toBe(3)
  })

  it('says how to make hidden tools visible', async () => {
    const agent = { name: 'shy', execute: async () => 'done' }
    const { results } = await createEvalSuite({ agent }).run(misspelt)
    expect(results[0]?.error).toContain(
      'viva cannot see the tools of shy; wrap them where the agent begins: const tools = context.tools(',
    )
  })

  it.each([{ result: 1 }, { error: 'closed' }, {}])(
    'is an error where the agent calls the tool all the same, and reports %j',
    async (more) => {
      const toolCalls = [{ name: 'lookUp', arguments: {}, ...more }]
      const agent = { name: 'own', execute: async () => agentReply('done', { toolCalls }) }
      const stubs = { lookUp: { result: 2 } }
      const message = 'own called lookUp itself, so that it could not be stubbed'
      const stubbed = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x', stubs }])
      expect(stubbed.results[0]?.error).toContain(message)
      const all = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x' }], { stubAll: true })
      expect(all.results[0]?.error).toContain(message)
    },
  )

  it.each([
    [{ lookUp: {} }, 'a stub needs one of result, error, sequence'],
    [{ lookUp: { result: 1, error: 'x' } }, 'result and error cannot be combined'],
    [{ lookUp: { reslt: 1 } }, 'unknown key "reslt"'],
    [{ lookUp: { result: 1, delay: '3' } }, 'delay'],
    [JSON.parse('{"__proto__": {"result": 1}}'), 'a: stubs: no tool can have the name "__proto__"'],
  ])('has the form of case files: %j', async (stubs, message) => {
    const cases = [{ id: 'a', input: 'A1', stubs: stubs as never }]
    await expect(createEvalSuite({ agent: loop() }).run(cases)).rejects.toThrow(message)
  })
})

it('a turn that is played again after a failure of the provider begins its stubs anew', async () => {
  let attempts = 0
  const agent = {
    async execute(_: string, { tools: wrap }: AgentContext) {
      const heard = await wrap({ lookUp: find }).lookUp('A1')
      attempts += 1
      if (attempts === 1) throw new InfrastructureError('rate_limit', 'too fast', { retryable: true })
      return heard
    },
  }
  const stubs = { lookUp: { sequence: [{ result: 'one' }, { result: 'two' }] } }
  const { results } = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x', stubs }])
  expect(attempts).toBe(2)
  expect(results).toMatchObject([{ output: 'one', toolCalls: [{ name: 'lookUp', result: 'one' }] }])
})

it('a call that viva has seen counts although the agent reports a list without it', async () => {
  const agent = {
    async execute(_: string, { tools: wrap }: AgentContext) {
      await wrap({ lookUp: find }).lookUp('A1')
      return agentReply('done', { toolCalls: [] })
    },
  }
  const { results } = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x' }])
  expect(results[0]?.toolCalls).toMatchObject([{ name: 'lookUp', result: { status: 'shipped' } }])
})

it('a result of a tool that is no JSON is unknown, and cannot be replayed to an agent that is live', async () => {
  const record = join(tmpdir(), `viva-stubs-${crypto.randomUUID()}.jsonl`)
  onTestFinished(() => rmSync(record, { force: true }))
  const agent = {
    async execute(_: string, { tools: wrap }: AgentContext) {
      const orders = await wrap({ lookUp: async () => new Map([['A1', 'shipped']]) }).lookUp()
      return orders.get('A1') ?? 'lost'
    },
  }
  const suite = createEvalSuite({ agent })
  const assert = [{ type: 'tool_result' as const, name: 'lookUp', value: null }]
  const { results } = await suite.run([{ id: 'a', input: 'x', assert }], { record })
  expect(results).toMatchObject([
    {
      output: 'shipped',
      error: expect.stringContaining('the agent does not show its result'),
      toolCalls: [{ name: 'lookUp' }],
    },
  ])
  const replayed = await suite.run([{ id: 'a', input: 'x' }], { replay: record, live: ['agent'] })
  expect(replayed.results[0]).toMatchObject({
    fault: 'infrastructure',
    error: expect.stringContaining('the result of lookUp is a Map'),
  })
})

describe('a tool for which the agent does not wait', () => {
  const careless = {
    async execute(_: string, { tools: wrap }: AgentContext) {
      void wrap({ lookUp: find })
        .lookUp('A1')
        .catch(() => {})
      return 'done'
    },
  }

  it('is called and listed', async () => {
    const before = called
    const { results } = await createEvalSuite({ agent: careless }).run([
      { id: 'a', input: 'x', assert: { type: 'tool_not_called', name: 'lookUp' } },
    ])
    expect(called).toBe(before + 1)
    expect(results).toMatchObject([{ passed: false, toolCalls: [{ name: 'lookUp' }] }])
  })

  it('is listed without a result where its stub takes longer than the agent', async () => {
    const before = called
    const stubs = { lookUp: { result: 1, delay: '1h' } }
    const { results } = await createEvalSuite({ agent: careless }).run([{ id: 'a', input: 'x', stubs }])
    expect(called).toBe(before)
    expect(results[0]?.toolCalls).toEqual([
      { id: expect.any(String), name: 'lookUp', arguments: ['A1'], stubbed: true },
    ])
  })

  it('is refused with stubAll', async () => {
    const { results } = await createEvalSuite({ agent: careless }).run([{ id: 'a', input: 'x' }], {
      stubAll: true,
    })
    expect(results[0]?.error).toBe('lookUp was called and is not stubbed (--stub-all)')
  })
})

it('the tools that an agent called before it failed are unknown', async () => {
  const agent = {
    async execute(_: string, { tools: wrap }: AgentContext): Promise<string> {
      await wrap({ lookUp: find }).lookUp('A1')
      throw new Error('oops')
    },
  }
  const { results } = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x' }])
  expect(results).toMatchObject([{ error: 'agent error: oops', toolCalls: [], toolCallsKnown: false }])
})

describe('tools that code of another call uses while their call is under way', () => {
  const error =
    'code of one call of the agent used lookUp as ctx.tools had returned it to another call (call ctx.tools in every call of the agent, and build there what keeps its tools)'
  const line = `${error}, so that the tool calls of this turn are unknown`
  const cases = [
    { id: 'a', input: 'first' },
    { id: 'b', input: 'second' },
  ]

  it('count for no case where the agent keeps them', async () => {
    let kept: { lookUp(id: string): Promise<unknown> } | undefined
    const together = gather(2)
    const agent = {
      async execute(_: string, { tools: wrap }: AgentContext) {
        kept ??= wrap({ lookUp: find })
        await together()
        return await kept.lookUp('A1').finally(() => new Promise((end) => setTimeout(end, 20)))
      },
    }
    const { results } = await createEvalSuite({ agent }).run(cases, { concurrency: 2 })
    expect(results.map(({ error, toolCallsKnown, logs }) => [error, toolCallsKnown, logs])).toEqual([
      [undefined, false, [line]],
      [undefined, false, [line]],
    ])
  })

  it('are an error of a later turn, although the AI SDK gives it to the model', async () => {
    let kept: ToolLoopAgent<never, typeof tools> | undefined
    const agent = {
      async execute(prompt: string, { tools: wrap }: AgentContext) {
        const wrapped = wrap(tools)
        kept ??= new ToolLoopAgent({ model, tools: wrapped, stopWhen: stepCountIs(3) })
        return (await kept.generate({ prompt })).text
      },
    }
    const assert = { type: 'tool_not_called' as const, name: 'lookUp' }
    const multiTurn = { followUpInputs: [{ input: 'A1' }], terminateWhen: [afterTurns(2)] }
    const { results, exitCode } = await createEvalSuite({ agent }).run([
      { id: 'a', input: 'hello', multiTurn, assert },
    ])
    expect(results).toMatchObject([{ passed: false, fault: 'infrastructure', error }])
    expect(exitCode).toBe(3)
  })

  it('are no failure of an agent whose calls share a queue', async () => {
    const queue: (() => Promise<unknown>)[] = []
    let wake = () => {}
    /** Runs until nothing is left to do, within the call that has started it. */
    const drain = async () => {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      for (const work of queue) await work()
    }
    let drained: Promise<void> | undefined
    const together = gather(2)
    const agent = {
      async execute(input: string, { tools: wrap }: AgentContext) {
        drained ??= drain()
        await together()
        if (input === 'second') {
          const { lookUp } = wrap({ lookUp: find })
          queue.push(() => lookUp('A1'))
          wake()
        }
        await drained
        return 'done'
      },
    }
    const { results } = await createEvalSuite({ agent }).run(cases, { concurrency: 2 })
    expect(results.map(({ error, toolCalls, logs }) => [error, toolCalls.length, logs])).toEqual([
      [undefined, 0, [line]],
      [undefined, 0, [line]],
    ])
  })
})

/** Each of that many callers waits for all others. */
function gather(count: number): () => Promise<void> {
  let callers = 0
  let meet = () => {}
  const together = new Promise<void>((resolve) => {
    meet = resolve
  })
  return () => {
    callers += 1
    if (callers === count) meet()
    return together
  }
}

describe('a list of calls that the agent reports', () => {
  const play = (reported: object[], stubs?: object) => {
    const agent = {
      async execute(_: string, { tools: wrap }: AgentContext) {
        await wrap({ lookUp: async (_: { id: string }) => 'found' }).lookUp({ id: 'A1' })
        return agentReply('done', { toolCalls: reported as never })
      },
    }
    return createEvalSuite({ agent }).run([{ id: 'a', input: 'x', ...(stubs && { stubs }) } as never])
  }
  const stubs = { lookUp: { result: 'lost' } }
  const good = { name: 'lookUp', arguments: { id: 'A1' }, result: 'lost' }

  it('may contain a call with invalid arguments beside one that was stubbed', async () => {
    const invalid = { name: 'lookUp', arguments: { id: 7 }, error: 'id must be a string' }
    const { results } = await play([invalid, good], stubs)
    expect(results[0]?.error).toBeUndefined()
    expect(results[0]?.toolCalls).toMatchObject([
      { error: 'id must be a string' },
      { result: 'lost', stubbed: true },
    ])
    expect(results[0]?.toolCalls[0]).not.toHaveProperty('stubbed')
  })

  it('must not contain a result of a stubbed tool that viva has not given', async () => {
    const { results } = await play([good, { ...good, result: 'shipped' }], stubs)
    expect(results[0]?.error).toContain(
      'called lookUp itself, so that it could not be stubbed. It must call the wrapped tool',
    )
  })

  it('is unknown where its names cannot be matched with what viva has seen', async () => {
    const { results } = await play([{ name: 'orders.find', arguments: { order: 'A1' } }])
    expect(results[0]).toMatchObject({ toolCalls: [], toolCallsKnown: false })
    expect(results[0]?.logs).toEqual([
      'the agent reports calls of orders.find, and viva has seen calls of lookUp: these may be the same calls under other names, so that the calls of this turn are unknown',
    ])
  })
})

it('a tool that fails without the agent having a part in it does not count against an agent that rethrows', async () => {
  const agent = {
    async execute(_: string, { tools: wrap }: AgentContext) {
      const { lookUp } = wrap({ lookUp: find })
      return await lookUp('A1').catch(() => {
        throw new Error('something went wrong')
      })
    },
  }
  const stubs = { lookUp: { when: { id: 'none' }, result: 1 } }
  const { results } = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x', stubs }])
  expect(results[0]).toMatchObject({
    fault: 'infrastructure',
    error: expect.stringContaining('no stub of lookUp matches'),
  })
})

it('what an agent reports with context.usage is added to its usage', async () => {
  const agent = {
    async execute(_: string, { usage: report }: AgentContext) {
      report({ model: 'gpt-5', inputTokens: 1000, outputTokens: 10 })
      return 'done'
    },
  }
  const { results } = await createEvalSuite({ agent }).run([
    { id: 'a', input: 'x', assert: { type: 'cost', max: 1 } },
  ])
  expect(results[0]).toMatchObject({ passed: true, usage: { agent: { inputTokens: 1000 } } })
})
