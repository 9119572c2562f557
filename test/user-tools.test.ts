import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, type Line, play, project, repository, results, viva } from './support/viva.ts'

const fixtures = join(repository, 'test/fixtures')

/** A copy of a fixture, with a clerk for every kind of work. */
function copy(name: 'retail' | 'telecom'): string {
  const folder = project()
  cpSync(join(fixtures, 'mcp-server.mjs'), join(folder, 'mcp-server.mjs'))
  cpSync(join(fixtures, name), join(folder, name), { recursive: true })
  return join(folder, name)
}

async function test(cwd: string, flags: readonly string[]) {
  const ended = await viva(['test', '-o', 'results.jsonl', ...flags], { cwd })
  return { ...ended, output: ended.stdout + ended.stderr, lines: results(join(cwd, 'results.jsonl')) }
}

const getTurns = (line: Line | undefined) => (line?.turns ?? []) as Line[]
const getUserCalls = (line: Line | undefined) =>
  getTurns(line).map(({ simulator }) => (simulator as { tool_calls?: unknown }).tool_calls)
const countPassed = (lines: readonly Line[]) => lines.filter(({ status }) => status === 'passed').length
const sorted = (lines: readonly Line[]) =>
  lines.map(({ id, status, error }) => `${id} ${status} ${error}`).toSorted()

describe.each(['retail', 'telecom'] as const)('the %s tasks', (name) => {
  it.each([
    ['perfect', 10],
    ['lazy', 0],
    ['wrong', 0],
  ])('are solved by the %s agent in %i cases, whatever --parallel is', async (agent, passed) => {
    const cwd = copy(name)
    const flags = ['-i', `${name}.jsonl`, '-n', agent, '--parallel']
    const alone = await test(cwd, [...flags, '1'])
    const together = await test(cwd, [...flags, '8'])
    expect(countPassed(alone.lines)).toBe(passed)
    expect(alone.exitCode).toBe(passed === 10 ? 0 : 1)
    // None of the failures is a fault of the user or of a server.
    expect(alone.lines.every(({ status, fault }) => status === 'passed' || fault === 'agent')).toBe(true)
    expect(sorted(together.lines)).toEqual(sorted(alone.lines))
  })
})

describe('tools of a simulated user', () => {
  it('are recorded with its message, shown below it, and unknown to the agent', async () => {
    const cwd = copy('telecom')
    const { stdout, lines } = await test(cwd, ['-i', 'telecom.jsonl', '--run', 'airplane-mode', '-v'])
    const [line] = lines
    expect(getUserCalls(line)).toMatchObject([
      undefined,
      [
        {
          name: 'network__check_phone',
          args: { number: '555-01' },
          result: { airplane_mode: true },
        },
      ],
      [{ name: 'network__set_airplane_mode', args: { number: '555-01', on: false } }],
      [{ name: 'network__run_speed_test', result: { works: true } }],
    ])
    expect(stdout).toContain('  │          User:  [tool: network__check_phone({number: "555-01"})]\n')
    // Four messages, three of them after a round of tools.
    expect(line?.usage).toMatchObject({ simulator: { calls: 7 }, agent: { calls: 5 } })
    const seen = getTurns(line).map(({ messages, tool_calls }) => JSON.stringify([messages, tool_calls]))
    expect(seen.join()).not.toMatch(/check_phone|airplane_mode|speed_test/)
  })

  it('are recorded and replayed, also when only the model is live', async () => {
    const cwd = copy('telecom')
    const flags = ['-i', 'telecom.jsonl']
    const recorded = await test(cwd, [...flags, '--record', 'calls.jsonl'])
    renameSync(join(cwd, 'network.mjs'), join(cwd, 'gone.mjs'))
    const offline = ['loose-sim', 'roaming-on-both-sides'].join('|')
    for (const live of [[], ['--live', 'model']]) {
      const replayed = await test(cwd, [...flags, '--run', offline, '--replay', 'calls.jsonl', ...live])
      expect(replayed.exitCode, replayed.output).toBe(0)
      for (const line of replayed.lines) {
        const before = recorded.lines.find(({ id }) => id === line.id)
        expect(getUserCalls(line)).toEqual(getUserCalls(before))
        expect(line.usage).toMatchObject({ simulator: { replayed_calls: expect.any(Number) } })
      }
    }
  })

  it('are checked again by viva grade', async () => {
    const cwd = copy('telecom')
    await test(cwd, ['-i', 'telecom.jsonl', '--run', 'loose-sim'])
    const check = (name: string) => ({ type: 'tool_called', by: 'user', name })
    const cases = readFileSync(join(cwd, 'telecom.jsonl'), 'utf8').split('\n')
    const authored = JSON.parse(cases.find((each) => each.includes('loose-sim')) ?? '')
    const finals = [check('reseat_sim'), check('restart_phone')]
    const again = { ...authored, final_assertions: finals }
    writeFileSync(join(cwd, 'telecom.jsonl'), jsonl(again))
    const graded = await viva(['grade', 'results.jsonl', 'telecom.jsonl', '-o', 'graded.jsonl'], { cwd })
    expect(graded.exitCode, graded.stdout + graded.stderr).toBe(1)
    const [line] = results(join(cwd, 'graded.jsonl'))
    expect(line).toMatchObject({ final_assertions: [{ status: 'passed' }, { status: 'failed' }] })
  })
})

const server = { command: process.execPath, args: [join(fixtures, 'tools/counter.mjs')] }

/** Both sides have the tools of the same server. The user counts once before each message, and the agent in each turn. */
function counters(simulator: object = {}, files: Record<string, string> = {}): string {
  const user = [
    {
      when: { tool: 'add', user: 'message 3' },
      reply: { reasoning: 'enough', goal_achieved: true, input: '' },
    },
    { when: { tool: 'add' }, reply: { reasoning: 'so', goal_achieved: false, input: 'Count, please' } },
    { tool_calls: [{ name: 'counter__add', arguments: {} }] },
  ]
  const agent = [
    { when: { tool: 'add', result: '(.+)' }, reply: 'Counted: {{1}}' },
    { tool_calls: [{ name: 'counter__add', arguments: {} }] },
  ]
  const scripted = (rules: unknown) => ({ type: 'scripted', options: { rules } })
  const config = {
    agent: 'clerk',
    connectors: { user: scripted(user), agent: scripted(agent) },
    agents: { clerk: { connector: 'agent', mcp: { counter: server } } },
    helpers: { connector: 'user', simulator: { mcp: { counter: server }, ...simulator } },
  }
  return project({ 'viva.config.json': JSON.stringify(config), ...files })
}

const simulator = { goal: 'To count' }
const called = (name = 'add') => ({ type: 'tool_called', by: 'user', name })
const getOutputs = (line: Line | undefined) => getTurns(line).map(({ output }) => output)
const getUserResults = (line: Line | undefined) =>
  getUserCalls(line).map((calls) => (calls as Line[]).map(({ result, stubbed }) => [result, stubbed]))

describe('a user and an agent with tools of the same server', () => {
  it('share its process, and what the user does at the end counts', async () => {
    const checks = [
      { type: 'state', call: { tool: 'counter__get' }, value: { value: 5 } },
      { type: 'tool_order', by: 'user', value: ['add', 'add', 'add'] },
      { type: 'tool_order', value: ['add', 'add'] },
      { type: 'tool_result', by: 'user', name: 'add', value: { value: 5 } },
      { type: 'tool_not_called', by: 'user', name: 'reset' },
    ]
    const cases = ['a', 'b'].map((id) => ({ id, simulator, final_assertions: checks }))
    const { exitCode, output, lines } = await play(counters(), cases, ['-v'])
    expect(exitCode, output).toBe(0)
    expect(getOutputs(lines[0])).toEqual(['Counted: {"value":2}', 'Counted: {"value":4}'])
    expect(getTurns(lines[0])[1]).toMatchObject({ last_user_tool_calls: [{ result: { value: 5 } }] })
    expect(output).toMatch(/User: {2}\[tool: counter__add\(\{\}\)\]\n.*Goal achieved: enough/)
  })

  it('are stubbed separately, and a sequence goes on from turn to turn', async () => {
    const stubs = { add: { sequence: [{ result: 'one' }, { result: 'two' }] } }
    const { lines } = await play(counters(), [
      { id: 'agent', simulator, stubs },
      { id: 'user', simulator: { ...simulator, stubs } },
      { id: 'both', simulator: { ...simulator, stubs }, stubs },
    ])
    const [agent, user, both] = ['agent', 'user', 'both'].map((id) => lines.find((line) => line.id === id))
    expect([getOutputs(agent), getUserResults(agent)]).toEqual([
      ['Counted: one', 'Counted: two'],
      [[[{ value: 1 }, undefined]], [[{ value: 2 }, undefined]]],
    ])
    expect([getOutputs(user), getUserResults(user)]).toEqual([
      ['Counted: {"value":1}', 'Counted: {"value":2}'],
      [[['one', true]], [['two', true]]],
    ])
    expect(getOutputs(both)).toEqual(getOutputs(agent))
    expect(getUserResults(both)).toEqual(getUserResults(user))
  })

  it('--stub-all refuses a call of the user that is not stubbed, and says whose it is', async () => {
    const stubs = { add: { result: 1 } }
    const checked = { final_assertions: called() }
    const { exitCode, output, lines } = await play(
      counters(),
      [
        { id: 'agent', simulator, stubs, ...checked },
        { id: 'both', simulator: { ...simulator, stubs }, stubs, ...checked },
      ],
      ['--stub-all'],
    )
    expect(exitCode).toBe(3)
    const message =
      'simulator error: counter__add was called by the simulated user and is not stubbed (--stub-all)'
    expect(output).toContain(message)
    expect(lines).toMatchObject([{ id: 'agent', error_kind: 'simulator_error' }, { status: 'passed' }])
  })

  it('a check on a user who hides their tools is unknown', async () => {
    const users = {
      'shy.mjs': 'export default () => "Count, please"\n',
      'open.mjs':
        'export default () => ({ content: "Count, please", tool_calls: [{ name: "add", arguments: {} }] })\n',
    }
    const cases = ['shy', 'open'].map((use) => ({
      id: use,
      simulator: { use: `./${use}.mjs` },
      max_turns: 1,
      checkpoints: [{ id: 'adds', assert: called() }],
    }))
    const { lines } = await play(counters({}, users), cases)
    expect(getUserCalls(lines[0])).toEqual(['hidden'])
    expect(lines[0]).toMatchObject({
      checkpoints: [{ status: 'unknown', reason: expect.stringContaining('the simulated user hides') }],
    })
    expect(lines[1]).toMatchObject({ checkpoints: [{ passed: true }] })
  })

  it('a module with tools has the same session on both sides', async () => {
    const tools = `
      const counts = new Map()
      export const add = {
        description: 'Counts',
        inputSchema: { type: 'object' },
        execute: (_, { sessionId }) => {
          counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1)
          return { value: counts.get(sessionId) }
        },
      }
    `
    const cwd = counters({}, { 'tools.mjs': tools })
    const config = JSON.parse(readFileSync(join(cwd, 'viva.config.json'), 'utf8'))
    const own = { tools: './tools.mjs' }
    const agents = { clerk: { connector: 'agent', ...own } }
    const text = JSON.stringify({ ...config, agents, helpers: { connector: 'user', simulator: own } })
    writeFileSync(join(cwd, 'viva.config.json'), text.replaceAll('counter__add', 'add'))
    const { output, lines } = await play(cwd, [{ id: 'a', simulator, final_assertions: called() }])
    expect(getOutputs(lines[0]), output).toEqual(['Counted: {"value":2}', 'Counted: {"value":4}'])
  })
})

describe('a mistake about the tools of a user', () => {
  const tell = async (authored: object, settings = {}, files: Record<string, string> = {}) => {
    const { exitCode, output } = await play(counters(settings, files), [{ id: 'a', simulator, ...authored }])
    return { exitCode, output }
  }

  it.each([
    [
      'a stub of an unknown tool',
      { simulator: { ...simulator, stubs: { ad: { result: 1 } } } },
      'stub of "ad": viva.simulator has no such tool (did you mean "add"?)',
    ],
    [
      'a stub for a user whose tools are its own affair',
      { simulator: { use: './own.mjs', stubs: { add: { result: 1 } } } },
      'own.mjs has no tools that viva runs, so none can be stubbed',
    ],
    [
      'two stubs of the same tool',
      { simulator: { ...simulator, stubs: { add: { result: 1 }, counter__add: { result: 2 } } } },
      'stubs of "add" and of "counter__add" are for the same tool',
    ],
    [
      'an unknown side',
      { final_assertions: { ...called(), by: 'usr' } },
      'final_assertions.by is "usr", must be one of agent, user (did you mean "user"?)',
    ],
    [
      'a check on the user of a case without one',
      { simulator: undefined, input: 'Hello', assert: { type: 'all_of', assertions: [called()] } },
      '"by": "user"` looks at the tool calls of a simulated user, and this case has no `simulator`',
    ],
  ])('%s is refused', async (_, authored, message) => {
    const { exitCode, output } = await tell(authored, {}, { 'own.mjs': 'export default () => "Hi"\n' })
    expect(output).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('a module that is not there is refused before anything is played', async () => {
    const { exitCode, output } = await tell({}, { tools: './nowhere.ts' })
    expect(output).toContain('helpers.simulator: there is no file nowhere.ts with its tools')
    expect(exitCode).toBe(2)
  })

  it('a server that does not start is an infrastructure error of the user', async () => {
    const phone = { command: process.execPath, args: ['nowhere.mjs'] }
    const checked = { final_assertions: called() }
    const { exitCode, output } = await tell(checked, { mcp: { phone } })
    expect(output).toMatch(/simulator error: .*phone/)
    expect(exitCode).toBe(3)
  })
})
