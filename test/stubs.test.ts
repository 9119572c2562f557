import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { untoldOf } from './support/mistakes.ts'
import { type Line, play as playIn, project, repository } from './support/viva.ts'

const desk = {
  transport: 'stdio',
  command: process.execPath,
  arguments: [join(repository, 'test/fixtures/tools/official.mjs')],
}

/** Asks `look_up` for the order that the user names, and says what it hears. */
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

const turnsOf = (line: Line | undefined) => (line?.turns ?? []) as Line[]
const said = (line: Line | undefined) => turnsOf(line).map(({ output }) => output)
const order = (id = 'A7') => ({ input: `Where is order ${id}?` })

describe('a stubbed tool', () => {
  it('answers as it is told, and is marked', async () => {
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
    const heard = Object.fromEntries(lines.map((line) => [String(line.id), said(line)]))
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
    expect(turnsOf(lines[0])[0]?.tool_calls).toMatchObject([
      { name: 'desk__look_up', args: { id: 'A7' }, result: { status: 'lost' }, stubbed: true },
    ])
    expect(turnsOf(lines[1])[0]?.tool_calls).toMatchObject([{ error: 'the archive burns', stubbed: true }])
    expect(turnsOf(lines[7])[0]?.tool_calls).not.toMatchObject([{ stubbed: true }])
    expect(stdout).toContain('[tool: desk__look_up({id: "A7"}) stubbed]')
    expect(stdout).toContain('[tool: desk__look_up({id: "A7"}) stubbed → error: the archive burns]')
    expect(stdout).toContain('[tool: desk__look_up({id: "A7"})]')
  })

  it('is not called: a stub of one that would end its server lets it live', async () => {
    const { exitCode, lines } = await play([
      { id: 'a', input: 'die', stubs: { die: { result: 'not yet' } } },
      { id: 'b', turns: [order()] },
    ])
    expect(exitCode).toBe(0)
    expect(lines[0]).toMatchObject({ output: 'I hear: not yet', tool_calls: [{ stubbed: true }] })
  })

  it('begins its sequence anew in every case', async () => {
    const stubs = { look_up: { sequence: [{ result: 'one' }, { result: 'two' }] } }
    const cases = ['a', 'b', 'c'].map((id) => ({ id, turns: [order(), order()], stubs }))
    const { lines } = await play(cases, ['--parallel', '3'])
    expect(lines.map(said)).toEqual(Array(3).fill(['I hear: one', 'I hear: two']))
  })

  it('gives calls of one answer their turns', async () => {
    const stubs = { look_up: { sequence: [{ result: 'one' }, { result: 'two' }] } }
    const { lines } = await play([{ id: 'a', input: 'both', stubs }])
    expect(lines[0]?.tool_calls).toMatchObject([{ result: 'one' }, { result: 'two' }])
  })

  it('that has no rule for a call is the fault of the test', async () => {
    const { exitCode, lines } = await play([
      { id: 'a', turns: [order('B2')], stubs: { look_up: [{ when: { id: 'A1' }, result: 'x' }] } },
    ])
    expect(exitCode).toBe(3)
    expect(lines[0]).toMatchObject({
      status: 'failed',
      fault: 'infrastructure',
      error_kind: 'stub',
      error: 'no stub of desk__look_up is for {"id":"B2"}: add one without "when" for all other calls',
    })
  })

  it('that is there twice, with and without its server, is refused', async () => {
    const stubs = { look_up: { result: 1 }, desk__look_up: { result: 2 } }
    const { exitCode, stderr } = await play([
      { id: 'a', turns: [order()], stubs },
      { id: 'b', turns: [{ ...order(), stubs }] },
    ])
    expect(exitCode).toBe(2)
    const words = 'stubs of "look_up" and of "desk__look_up" are for the same tool: use one name'
    for (const id of ['a', 'b']) expect(stderr).toContain(`: ${id}: ${words}`)
  })

  it('that nobody has is refused before anything runs, in turns too', async () => {
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
  it('lets no tool be called that is not stubbed', async () => {
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

  it('never says of a tool both that it was called and that it was not, in checkpoints either', async () => {
    const assert = { type: 'tool_called', name: 'look_up' }
    const checkpoints = [{ id: 'looked', assert }]
    const { lines, stdout } = await play([{ id: 'real', turns: [order()], checkpoints }], ['--stub-all'])
    expect(lines[0]).toMatchObject({ fault: 'infrastructure', error_kind: 'stub' })
    expect(stdout).toContain('desk__look_up was called and is not stubbed')
    expect(stdout).not.toMatch(/no tool was called|was not called/)
  })

  it.each(['./agent.mjs', 'exec:node agent.mjs', 'http://127.0.0.1:9/', 'configured'])(
    'is refused for %s, whose tools it could not hold back',
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

  it('suits a package without tools', async () => {
    const cwd = app({
      'assistants/plain/package.yao': '{"name": "Plain", "connector": "mind"}',
      'assistants/plain/prompts.yml': '- {role: system, content: Help.}',
    })
    const { exitCode } = await playIn(cwd, [{ id: 'a', input: 'Hello' }], ['-n', 'plain', '--stub-all'])
    expect(exitCode).toBe(0)
  })

  it('is not for simulators, whatever they are', async () => {
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
      simulator: { use },
    }))
    const { lines } = await playIn(cwd, cases, ['-n', 'desk', '--stub-all'])
    expect(lines.map((line) => turnsOf(line).map(({ input }) => input))).toEqual([
      ['Hello', 'It is shipped'],
      ['Hello', 'From a module'],
    ])
  })
})

describe('the state outside the conversation', () => {
  const state = (more: object = {}) => ({
    type: 'state',
    call: { tool: 'look_up', arguments: { id: 'A7' } },
    path: '$.status',
    value: 'shipped',
    ...more,
  })

  it('is asked of a tool, whatever the agent says', async () => {
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

  it('is that of the real tool, not of a stub', async () => {
    const stubs = { look_up: { result: { status: 'lost' } } }
    for (const flags of [[], ['--stub-all']]) {
      const { exitCode, lines } = await play(
        [{ id: 'a', turns: [order()], stubs, final_assertions: [state()] }],
        flags,
      )
      expect(said(lines[0])).toEqual(['I hear: {"status":"lost"}'])
      expect(lines[0]).toMatchObject({ status: 'passed' })
      expect(exitCode).toBe(0)
    }
  })

  it('is asked of the servers of the agent, whatever else is in the app', async () => {
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

  it('is asked of another server where the agent has no such tool', async () => {
    const cwd = app({
      'assistants/plain/package.yao': '{"name": "Plain", "connector": "mind"}',
      'assistants/plain/prompts.yml': '- {role: system, content: Help.}',
    })
    const { lines } = await playIn(cwd, [{ id: 'a', input: 'Hello', assert: state() }], ['-n', 'plain'])
    expect(lines[0]).toMatchObject({ status: 'passed' })
  })

  it('is not asked of one server of two', async () => {
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

  it('that no tool tells, or one that fails, is not the fault of the agent', async () => {
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

  it('is refused where it asks nobody, or for nothing', async () => {
    const refused: [object, string][] = [
      [state({ call: { tool: 'dsek__look_up' } }), 'there is no MCP server "dsek" (there are: desk)'],
      [{ type: 'state', value: 1 }, 'assert.call is missing'],
      [{ type: 'state', call: { tool: 'look_up' } }, 'state needs a "value" or "exists"'],
      [state({ path: '$[' }), 'not a valid JSONPath'],
    ]
    const cases = refused.map(([assert], index) => ({ id: `c${index}`, input: 'Hello', assert }))
    const { exitCode, stderr } = await play(cases)
    const messages = refused.map(([, message], index) => ({ id: `c${index}`, message }))
    expect(untoldOf(messages, stderr)).toEqual([])
    expect(exitCode).toBe(2)
  })
})
