import { setTimeout as pause } from 'node:timers/promises'
import { jsonSchema, ToolLoopAgent } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import type { SdkAgent } from './ai-sdk-shape.ts'
import { generate } from './generate.ts'
import type { ToolCaller } from './wrap-tools.ts'

const model = new MockLanguageModelV3({
  doGenerate: async () => {
    await pause(5)
    return {
      content: [{ type: 'text', text: 'done' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }
  },
})

const lookUp = { inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'found' }
const createSettings = () => ({
  model,
  prepareCall: (call: object) => ({ ...call, tools: { lookUp } }) as never,
})

class CountingAgent extends ToolLoopAgent {
  #calls = 0
  override generate(options: Parameters<ToolLoopAgent['generate']>[0]) {
    this.#calls += 1
    return super.generate(options)
  }
}

/** Asks the agent, and returns the names of the tools that it has offered. */
async function offeredBy(agent: unknown): Promise<unknown> {
  const offered: unknown[] = []
  const caller: ToolCaller = {
    hasEnded: () => false,
    report: (event) => void ('names' in event && offered.push(event.names)),
    print: () => {},
    askForTool: () => Promise.reject(new Error('no tool is called here')),
    beginTools: async () => {},
  }
  await generate(agent as SdkAgent, { prompt: 'hello' }, caller)
  return offered
}

describe('an agent that prepares its calls', () => {
  it.each([
    ['an agent', (settings: object) => new ToolLoopAgent(settings as never)],
    ['one with frozen settings', (settings: object) => new ToolLoopAgent(Object.freeze(settings) as never)],
    ['a frozen agent', (settings: object) => Object.freeze(new ToolLoopAgent(settings as never))],
    ['one with private fields', (settings: object) => new CountingAgent(Object.freeze(settings) as never)],
  ])('has its tools wrapped and keeps its settings: %s', async (_, create) => {
    const settings = createSettings()
    const before = { ...settings }
    const agent = create(settings)
    const offered = await Promise.all([offeredBy(agent), pause(2).then(() => offeredBy(agent))])
    expect(offered).toEqual([[['lookUp']], [['lookUp']]])
    expect(settings).toEqual(before)
    expect(agent).toHaveProperty('settings', settings)
    expect((agent as unknown as { settings: unknown }).settings).toBe(settings)
  })

  it('keeps settings that it was given meanwhile', async () => {
    const agent = new ToolLoopAgent(createSettings() as never) as unknown as SdkAgent
    const others = createSettings()
    const asked = offeredBy(agent)
    agent.settings = others
    await asked
    expect(agent.settings).toBe(others)
  })
})
