import { describe, expect, it } from 'vitest'
import type { AnyScriptRequest, CallbackRef } from '../../protocol/ask.ts'
import { createAgentCalls, createModelCalls, createToolCalls } from './calling.ts'

/** A bridge that records requests, calls back with chunks, and answers. */
function bridge(answer: unknown = ['first', 'second'], chunks: unknown[][] = []) {
  const asked: AnyScriptRequest[] = []
  const functions: ((...args: unknown[]) => unknown)[] = []
  const results: unknown[] = []
  return {
    asked,
    functions,
    /** What the callbacks returned to the bridge. */
    results,
    ask(ask: AnyScriptRequest) {
      asked.push(ask)
      const { onChunk } = ask as { onChunk?: CallbackRef }
      if (onChunk !== undefined) for (const chunk of chunks) results.push(functions[onChunk.fn]?.(...chunk))
      return answer
    },
    refer(fn: (...args: unknown[]) => unknown) {
      functions.push(fn)
      return { fn: functions.length - 1 }
    },
  }
}

const kinds = [
  ['ctx.agent', createAgentCalls, 'agents', 'agent'],
  ['ctx.llm', createModelCalls, 'models', 'connector'],
] as const

describe.each(kinds)('%s', (_, create, kind, whom) => {
  /** The method for a single call, whatever its name. */
  const single = (calls: ReturnType<typeof create>) => ('Call' in calls ? calls.Call : calls.Stream)

  it('makes one call and returns its answer', () => {
    const asking = bridge()
    expect(single(create(asking))('echo', 'hi')).toBe('first')
    expect(asking.asked).toEqual([
      { kind, until: 'all', requests: [{ [whom]: 'echo', messages: 'hi', options: {} }] },
    ])
  })

  it('passes options on, without the callback', () => {
    const asking = bridge()
    const options = { temperature: 1, metadata: { a: 1 }, onChunk: () => {} }
    single(create(asking))('echo', [{ role: 'user', content: 'hi' }], options)
    expect(asking.asked).toEqual([
      {
        kind,
        until: 'all',
        requests: [
          {
            [whom]: 'echo',
            messages: [{ role: 'user', content: 'hi' }],
            options: { temperature: 1, metadata: { a: 1 } },
          },
        ],
        onChunk: { fn: 0 },
      },
    ])
    expect(Object.keys(options)).toContain('onChunk')
  })

  it('calls onChunk with only the message for a single call', () => {
    const seen: unknown[][] = []
    const asking = bridge([], [['echo', 0, { type: 'text' }]])
    single(create(asking))('echo', 'hi', { onChunk: (...args: unknown[]) => seen.push(args) })
    expect(seen).toEqual([[{ type: 'text' }]])
  })

  it.each([
    ['All', 'all'],
    ['Any', 'any'],
    ['Race', 'race'],
  ] as const)('%s makes several calls, and tells one callback whose message it is', (name, until) => {
    const seen: unknown[][] = []
    const asking = bridge(
      ['a', 'b'],
      [
        ['one', 0, 'x'],
        ['two', 1, 'y'],
      ],
    )
    const requests = [
      { agent: '', connector: '', [whom]: 'one', messages: 'a' },
      { agent: '', connector: '', [whom]: 'two', messages: 'b', options: { seed: 1 } },
    ]
    const answers = create(asking)[name](requests, { onChunk: (...args: unknown[]) => seen.push(args) })
    expect(answers).toEqual(['a', 'b'])
    expect(asking.asked[0]).toMatchObject({
      kind,
      until,
      requests: [{ [whom]: 'one' }, { [whom]: 'two', options: { seed: 1 } }],
    })
    expect(seen).toEqual([
      ['one', 0, 'x'],
      ['two', 1, 'y'],
    ])
  })

  it('calls each request’s own callback with its own message', () => {
    const seen: unknown[] = []
    const asking = bridge(
      [],
      [
        ['one', 0, 'x'],
        ['two', 1, 'y'],
        ['three', 2, 'z'],
      ],
    )
    create(asking).All([
      {
        agent: 'one',
        connector: 'one',
        messages: 'a',
        options: { onChunk: (message: unknown) => seen.push(message) },
      },
      { agent: 'two', connector: 'two', messages: 'b' },
      {
        agent: 'three',
        connector: 'three',
        messages: 'c',
        options: { onChunk: (message: unknown) => seen.push(message) },
      },
    ])
    expect(seen).toEqual(['x', 'z'])
    expect(asking.functions).toHaveLength(1)
  })

  it('ignores what onChunk returns, unless it is a promise, which nobody would await', () => {
    const asking = bridge([], [['one', 0, 'x']])
    const call = single(create(asking))
    const promise = Promise.resolve()
    for (const result of [1, false, new Map(), () => 1, promise])
      call('echo', 'hi', { onChunk: () => result })
    expect(asking.results).toEqual([undefined, undefined, undefined, undefined, promise])
  })

  it('does not treat other values as a callback', () => {
    const asking = bridge()
    single(create(asking))('echo', 'hi', { onChunk: 'print' })
    expect(asking.asked[0]).not.toHaveProperty('onChunk')
    expect(asking.asked[0]).toMatchObject({ requests: [{ options: {} }] })
  })

  it('throws what onChunk throws', () => {
    const asking = bridge([], [['one', 0, 'x']])
    const onChunk = () => {
      throw new Error('enough')
    }
    expect(() => single(create(asking))('echo', 'hi', { onChunk })).toThrow('enough')
  })
})

describe('ctx.mcp', () => {
  it('calls the tools of one server in order or together', () => {
    const asking = bridge()
    const tools = createToolCalls(asking)
    expect(tools.CallTool('sums', 'add', { a: 1 })).toBe('first')
    expect(tools.CallTool('sums', 'list')).toBe('first')
    expect(tools.CallTools('sums', [{ name: 'add', arguments: { a: 1 } }, { name: 'list' }])).toEqual([
      'first',
      'second',
    ])
    tools.CallToolsParallel('sums', [{ name: 'list' }])
    const add = { server: 'sums', tool: 'add', arguments: { a: 1 } }
    const list = { server: 'sums', tool: 'list', arguments: {} }
    expect(asking.asked).toEqual([
      { kind: 'call_tools', until: 'in_order', calls: [add] },
      { kind: 'call_tools', until: 'in_order', calls: [list] },
      { kind: 'call_tools', until: 'in_order', calls: [add, list] },
      { kind: 'call_tools', until: 'together', calls: [list] },
    ])
  })

  it('calls several servers', () => {
    const asking = bridge()
    const { All, Any, Race } = createToolCalls(asking)
    for (const several of [All, Any, Race]) several([{ mcp: 'sums', tool: 'add' }])
    expect(asking.asked.map((ask) => 'until' in ask && ask.until)).toEqual(['all', 'any', 'race'])
    expect(asking.asked[0]).toMatchObject({ calls: [{ server: 'sums', tool: 'add', arguments: {} }] })
  })

  it('reads what else a server offers', () => {
    const asking = bridge({ tools: [] })
    const mcp = createToolCalls(asking)
    expect(mcp.ListTools('sums', '')).toEqual({ tools: [] })
    mcp.ListResources('sums', '')
    mcp.ReadResource('sums', 'sums://one')
    mcp.ListPrompts('sums')
    mcp.GetPrompt('sums', 'greet')
    mcp.GetPrompt('sums', 'greet', { name: 'Ann' })
    mcp.ListSamples('sums', 'tool', 'add')
    mcp.GetSample('sums', 'resource', 'one', 1)
    const [tools, ...others] = asking.asked
    expect(tools).toEqual({ kind: 'list_tools', server: 'sums' })
    expect(others).toEqual(
      [
        { what: 'resources' },
        { what: 'resource', uri: 'sums://one' },
        { what: 'prompts' },
        { what: 'prompt', name: 'greet', arguments: {} },
        { what: 'prompt', name: 'greet', arguments: { name: 'Ann' } },
        { what: 'samples', of: 'tool', name: 'add' },
        { what: 'sample', of: 'resource', name: 'one', index: 1 },
      ].map((wanted) => ({ kind: 'read_mcp', server: 'sums', wanted })),
    )
  })
})
