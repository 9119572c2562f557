import { describe, expect, it } from 'vitest'
import { installViva, type Line, play as playIn, project, viva } from './support/viva.ts'

/** A model that looks up the order that the user names, and repeats what the tool says. */
const model = `
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finish = (unified) => ({ unified, raw: unified })
function answer(prompt) {
  const last = prompt.at(-1)
  if (last.role === 'tool') return { text: 'I hear: ' + last.content.map(({ output }) => JSON.stringify(output.value)).join() }
  const text = last.content[0].text
  const ids = [...text.matchAll(/[A-Z]\\d+/g)].map(([id]) => id)
  return ids.length === 0 ? { text: 'Which order?' } : { calls: ids.map((id, n) => ({ type: 'tool-call', toolCallId: 'c' + n, toolName: 'lookUp', input: JSON.stringify({ id }) })) }
}
export const model = new MockLanguageModelV3({
  async doGenerate({ prompt }) {
    const { text, calls } = answer(prompt)
    return { content: calls ?? [{ type: 'text', text }], finishReason: finish(calls ? 'tool-calls' : 'stop'), usage, warnings: [] }
  },
  async doStream({ prompt }) {
    const { text, calls } = answer(prompt)
    const said = calls ?? [{ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: text }, { type: 'text-end', id: '1' }]
    const chunks = [{ type: 'stream-start', warnings: [] }, ...said, { type: 'finish', finishReason: finish(calls ? 'tool-calls' : 'stop'), usage }]
    return { stream: simulateReadableStream({ chunks }) }
  },
})
`

const agent = `
import { generateText, stepCountIs, streamText, ToolLoopAgent, tool } from 'ai'
import { z } from 'zod'
import type { ModuleContext } from 'vivavoce'
import { model } from './model.mjs'

const orders: Record<string, { status: string }> = {}
async function find(id: string) {
  if (id === 'X0') throw new Error('the archive burns')
  return { id, status: orders[id]?.status ?? 'shipped' }
}
const schema = { description: 'Finds an order', inputSchema: z.object({ id: z.string() }) }
const tools = {
  lookUp: tool({ ...schema, execute: ({ id }) => find(id) }),
  cancel: tool({ ...schema, execute: async ({ id }) => (orders[id] = { status: 'cancelled' }) }),
  /** Without execute: the user's side answers. */
  askUser: tool({ inputSchema: z.object({ question: z.string() }) }),
}

export default new ToolLoopAgent({ model, tools, maxRetries: 0 })

class CountingAgent extends ToolLoopAgent<never, typeof tools> {
  #calls = 0
  override generate(options: Parameters<ToolLoopAgent<never, typeof tools>['generate']>[0]) {
    this.#calls += 1
    return super.generate(options)
  }
}
export const subclass = new CountingAgent({ model, tools })

export const prepared = new ToolLoopAgent({ model, prepareCall: (call) => ({ ...call, tools }) })

export const generates = async (prompt: string, ctx: ModuleContext) => {
  const { text } = await generateText({ model, prompt, tools: ctx.tools(tools), stopWhen: stepCountIs(3) })
  return text
}

export const streams = async (prompt: string, ctx: ModuleContext) => {
  const { text } = streamText({ model, prompt, tools: ctx.tools(tools), stopWhen: stepCountIs(3) })
  return await text
}

const progress = {
  lookUp: tool({ ...schema, async *execute({ id }) { yield 'searching'; yield await find(id) } }),
}
export const generator = new ToolLoopAgent({ model, tools: progress })

export async function functions(input: string, ctx: ModuleContext) {
  const { lookUp } = ctx.tools({ lookUp: async ({ id }: { id: string }) => find(id) })
  const [id] = /[A-Z]\\d+/.exec(input) ?? []
  if (id === undefined) return 'Which order?'
  try {
    return 'I hear: ' + JSON.stringify(await lookUp({ id }))
  } catch (error) {
    return 'I hear: ' + JSON.stringify((error as Error).message)
  }
}

export const rethrows = async (_: string, ctx: ModuleContext) => {
  const { lookUp } = ctx.tools({ lookUp: async ({ id }: { id: string }) => find(id) })
  return await lookUp({ id: 'A1' }).catch(() => {
    throw new Error('something went wrong')
  })
}

const carts = new Map<string, string[]>()
export const keeps = (input: string, { sessionId }: ModuleContext) => {
  carts.set(sessionId, [...(carts.get(sessionId) ?? []), input])
  return 'Noted.'
}
export const cartOf = ({ from = 0 }: { from?: number }, { sessionId }: { sessionId: string }) => ({
  items: carts.get(sessionId)?.slice(from),
})
export const noFunction = 7

export const ignores = {
  version: 'agent-v1',
  tools,
  generate: ({ messages }: { messages: [] }) => new ToolLoopAgent({ model, tools }).generate({ messages }),
}

export const forgetful = (input: string, ctx: ModuleContext) => (ctx.turn === 0 ? '' : 'I hear: "shipped" ' + input)
`

const exports = ['default', 'subclass', 'prepared', 'generates', 'streams', 'generator', 'functions']

function folder(): string {
  const cwd = project({ 'agent.ts': agent, 'model.mjs': model })
  installViva(cwd, 'ai', 'zod')
  return cwd
}

const play = (name: string, cases: readonly unknown[], ...flags: string[]) =>
  playIn(folder(), cases, ['-n', `./agent.ts#${name}`, ...flags])

const outputs = (lines: readonly Line[]) =>
  lines.map(({ output, turns }) => output ?? (turns as Line[]).at(-1)?.output)

describe('tools of module agents', () => {
  it.each(exports)('are stubbed by result, error, delay, sequence and arguments: %s', async (name) => {
    const { lines, stdout } = await play(
      name,
      [
        { id: 'own', input: 'A1?' },
        { id: 'fails', input: 'X0?' },
        { id: 'result', input: 'A1?', stubs: { lookUp: { result: 'lost' } } },
        { id: 'error', input: 'A1?', stubs: { lookUp: { error: 'closed' } } },
        { id: 'delay', input: 'A1?', stubs: { lookUp: { result: 'slow', delay: '20ms' } } },
        {
          id: 'sequence',
          turns: [{ input: 'A1?' }, { input: 'A1?' }],
          stubs: { lookUp: { sequence: [{ result: 'one' }, { result: 'two' }] } },
        },
        {
          id: 'arguments',
          input: 'B2?',
          stubs: {
            lookUp: [
              { when: { id: 'A1' }, result: 'first' },
              { when: { id: 'B2' }, result: 'second' },
            ],
          },
        },
        { id: 'none', input: 'hello', assert: { type: 'tool_not_called', name: 'lookUp' } },
      ],
      '-v',
    )
    expect(outputs(lines)).toEqual([
      'I hear: {"id":"A1","status":"shipped"}',
      'I hear: "the archive burns"',
      'I hear: "lost"',
      'I hear: "closed"',
      'I hear: "slow"',
      'I hear: "two"',
      'I hear: "second"',
      'Which order?',
    ])
    expect(lines[0]?.tool_calls).toMatchObject([{ name: 'lookUp', args: { id: 'A1' } }])
    expect(lines[2]?.tool_calls).toMatchObject([{ name: 'lookUp', result: 'lost', stubbed: true }])
    expect(lines[7]).toMatchObject({ status: 'passed' })
    expect(stdout).toContain('[tool: lookUp({id: "A1"}) stubbed]')
  })

  it.each(['1', '16'])(
    'of cases that run at the same time have stubs of their own: --parallel %s',
    async (parallel) => {
      const cases = Array.from({ length: 48 }, (_, n) => ({
        id: `c${n}`,
        input: `A${n}?`,
        stubs: { lookUp: { result: `answer ${n}`, delay: `${1 + (n % 7)}ms` } },
        expected: `I hear: "answer ${n}"`,
      }))
      for (const name of ['default', 'prepared', 'functions']) {
        const { lines } = await play(name, cases, '--parallel', parallel)
        expect(lines.filter(({ status }) => status !== 'passed')).toEqual([])
        expect(lines).toHaveLength(48)
      }
    },
  )

  it('that are called at the same time are seen one by one', async () => {
    const stubs = {
      lookUp: [
        { when: { id: 'A1' }, result: 1, delay: '20ms' },
        { when: { id: 'B2' }, result: 2 },
      ],
    }
    const { lines } = await play('default', [{ id: 'a', input: 'A1 and B2 and C3?', stubs }])
    expect(lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'stub' }])
    expect(lines[0]?.error).toContain('no stub of lookUp matches {"id":"C3"}')
  })

  it.each(['default', 'generates', 'functions'])(
    'are refused with --stub-all unless they are stubbed: %s',
    async (name) => {
      const { lines, exitCode } = await play(
        name,
        [
          { id: 'real', input: 'A1?', assert: { type: 'contains', value: 'I hear' } },
          { id: 'stubbed', input: 'A1?', stubs: { lookUp: { result: 1 } }, expected: 'I hear: 1' },
          { id: 'none', input: 'hello', assert: { type: 'tool_not_called', name: 'lookUp' } },
        ],
        '--stub-all',
      )
      expect(lines).toMatchObject([
        { fault: 'infrastructure', error: 'lookUp was called and is not stubbed (--stub-all)' },
        { status: 'passed' },
        { status: 'passed' },
      ])
      expect(exitCode).toBe(3)
    },
  )

  it('are recorded, and replayed while the agent is live', async () => {
    const cwd = folder()
    const cases = [{ id: 'a', input: 'A1?', assert: { type: 'contains', value: 'shipped' } }]
    const flags = ['-n', './agent.ts']
    expect(await playIn(cwd, cases, [...flags, '--record', 'calls.jsonl'])).toMatchObject({ exitCode: 0 })
    for (const live of [[], ['--live', 'agent'], ['--live', 'agent', '--live', 'tools']]) {
      const again = await playIn(cwd, cases, [...flags, '--replay', 'calls.jsonl', ...live])
      expect([again.exitCode, again.stderr]).toEqual([0, ''])
    }
    const stubbed = [{ ...cases[0], stubs: { lookUp: { result: 'lost' } } }]
    const changed = await playIn(cwd, stubbed, [...flags, '--replay', 'calls.jsonl'])
    expect(changed.lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'not_recorded' }])
    const other = [{ ...cases[0], input: 'B2?' }]
    const missing = await playIn(cwd, other, [...flags, '--replay', 'calls.jsonl', '--live', 'agent'])
    expect(missing.lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'not_recorded' }])
  })

  it('fail in an audit', async () => {
    const cwd = folder()
    await playIn(cwd, [{ id: 'blind', input: 'A1?', assert: { type: 'contains', value: 'I hear' } }])
    const { stdout } = await viva(['audit', '-i', 'cases.jsonl', '-n', './agent.ts'], { cwd })
    expect(stdout).toContain('blind (cases.jsonl:1) passes against tools-fail')
  })

  it('are asked for the state, where the agent has left it', async () => {
    const cwd = folder()
    const state = (call: object) => ({ type: 'state', call, path: 'status', value: 'shipped' })
    const { lines } = await playIn(
      cwd,
      [
        { id: 'tool', input: 'A1?', assert: state({ tool: 'lookUp', arguments: { id: 'A1' } }) },
        {
          id: 'stubbed',
          input: 'A1?',
          stubs: { lookUp: { result: 1 } },
          assert: state({ tool: 'lookUp', arguments: { id: 'A1' } }),
        },
        { id: 'wrong', input: 'A1?', assert: state({ tool: 'lookUp', arguments: { id: 1 } }) },
        { id: 'unknown', input: 'A1?', assert: state({ tool: 'lokUp' }) },
      ],
      ['-n', './agent.ts'],
    )
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed', 'failed'])
    expect(lines[2]?.error).toContain('wrong arguments for lookUp')
  })
})

describe('functions that the module of an agent exports', () => {
  const cart = (value: unknown, more: object = {}) => ({
    type: 'state',
    call: { tool: 'cartOf', ...more },
    path: 'items',
    value,
  })

  it.each(['1', '16'])('know what the agent keeps of the case: --parallel %s', async (parallel) => {
    const cases = Array.from({ length: 24 }, (_, n) => ({
      id: `c${n}`,
      turns: [{ input: `tea ${n}` }, { input: `cake ${n}` }],
      final_assertions: [
        { ...cart([]), path: '$.items[0]', value: `tea ${n}` },
        { ...cart([], { arguments: { from: 1 } }), path: '$.items[0]', value: `cake ${n}` },
      ],
    }))
    const { lines, exitCode, output } = await play('keeps', cases, '--parallel', parallel)
    expect(lines.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(exitCode, output).toBe(0)
  })

  it.each([
    ['cartOff', 'cartOff'],
    ['noFunction', 'is a number, not a function'],
  ])('%s is none', async (tool, message) => {
    const cases = [{ id: 'a', input: 'x', assert: { ...cart([]), call: { tool } } }]
    const { lines, exitCode } = await play('keeps', cases)
    expect(lines[0]?.error).toContain(message)
    expect([lines[0]?.status, exitCode]).toEqual(['failed', 3])
  })
})

describe('a stub that replaces nothing', () => {
  const misspelt = [{ id: 'a', input: 'A1?', stubs: { lokUp: { result: 1 } } }]

  it('is refused where the tools are known', async () => {
    const { exitCode, stderr } = await play('default', misspelt)
    expect(stderr).toContain('stub of "lokUp": agent.ts has no such tool (did you mean "lookUp"?)')
    expect(exitCode).toBe(2)
    const client = [{ id: 'a', input: 'A1?', stubs: { askUser: { result: 1 } } }]
    expect(await play('default', client)).toMatchObject({ exitCode: 2 })
  })

  it.each(['prepared', 'functions'])('is an error of the case where they are not: %s', async (name) => {
    const { exitCode, lines } = await play(name, misspelt)
    expect(lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'stub' }])
    expect(lines[0]?.error).toContain(
      `stub of "lokUp": agent.ts#${name} has no such tool (did you mean "lookUp"?)`,
    )
    expect(exitCode).toBe(3)
  })

  it('says how to make the tools visible', async () => {
    const { lines } = await play('forgetful', misspelt)
    expect(lines[0]?.error).toContain('viva cannot see the tools of agent.ts#forgetful')
    expect(lines[0]?.error).toContain('const tools = ctx.tools({ lookUp, createOrder })')
    const all = await play('forgetful', [{ id: 'a', input: 'A1?' }], '--stub-all')
    expect(all.lines[0]?.error).toContain('--stub-all: viva cannot see the tools')
  })

  it('is no failure of an agent that throws an error of its own', async () => {
    const stubs = { lookUp: { when: { id: 'B2' }, result: 1 } }
    const { lines } = await play('rethrows', [{ id: 'a', input: 'x', stubs }])
    expect(lines).toMatchObject([{ fault: 'infrastructure', error_kind: 'stub' }])
    expect(lines[0]?.error).toContain('no stub of lookUp matches')
  })

  it('is an error where the agent calls the tool all the same', async () => {
    const { lines } = await play('ignores', [{ id: 'a', input: 'A1?', stubs: { lookUp: { result: 1 } } }])
    expect(lines[0]?.error).toContain(
      'agent.ts#ignores called lookUp itself, so that it could not be stubbed',
    )
  })
})
