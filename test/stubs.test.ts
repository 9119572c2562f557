import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findUnreported } from './support/mistakes.ts'
import { type Line, play as playIn, project, repository } from './support/viva.ts'

const desk = {
  transport: 'stdio',
  command: process.execPath,
  arguments: [join(repository, 'test/fixtures/tools/official.mjs')],
}

/** The rules of an agent that looks up the order that the user names, and repeats what the tool says. */
const rules = [
  { when: { result: '(.+)' }, reply: 'I hear: {{1}}' },
  { when: { user: 'die' }, tool_calls: [{ name: 'desk__die', arguments: {} }] },
  {
    when: { user: 'both' },
    tool_calls: ['A1', 'A2'].map((id) => ({ name: 'desk__look_up', arguments: { id } })),
  },
  { when: { user: 'order (\\w+)' }, tool_calls: [{ name: 'desk__look_up', arguments: { id: '{{1}}' } }] },
  { reply: 'It is cancelled.' },
]

function app(files: Record<string, string> = {}): string {
  return project({
    'app.yao': '{}',
    'mcps/desk.mcp.yao': JSON.stringify(desk),
    'connectors/mind.conn.yao': JSON.stringify({ type: 'scripted', options: { rules } }),
    'assistants/desk/package.yao': '{"name": "Desk", "connector": "mind", "mcp": {"servers": ["desk"]}}',
    ...files,
  })
}

const play = (cases: readonly unknown[], flags: readonly string[] = []) =>
  playIn(app(), cases, ['-n', 'desk', ...flags])

const getTurns = (line: Line | undefined) => (line?.turns ?? []) as Line[]
const getOutputs = (line: Line | undefined) => getTurns(line).map(({ output }) => output)
const order = (id = 'A7') => ({ input: `Where is order ${id}?` })

describe('stubs', () => {
  it('a stub answers by result, error, delay, sequence, arguments or turn, and its calls are marked', async () => {
    const { exitCode, stdout, lines } = await play(
      [
        { id: 'result', turns: [order()], stubs: { look_up: { result: { status: 'lost' } } } },
        { id: 'error', turns: [order()], stubs: { desk__look_up: { error: 'the archive burns' } } },
        { id: 'delay', turns: [order()], stubs: { look_up: { result: 'slow', delay: '20ms' } } },
        {
          id: 'sequence',
          turns: [order(), order(), order()],
          stubs: { look_up: { sequence: [{ result: 'one' }, { error: 'two' }] } },
        },
        {
          id: 'arguments',
          turns: [order('A1'), order('B2'), order('C3')],
          stubs: {
            look_up: [
              { when: { id: 'A1' }, result: 'first' },
              { when: { id: { $regex: '^B' } }, result: 'second' },
              { result: 'any' },
            ],
          },
        },
        {
          id: 'turn',
          turns: [order(), { ...order(), stubs: { look_up: { result: 'of the turn' } } }, order()],
          stubs: { look_up: { result: 'of the case' } },
        },
        {
          id: 'spelling',
          turns: [
            { ...order(), stubs: { look_up: { result: 'of the turn' } } },
            { ...order(), stubs: { add: { result: 0 } } },
          ],
          stubs: { desk__look_up: { result: 'of the case' } },
        },
        { id: 'none', turns: [order()] },
      ],
      ['-v'],
    )
    expect(exitCode).toBe(0)
    const heard = Object.fromEntries(lines.map((line) => [String(line.id), getOutputs(line)]))
    expect(heard).toEqual({
      result: ['I hear: {"status":"lost"}'],
      error: ['I hear: Error: the archive burns'],
      delay: ['I hear: slow'],
      sequence: ['I hear: one', 'I hear: Error: two', 'I hear: Error: two'],
      arguments: ['I hear: first', 'I hear: second', 'I hear: any'],
      turn: ['I hear: of the case', 'I hear: of the turn', 'I hear: of the case'],
      spelling: ['I hear: of the turn', 'I hear: of the case'],
      none: ['I hear: {"id":"A7","status":"shipped"}'],
    })
    expect(getTurns(lines[0])[0]?.tool_calls).toMatchObject([
      { name: 'desk__look_up', args: { id: 'A7' }, result: { status: 'lost' }, stubbed: true },
    ])
    expect(getTurns(lines[1])[0]?.tool_calls).toMatchObject([{ error: 'the archive burns', stubbed: true }])
    expect(getTurns(lines[7])[0]?.tool_calls).not.toMatchObject([{ stubbed: true }])
    expect(stdout).toContain('[tool: desk__look_up({id: "A7"}) stubbed]')
    expect(stdout).toContain('[tool: desk__look_up({id: "A7"}) stubbed → error: the archive burns]')
    expect(stdout).toContain('[tool: desk__look_up({id: "A7"})]')
  })

  it('a stubbed tool is not called', async () => {
    const { exitCode, lines } = await play([
      { id: 'a', input: 'die', stubs: { die: { result: 'not yet' } } },
      { id: 'b', turns: [order()] },
    ])
    expect(exitCode).toBe(0)
    expect(lines[0]).toMatchObject({ output: 'I hear: not yet', tool_calls: [{ stubbed: true }] })
  })

  it('the sequence of a stub starts again in every case', async () => {
    const stubs = { look_up: { sequence: [{ result: 'one' }, { result: 'two' }] } }
    const cases = ['a', 'b', 'c'].map((id) => ({ id, turns: [order(), order()], stubs }))
    const { lines } = await play(cases, ['--parallel', '3'])
    expect(lines.map(getOutputs)).toEqual(Array(3).fill(['I hear: one', 'I hear: two']))
  })

  it('several calls in one reply take successive steps of a sequence', async () => {
    const stubs = { look_up: { sequence: [{ result: 'one' }, { result: 'two' }] } }
    const { lines } = await play([{ id: 'a', input: 'both', stubs }])
    expect(lines[0]?.tool_calls).toMatchObject([{ result: 'one' }, { result: 'two' }])
  })

  it('a call that no rule of a stub matches is an infrastructure error', async () => {
    const { exitCode, lines } = await play([
      { id: 'a', turns: [order('B2')], stubs: { look_up: [{ when: { id: 'A1' }, result: 'x' }] } },
    ])
    expect(exitCode).toBe(3)
    expect(lines[0]).toMatchObject({
      status: 'failed',
      fault: 'infrastructure',
      error_kind: 'stub',
      error: 'no stub of desk__look_up matches {"id":"B2"}: add one without "when" for all other calls',
    })
  })

  it('two stubs for the same tool, with and without its server, are refused', async () => {
    const stubs = { look_up: { result: 1 }, desk__look_up: { result: 2 } }
    const { exitCode, stderr } = await play([
      { id: 'a', turns: [order()], stubs },
      { id: 'b', turns: [{ ...order(), stubs }] },
    ])
    expect(exitCode).toBe(2)
    const words = 'stubs of "look_up" and of "desk__look_up" are for the same tool: use one name'
    for (const id of ['a', 'b']) expect(stderr).toContain(`: ${id}: ${words}`)
  })

  it('a stub that is called __proto__ is refused, also in a turn', async () => {
    const stubs = JSON.parse('{"__proto__": {"result": 1}}')
    const { exitCode, stderr } = await play([
      { id: 'a', turns: [order()], stubs },
      { id: 'b', turns: [{ ...order(), stubs }] },
    ])
    for (const id of ['a', 'b'])
      expect(stderr).toContain(`: ${id}: stubs: no tool can have the name "__proto__"`)
    expect(exitCode).toBe(2)
  })

  it('a stub for an unknown tool is refused before anything runs, also in a turn', async () => {
    const { exitCode, stdout, stderr } = await play([
      { id: 'a', turns: [order()], stubs: { look_upp: { result: 1 } } },
      { id: 'b', turns: [{ ...order(), stubs: { pay_out: { result: 1 } } }] },
      { id: 'c', turns: [order()], stubs: { look_up: { result: 1 } } },
    ])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'cases.jsonl:1: a: stub of "look_upp": desk has no such tool (did you mean "look_up"?)',
    )
    expect(stderr).toContain(
      'cases.jsonl:2: b: stub of "pay_out": desk has no such tool (it has: desk__add, ',
    )
    expect(stderr).toContain('2 errors. Nothing was run.')
    expect(stdout).toBe('')
  })
})

describe('--stub-all', () => {
  it('--stub-all refuses calls of tools that are not stubbed', async () => {
    const { exitCode, lines } = await play(
      [
        { id: 'stubbed', turns: [order()], stubs: { look_up: { result: 'x' } } },
        { id: 'real', turns: [order()] },
        { id: 'no-tool', input: 'Hello' },
      ],
      ['--stub-all'],
    )
    expect(exitCode).toBe(3)
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed'])
    expect(lines[1]).toMatchObject({
      fault: 'infrastructure',
      error_kind: 'stub',
      error: 'desk__look_up was called and is not stubbed (--stub-all)',
    })
  })

  it('a checkpoint on a tool that --stub-all refused does not say that the tool was not called', async () => {
    const assert = { type: 'tool_called', name: 'look_up' }
    const checkpoints = [{ id: 'looked', assert }]
    const { lines, stdout } = await play([{ id: 'real', turns: [order()], checkpoints }], ['--stub-all'])
    expect(lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'stub' })
    expect(stdout).toContain('desk__look_up was called and is not stubbed')
    expect(stdout).not.toMatch(/no tool was called|was not called/)
  })

  it.each(['./agent.mjs', 'exec:node agent.mjs', 'http://127.0.0.1:9/', 'configured'])(
    '--stub-all is refused for %s, which calls its own tools',
    async (name) => {
      const cwd = app({
        'agent.mjs': 'export default () => "hi"',
        'viva.config.json': '{"agents": {"configured": {"url": "http://127.0.0.1:9/x"}}}',
      })
      const { exitCode, stderr } = await playIn(
        cwd,
        [{ id: 'a', input: 'Hello' }],
        ['-n', name, '--stub-all'],
      )
      expect(exitCode).toBe(2)
      expect(stderr).toContain('--stub-all: ')
      expect(stderr).toContain('calls its tools itself, so they cannot be stubbed')
    },
  )

  it('--stub-all works for a package without tools', async () => {
    const cwd = app({
      'assistants/plain/package.yao': '{"name": "Plain", "connector": "mind"}',
      'assistants/plain/prompts.yml': '- {role: system, content: Help.}',
    })
    const { exitCode } = await playIn(cwd, [{ id: 'a', input: 'Hello' }], ['-n', 'plain', '--stub-all'])
    expect(exitCode).toBe(0)
  })

  it('--stub-all is for the tools that viva runs for a simulator, which may be stubbed', async () => {
    const cwd = app({
      'assistants/user/package.yao': '{"name": "User", "connector": "user", "mcp": {"servers": ["desk"]}}',
      'connectors/user.conn.yao': JSON.stringify({
        type: 'scripted',
        options: {
          rules: [
            { when: { result: 'shipped' }, reply: '{"input": "It is shipped", "goal_achieved": true}' },
            { tool_calls: [{ name: 'desk__look_up', arguments: { id: 'A7' } }] },
          ],
        },
      }),
      'user.mjs': `export default () => ({ output: { input: 'From a module', goal_achieved: true } })`,
    })
    const cases = ['user', './user.mjs'].map((use) => ({
      id: use,
      turns: [{ input: 'Hello' }],
      simulator: { use, ...(use === 'user' && { stubs: { look_up: { result: 'shipped' } } }) },
    }))
    const { lines } = await playIn(cwd, cases, ['-n', 'desk', '--stub-all'])
    expect(lines.map((line) => getTurns(line).map(({ input }) => input))).toEqual([
      ['Hello', 'It is shipped'],
      ['Hello', 'From a module'],
    ])
  })
})

describe('state checks', () => {
  const state = (more: object = {}) => ({
    type: 'state',
    call: { tool: 'look_up', arguments: { id: 'A7' } },
    path: '$.status',
    value: 'shipped',
    ...more,
  })

  it('a state check asks a tool, whatever the agent says', async () => {
    const { exitCode, lines, stdout } = await play([
      { id: 'passes', input: 'Hello', assert: state() },
      {
        id: 'server',
        input: 'Hello',
        assert: state({ call: { tool: 'desk__look_up', arguments: { id: 'A7' } } }),
      },
      {
        id: 'lies',
        turns: [{ input: 'Cancel it', assert: { type: 'contains', value: 'cancelled' } }],
        final_assertions: [state({ value: 'cancelled' })],
      },
      { id: 'missing', input: 'Hello', assert: state({ path: '$.price' }) },
      { id: 'checkpoint', turns: [{ input: 'Hello' }], checkpoints: [{ id: 'sent', assert: state() }] },
    ])
    expect(exitCode).toBe(1)
    expect(lines.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed', 'failed', 'passed'])
    expect(lines[2]).toMatchObject({
      error: '$.status is "shipped", expected "cancelled"',
      usage: { tool: { calls: 1 } },
      final_assertions: [{ type: 'state', passed: false, actual: 'shipped', expected: 'cancelled' }],
    })
    expect(lines[3]).toMatchObject({ error: '$.price is missing in the answer of look_up' })
    expect(stdout).toContain('✗ state "cancelled" at $.status\n')
  })

  it('a state check asks the real tool, not its stub', async () => {
    const stubs = { look_up: { result: { status: 'lost' } } }
    for (const flags of [[], ['--stub-all']]) {
      const { exitCode, lines } = await play(
        [{ id: 'a', turns: [order()], stubs, final_assertions: [state()] }],
        flags,
      )
      expect(getOutputs(lines[0])).toEqual(['I hear: {"status":"lost"}'])
      expect(lines[0]).toMatchObject({ status: 'passed' })
      expect(exitCode).toBe(0)
    }
  })

  it('a state check asks the servers of the agent, whatever else is in the app', async () => {
    const cwd = app({
      'mcps/broken.mcp.yao': JSON.stringify({ ...desk, arguments: ['-e', 'process.exit(1)'] }),
      'mcps/archive.mcp.yao': JSON.stringify(desk),
    })
    const { exitCode, lines } = await playIn(
      cwd,
      [{ id: 'a', input: 'Hello', assert: state() }],
      ['-n', 'desk'],
    )
    expect(lines[0]).toMatchObject({ status: 'passed' })
    expect(exitCode).toBe(0)
  })

  it('a state check asks another server when the agent has no such tool', async () => {
    const cwd = app({
      'assistants/plain/package.yao': '{"name": "Plain", "connector": "mind"}',
      'assistants/plain/prompts.yml': '- {role: system, content: Help.}',
    })
    const { lines } = await playIn(cwd, [{ id: 'a', input: 'Hello', assert: state() }], ['-n', 'plain'])
    expect(lines[0]).toMatchObject({ status: 'passed' })
  })

  it('a state check is an infrastructure error when two servers have the tool and neither is named', async () => {
    const cwd = app({
      'mcps/archive.mcp.yao': JSON.stringify(desk),
      'assistants/desk/package.yao':
        '{"name": "Desk", "connector": "mind", "mcp": {"servers": ["desk", "archive"]}}',
    })
    const named = state({ call: { tool: 'archive__look_up', arguments: { id: 'A7' } } })
    const cases = [
      { id: 'either', input: 'Hello', assert: state() },
      { id: 'named', input: 'Hello', assert: named },
    ]
    const { exitCode, lines } = await playIn(cwd, cases, ['-n', 'desk'])
    expect(exitCode).toBe(3)
    expect(lines).toMatchObject([
      {
        status: 'failed',
        fault: 'infrastructure',
        error: expect.stringContaining(
          'there are several tools look_up: write which one is meant (archive__look_up, desk__look_up)',
        ),
      },
      { status: 'passed' },
    ])
  })

  it('a state check on an unknown or failing tool is an infrastructure error', async () => {
    const { exitCode, lines } = await play([
      { id: 'unknown', input: 'Hello', assert: state({ call: { tool: 'look_upp' } }) },
      { id: 'fails', input: 'Hello', assert: state({ call: { tool: 'fail' } }) },
    ])
    expect(exitCode).toBe(3)
    expect(lines).toMatchObject([
      {
        status: 'failed',
        fault: 'infrastructure',
        error: expect.stringContaining('there is no tool look_upp (there are: desk__add, '),
      },
      { status: 'failed', fault: 'infrastructure', error: expect.stringContaining('the drawer is stuck') },
    ])
  })

  it('an invalid state check is refused', async () => {
    const refused: [object, string][] = [
      [state({ call: { tool: 'dsek__look_up' } }), 'there is no MCP server "dsek" (there are: desk)'],
      [{ type: 'state', value: 1 }, 'assert.call is missing'],
      [{ type: 'state', call: { tool: 'look_up' } }, 'state needs a "value" or "exists"'],
      [state({ path: '$[' }), 'not a valid JSONPath'],
    ]
    const cases = refused.map(([assert], index) => ({ id: `c${index}`, input: 'Hello', assert }))
    const { exitCode, stderr } = await play(cases)
    const messages = refused.map(([, message], index) => ({ id: `c${index}`, message }))
    expect(findUnreported(messages, stderr)).toEqual([])
    expect(exitCode).toBe(2)
  })
})
