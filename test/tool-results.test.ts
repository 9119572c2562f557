import { describe, expect, it } from 'vitest'
import { installViva, play, project } from './support/viva.ts'

const agents = `
import { Readable } from 'node:stream'
import { ToolLoopAgent, tool, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import type { ModuleContext } from 'vivavoce'

const lookUp = async () => new Map([['A1', 'shipped']])
export const maps = async (_: string, ctx: ModuleContext) => {
  const orders = await ctx.tools({ lookUp }).lookUp()
  return 'A1 is ' + orders.get('A1')
}

const read = (_: object) => Readable.from(['one', 'two'])
export const streams = async (_: string, ctx: ModuleContext) => {
  const lines: Readable = await ctx.tools({ read }).read({})
  return (await lines.toArray()).join(' and ')
}

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finish = (unified: string) => ({ unified, raw: unified })
const model = new MockLanguageModelV3({
  async doGenerate({ prompt }: any) {
    const content = prompt.at(-1).role === 'tool'
      ? [{ type: 'text', text: 'done' }]
      : [{ type: 'tool-call', toolCallId: 'c1', toolName: 'price', input: '{}' }]
    return { content, finishReason: finish(content[0].type === 'text' ? 'stop' : 'tool-calls'), usage, warnings: [] }
  },
} as any)
const price = tool({
  inputSchema: z.object({}),
  execute: async () => ({ price: Number.NaN, by: new Map([['cash', 3]]) }),
  toModelOutput: () => ({ type: 'text', value: 'fine' }),
})
export default new ToolLoopAgent({ model, tools: { price }, stopWhen: stepCountIs(3) } as any)
`

function folder(): string {
  const cwd = project({ 'agent.ts': agents })
  installViva(cwd, 'ai', 'zod')
  return cwd
}

describe('a result of a tool that is no JSON', () => {
  it('reaches the agent as it is, and is unknown to checks', async () => {
    const known = { type: 'tool_result', name: 'lookUp', value: null }
    const cases = [{ id: 'a', input: 'x', assert: [{ type: 'equals', value: 'A1 is shipped' }, known] }]
    const { lines } = await play(folder(), cases, ['-n', './agent.ts#maps'])
    const reason = 'tool lookUp was called, but the agent does not show its result'
    expect(lines[0]).toMatchObject({
      assertions: [{ status: 'passed' }, { type: 'tool_result', status: 'unknown', reason }],
      logs: ['the result of lookUp is a Map: viva can show, record and stub only JSON data'],
    })
  })

  it('cannot be replayed to an agent that is live', async () => {
    const cwd = folder()
    const flags = ['-n', './agent.ts#maps']
    const cases = [{ id: 'a', input: 'x', expected: 'A1 is shipped' }]
    expect((await play(cwd, cases, [...flags, '--record', 'calls.jsonl'])).exitCode).toBe(0)
    expect((await play(cwd, cases, [...flags, '--replay', 'calls.jsonl'])).exitCode).toBe(0)
    const live = await play(cwd, cases, [...flags, '--replay', 'calls.jsonl', '--live', 'agent'])
    expect(live.lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'not_recorded' }])
    expect(live.lines[0]?.error).toContain('the result of lookUp is a Map')
  })

  it('of a plain function is not read to its end', async () => {
    const { lines } = await play(
      folder(),
      [{ id: 'a', input: 'x', expected: 'one and two' }],
      ['-n', './agent.ts#streams'],
    )
    expect(lines).toMatchObject([{ status: 'passed', output: 'one and two' }])
  })

  it('is shown in words of viva for an agent of the AI SDK, which is not blamed for it', async () => {
    const { lines } = await play(folder(), [{ id: 'a', input: 'x', expected: 'done' }], ['-n', './agent.ts'])
    const result = { price: 'NaN', by: [['cash', 3]] }
    expect(lines).toMatchObject([{ status: 'passed', tool_calls: [{ name: 'price', result }] }])
  })
})
