import { describe, expect, it } from 'vitest'
import { createEvalSuite } from '../src/index.ts'
import { agentReply } from '../src/suite/agent.ts'
import { startHttpFormatAgents } from './support/http-format-agents.ts'
import { installViva, type Line, play, project } from './support/viva.ts'

const agents = `
import { ToolLoopAgent, tool, generateText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import type { ModuleContext } from 'vivavoce'

function model(modelId: string, answer: (asked: string) => object = () => ({ type: 'text', text: 'done' })) {
  return new MockLanguageModelV3({
    modelId,
    async doGenerate({ prompt }) {
      const usage = { inputTokens: { total: 1_000_000, noCache: 1_000_000, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 0, text: 0, reasoning: 0 } }
      const content = [answer(prompt.at(-1)!.role)] as never
      return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }
    },
  })
}
const calling = model('large', (role) =>
  role === 'user' ? { type: 'tool-call', toolCallId: '1', toolName: 'look', input: '{}' } : { type: 'text', text: 'done' })
const look = tool({ inputSchema: z.object({}), execute: async () => 'found' })

export const sdkAgent = new ToolLoopAgent({ model: calling, tools: { look } })
/** Its second step is of another model. */
export const mixed = new ToolLoopAgent({ model: calling, tools: { look }, prepareStep: ({ stepNumber }) => (stepNumber === 1 ? { model: model('small') } : {}) })
export const sdkModel = model('small')

export async function delegates(input: string, ctx: ModuleContext) {
  const { ask } = ctx.tools({
    async ask({ question }: { question: string }) {
      const { text, totalUsage, response } = await generateText({ model: model('small'), prompt: question })
      ctx.usage({ model: response.modelId, ...totalUsage })
      return text
    },
  })
  const { text, totalUsage } = await generateText({ model: model('large'), prompt: await ask({ question: input }) })
  ctx.usage({ model: 'large', ...totalUsage })
  return text
}
export const returns = () => ({ content: 'done', usage: { model: 'small', input_tokens: 1_000_000, output_tokens: 0 } })
export const knows = () => ({ content: 'done', usage: { cost: 3, input_tokens: 1, output_tokens: 1 } })
export const counts = () => ({ content: 'done', usage: { prompt_tokens: 1_000_000, completion_tokens: 0 } })
export const silent = () => 'done'
export const strange = (_: string, ctx: ModuleContext) => ctx.usage('a lot' as never)
`

const python = `
import json, sys
for line in sys.stdin:
    print(json.dumps({"content": "done", "usage": {"model": "small", "input_tokens": 1000000, "output_tokens": 0}}))
`

const config = {
  prices: {
    large: { input: 4, output: 0 },
    small: { input: 1, output: 0 },
    counter: { input: 2, output: 0 },
  },
  agents: { counter: './agents.ts#counts', python: 'exec:python3 agent.py' },
}

function folder(): string {
  const cwd = project({ 'agents.ts': agents, 'agent.py': python, 'viva.config.json': JSON.stringify(config) })
  installViva(cwd, 'ai', 'zod')
  return cwd
}

/** The cost of one reply, or why it is unknown. */
async function askForCost(agent: string, cwd = folder()): Promise<unknown> {
  const cases = [{ id: 'a', input: 'hi', assert: { type: 'cost', max: 100 } }]
  const { lines } = await play(cwd, cases, ['-n', agent])
  const [{ assertions, error }] = lines as [Line & { assertions?: Line[] }]
  const check = assertions?.[0]
  return check === undefined ? error : (check.actual ?? check.reason)
}

describe('the cost of an agent that calls its models itself', () => {
  it.each([
    ['of an AI SDK agent with two steps', './agents.ts#sdkAgent', 8],
    ['of an AI SDK agent whose steps have different models', './agents.ts#mixed', 5],
    ['of an AI SDK model', './agents.ts#sdkModel', 1],
    ['of a function and a tool that report it with ctx.usage', './agents.ts#delegates', 5],
    ['of a function that returns its usage', './agents.ts#returns', 1],
    ['that the agent knows itself', './agents.ts#knows', 3],
    ['by the price of the agent', 'counter', 2],
    ['of a command', 'python', 1],
  ])('is that %s', async (_, agent, cost) => {
    expect(await askForCost(agent)).toBe(cost)
  })

  it('passes and fails a check, and is in the usage of the result', async () => {
    const cases = [4, 5].map((max) => ({ id: `${max}`, input: 'hi', assert: { type: 'cost', max } }))
    const { lines } = await play(folder(), cases, ['-n', './agents.ts#delegates'])
    expect(lines.map(({ status }) => status)).toEqual(['failed', 'passed'])
    expect(lines[0]?.error).toContain('the reply cost $5.00, expected at most $4.00')
    expect(lines[1]?.usage).toMatchObject({ agent: { input_tokens: 2_000_000, cost: 5 } })
  })

  it('is unknown without tokens or price, and says how to make it known', async () => {
    expect(await askForCost('./agents.ts#silent')).toBe(
      "the cost of the reply is unknown: it has no token counts. To make them visible, report them: ctx.usage({ model: 'NAME', ...result.usage })",
    )
    expect(await askForCost('./agents.ts#counts')).toContain(
      'Add "agents.ts#counts" to "prices" in the config',
    )
    expect(await askForCost('./agents.ts#strange')).toContain(
      "ctx.usage needs the usage of a model: ctx.usage({ model: 'gpt-5', ...result.usage })",
    )
  })

  it('is that of HTTP agents, by the model that the format or the mapping names', async () => {
    const { agents, url, close } = await startHttpFormatAgents()
    const mapped = {
      url: `${url}/v1/chat/completions`,
      request: { messages: [{ role: 'user', content: '{{input}}' }] },
      stream: 'sse',
      event: { delta: '$.choices[0].delta.content', end: '[DONE]' },
      response: {
        usage: { input_tokens: '$.usage.prompt_tokens', output_tokens: '$.usage.completion_tokens' },
      },
    }
    const prices = Object.fromEntries(
      [...Object.keys(agents), 'mapped'].map((name) => [name, { input: 1_000_000, output: 0 }]),
    )
    const cwd = project({ 'viva.config.json': JSON.stringify({ agents: { ...agents, mapped }, prices }) })
    try {
      for (const name of [...Object.keys(agents), 'mapped'])
        expect([name, await askForCost(name, cwd)]).toEqual([name, expect.any(Number)])
    } finally {
      await close()
    }
  })

  it('is that of an agent of a suite whose model has a list price', async () => {
    const usage = { model: 'gpt-4o', inputTokens: 1_000_000, outputTokens: 0 }
    const agent = { execute: () => agentReply({ at: new Date(0) }, { usage }) }
    const assert = { type: 'cost' as const, max: 2 }
    const { results } = await createEvalSuite({ agent }).run([{ input: 'hi', assert }])
    const [result] = results
    expect(result).toMatchObject({ passed: false, usage: { agent: { cost: 2.5 } } })
    expect(result?.kind === 'single-turn' && result.output?.at).toEqual(new Date(0))
  })
})
