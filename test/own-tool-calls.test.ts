import { describe, expect, it } from 'vitest'
import { installViva, play as playIn, project } from './support/viva.ts'

const agents = `
import { ToolLoopAgent, tool, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import type { ModuleContext } from 'vivavoce'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finish = (unified: string) => ({ unified, raw: unified })
/** Calls the tool that the user names, and repeats what it hears. */
const model = new MockLanguageModelV3({
  async doGenerate({ prompt }: any) {
    const last = prompt.at(-1)
    if (last.role === 'tool')
      return { content: [{ type: 'text', text: 'I hear: ' + JSON.stringify(last.content[0].output.value) }], finishReason: finish('stop'), usage, warnings: [] }
    const [toolName, input] = last.content[0].text.split(' ')
    if (toolName === 'search') {
      const call = { toolCallId: 'p1', toolName: 'web_search', providerExecuted: true, dynamic: true }
      return { content: [{ ...call, type: 'tool-call', input: '{}' }, { ...call, type: 'tool-result', result: ['a'] }, { type: 'text', text: 'Found.' }], finishReason: finish('stop'), usage, warnings: [] }
    }
    return { content: [{ type: 'tool-call', toolCallId: 'c1', toolName, input }], finishReason: finish('tool-calls'), usage, warnings: [] }
  },
} as any)

const refund = async ({ id }: { id: string }) => {
  if (id === 'X0') throw new Error('the bank is closed')
  return { id, refunded: true }
}
const inputSchema = z.object({ id: z.string() })
const tools = {
  refund: tool({ inputSchema, execute: refund }),
  askUser: tool({ inputSchema }),
  wipe: tool({ inputSchema, needsApproval: true, execute: async () => 'wiped' }),
}
const loop = new ToolLoopAgent({ model, tools, stopWhen: stepCountIs(3) } as any)
export default loop
/** Ignores the tools that it is given. */
export const deaf = { version: 'agent-v1', tools, generate: ({ messages }: any) => loop.generate({ messages }) }

const report = (more: object) => ({ content: 'done', tool_calls: [{ name: 'refund', arguments: { id: 'A1' }, ...more }] })
export const silent = async (_: string, ctx: ModuleContext) => {
  ctx.tools({ refund })
  await refund({ id: 'A1' })
  return report({})
}
export const failing = async (_: string, ctx: ModuleContext) => {
  ctx.tools({ refund })
  return report({ error: await refund({ id: 'X0' }).catch((error) => error.message) })
}
export const twice = async (_: string, ctx: ModuleContext) => {
  const wrapped = ctx.tools({ refund })
  const { tool_calls } = report({ result: await wrapped.refund({ id: 'A1' }) })
  await refund({ id: 'A1' })
  return { content: 'done', tool_calls: [...tool_calls, ...tool_calls] }
}
/** The model first calls it with arguments that the framework refuses. */
export const corrected = async (_: string, ctx: ModuleContext) => {
  const wrapped = ctx.tools({ refund })
  const { tool_calls } = report({ result: await wrapped.refund({ id: 'A1' }) })
  return { content: 'done', tool_calls: [{ name: 'refund', arguments: { id: 7 }, error: 'invalid' }, ...tool_calls] }
}
export const renaming = async (_: string, ctx: ModuleContext) => {
  const result = await ctx.tools({ refund }).refund({ id: 'A1' })
  return { content: 'done', tool_calls: [{ name: 'bank.pay_back', arguments: { id: 'A1' }, result }] }
}
export const concealing = async (_: string, ctx: ModuleContext) => {
  const wrapped = ctx.tools({ refund })
  await wrapped.refund({ id: 'A1' })
  return { content: 'done', tool_calls: [] }
}
`

async function play(name: string, cases: readonly object[], ...flags: string[]) {
  const cwd = project({ 'agent.ts': agents })
  installViva(cwd, 'ai', 'zod')
  return playIn(cwd, cases, ['-n', `./agent.ts#${name}`, ...flags])
}

const stubbed = { stubs: { refund: { result: 'stub' } } }

describe('a tool that the agent has called without viva', () => {
  it.each([
    ['deaf', 'refund {"id":"A1"}'],
    ['deaf', 'refund {"id":"X0"}'],
    ['silent', 'x'],
    ['failing', 'x'],
    ['twice', 'x'],
  ])('is an error where it is stubbed: %s %s', async (name, input) => {
    const { lines, exitCode } = await play(name, [{ id: 'a', input, ...stubbed }])
    expect(lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'stub' }])
    expect(lines[0]?.error).toContain(
      `agent.ts#${name} called refund itself, so that it could not be stubbed`,
    )
    expect(exitCode).toBe(3)
  })

  it.each(['deaf', 'silent'])('is an error with --stub-all: %s', async (name) => {
    const { lines } = await play(name, [{ id: 'a', input: 'refund {"id":"X0"}' }], '--stub-all')
    expect(lines[0]?.error).toContain('called refund itself')
  })

  it('is none where a call that failed is reported beside one that viva has answered', async () => {
    const { lines } = await play('corrected', [{ id: 'a', input: 'x', ...stubbed }])
    expect(lines).toMatchObject([
      { status: 'passed', tool_calls: [{ error: 'invalid' }, { result: 'stub', stubbed: true }] },
    ])
  })

  it('is none where the AI SDK has not executed it', async () => {
    const cases = [
      { id: 'invalid', input: 'refund {"id":7}', ...stubbed },
      { id: 'of-the-client', input: 'askUser {"id":"A1"}' },
      { id: 'to-be-approved', input: 'wipe {"id":"A1"}' },
    ]
    const { lines, exitCode, output } = await play('default', cases, '--stub-all')
    expect(
      lines.map(({ id, status }) => [id, status]),
      output,
    ).toEqual(cases.map(({ id }) => [id, 'passed']))
    expect(exitCode).toBe(0)
  })
})

it('a call that is reported under another name is listed once', async () => {
  const order = { type: 'tool_order', value: ['bank.pay_back'] }
  const { lines, output } = await play('renaming', [{ id: 'a', input: 'x', assert: order }])
  expect(lines, output).toMatchObject([{ status: 'passed', tool_calls: [{ name: 'bank.pay_back' }] }])
  expect(lines[0]?.tool_calls).toHaveLength(1)
})

it('a call that viva has seen counts although the agent reports a list without it', async () => {
  const notCalled = { type: 'tool_not_called', name: 'refund' }
  const { lines } = await play('concealing', [{ id: 'a', input: 'x', assert: notCalled }])
  expect(lines).toMatchObject([
    { status: 'failed', fault: 'agent', tool_calls: [{ name: 'refund', result: { refunded: true } }] },
  ])
})

describe('a tool that the provider of an AI SDK model runs', () => {
  it('is refused with --stub-all, and cannot be stubbed', async () => {
    const cases = [
      { id: 'search', input: 'search', assert: { type: 'contains', value: 'Found.' } },
      { id: 'refund', input: 'refund {"id":"A1"}', ...stubbed, assert: { type: 'contains', value: 'stub' } },
    ]
    const { lines, output } = await play('default', cases, '--stub-all')
    expect(lines[0], output).toMatchObject({ status: 'failed', fault: 'infrastructure', error_kind: 'stub' })
    expect(lines[0]?.error).toContain(
      'the provider of the model ran web_search itself, so that it could not be stubbed: turn the tool off',
    )
    expect(lines[1]).toMatchObject({ status: 'passed' })
  })

  it('is among the calls where nothing is stubbed', async () => {
    const assert = { type: 'tool_called', name: 'web_search' }
    const { lines, output } = await play('default', [{ id: 'search', input: 'search', assert }])
    expect(lines[0], output).toMatchObject({ status: 'passed', tool_calls: [{ name: 'web_search' }] })
  })
})
