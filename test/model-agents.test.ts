import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, play as playIn, project, repository, viva } from './support/viva.ts'

const counter = join(repository, 'test/fixtures/tools/counter.mjs')
const server = { command: process.execPath, args: [counter] }

/** Adds one to a counter when it is asked to and says the new value. It says which prompt it has. */
const rules = [
  { when: { result: '"value":(\\d+)' }, reply: 'It is {{1}}.' },
  { when: { result: '^Error: (.*)' }, reply: 'Sorry: {{1}}.' },
  { when: { user: 'add' }, tool_calls: [{ name: 'counter__add', arguments: {} }] },
  { when: { system: 'You are a desk' }, reply: 'I am a desk.' },
  { when: { system: 'brief' }, reply: 'I am brief.' },
  { reply: 'I have no instructions.' },
]
const connectors = { script: { type: 'scripted', options: { rules } } }
const desk = { connector: 'script', prompt: './desk.md', mcp: { counter: server } }

function folder(agents: object, more: Record<string, string> = {}): string {
  return project({
    'viva.config.json': JSON.stringify({ connectors, agents }),
    'desk.md': 'You are a desk.\n',
    ...more,
  })
}

const play = (cwd: string, cases: readonly unknown[], ...flags: string[]) =>
  playIn(cwd, cases, ['-n', 'desk', ...flags])

async function check(cwd: string): Promise<{ exitCode: unknown; output: string }> {
  const { exitCode, stdout, stderr } = await viva(['agents', '--check'], { cwd })
  return { exitCode, output: stdout + stderr }
}

/** Each case has a server of its own, and asks it for its state at the end. */
const cases = Array.from({ length: 6 }, (_, index) => ({
  id: `case-${index}`,
  turns: [
    { input: 'add', assert: { type: 'tool_called', name: 'add' } },
    { input: 'add', assert: { type: 'contains', value: 'It is 2.' } },
  ],
  final_assertions: [{ type: 'state', call: { tool: 'counter__get' }, path: 'value', value: 2 }],
}))

describe('an agent of the config with a connector, a prompt and MCP servers', () => {
  it.each(['1', '4'])('its tools are checked, and their state does not leak, at --parallel %s', async (n) => {
    const { exitCode, lines } = await play(folder({ desk }), cases, '--parallel', n)
    expect(lines.map(({ status }) => status)).toEqual(cases.map(() => 'passed'))
    expect(exitCode).toBe(0)
  })

  it('its tools can be stubbed', async () => {
    const stubbed = {
      id: 'stubbed',
      input: 'add',
      stubs: { add: { result: { value: 41 } } },
      assert: { type: 'contains', value: 'It is 41.' },
    }
    const { exitCode, lines } = await play(folder({ desk }), [stubbed], '--stub-all')
    expect(lines[0]?.tool_calls).toMatchObject([{ name: 'counter__add', stubbed: true }])
    expect(exitCode).toBe(0)
    const refused = await play(folder({ desk }), [{ id: 'a', input: 'add' }], '--stub-all')
    expect(refused.output).toContain('counter__add was called and is not stubbed (--stub-all)')
  })

  it.each([
    ['a file', { prompt: './desk.md' }, 'I am a desk.'],
    ['a file with another ending', { prompt: 'prompts/desk.markdown' }, 'I am a desk.'],
    ['a text', { prompt: 'Be brief.' }, 'I am brief.'],
    ['a text with a path in it', { prompt: 'Be brief/clear. See ./desk.markdown' }, 'I am brief.'],
    ['nothing', { prompt: undefined }, 'I have no instructions.'],
  ])('its prompt is %s', async (_, prompt, reply) => {
    const { stdout } = await viva(['test', 'Hello', '-n', 'desk'], {
      cwd: folder({ desk: { ...desk, ...prompt } }, { 'prompts/desk.markdown': 'You are a desk.' }),
    })
    expect(stdout.trim()).toBe(reply)
  })

  it('the connector can be overridden', async () => {
    const other = { type: 'scripted', options: { rules: [{ reply: 'another model' }] } }
    const cwd = project({
      'viva.config.json': JSON.stringify({ connectors: { ...connectors, other }, agents: { desk } }),
      'desk.md': 'x',
    })
    const { stdout } = await viva(['test', 'Hello', '-n', 'desk', '-c', 'other'], { cwd })
    expect(stdout.trim()).toBe('another model')
  })

  it('viva agents lists it with its connector and tools', async () => {
    const { exitCode, stdout } = await viva(['agents', '--check'], { cwd: folder({ desk }) })
    expect(stdout).toContain('✓ desk  script · counter: add, get, reset, die')
    expect(exitCode).toBe(0)
    const listed = await viva(['agents'], { cwd: folder({ desk }) })
    expect(listed.stdout).toContain('✓ desk  script · counter\n')
  })
})

it('an agent of the config that calls tools without end fails with the key of its limit', async () => {
  const endless = {
    type: 'scripted',
    options: { rules: [{ tool_calls: [{ name: 'counter__add', arguments: {} }] }] },
  }
  const config = {
    connectors: { endless },
    agents: { desk: { ...desk, connector: 'endless', max_tool_rounds: 2 } },
  }
  const cwd = project({ 'viva.config.json': JSON.stringify(config), 'desk.md': 'x' })
  const { exitCode, lines } = await play(cwd, [{ id: 'a', input: 'add' }])
  expect(lines[0]?.error).toBe(
    'agent error: desk called tools in 2 rounds and still asked for counter__add (max_tool_rounds)',
  )
  expect(exitCode).toBe(1)
})

describe('such an agent that is offered no tools', () => {
  const empty = { ...desk, mcp: { counter: { ...server, env: { NO_TOOLS: '1' } } } }
  const call = { name: 'counter__add', error: 'there is no tool counter__add; there are none' }
  it.each([
    ['its server lists none', empty, []],
    ['it has no server', { connector: 'script' }, []],
    ['its server lists none, with --stub-all', empty, ['--stub-all']],
  ])('has called none that exists: %s', async (_, agent, flags) => {
    const assert = { type: 'contains', value: 'Sorry: there is no tool counter__add' }
    const { exitCode, lines } = await play(
      folder({ desk: agent }),
      [{ id: 'a', input: 'add', assert }],
      ...flags,
    )
    expect(lines[0]).toMatchObject({ status: 'passed', tool_calls: [call] })
    expect(exitCode).toBe(0)
  })

  it('has a warning of viva agents --check', async () => {
    const { exitCode, output } = await check(folder({ desk: empty }))
    expect(output).toContain('counter offers no tools: the model cannot call anything of it')
    expect(output).toContain('1 agent, 1 warning')
    expect(exitCode).toBe(0)
  })
})

describe('mistakes in such an agent', () => {
  const mistakes: [string, object, string][] = [
    [
      'an unknown key',
      { ...desk, promt: 'x' },
      'unknown key "promt" in agents.desk (did you mean "prompt"?)',
    ],
    [
      'an unknown key of a server',
      { ...desk, mcp: { counter: { ...server, arg: [] } } },
      'unknown key "arg"',
    ],
    ['an unknown connector', { ...desk, connector: 'scrpt' }, 'unknown connector "scrpt": there are script'],
    [
      'a missing prompt file',
      { ...desk, prompt: './missing.md' },
      'agent desk: the prompt ./missing.md cannot be read',
    ],
    ...['./prompts/support.markdown', '../missing', 'prompts/support.prompt'].map(
      (prompt): [string, object, string] => [
        `the missing prompt file ${prompt}`,
        { ...desk, prompt },
        `agent desk: the prompt ${prompt} cannot be read: there is no such file`,
      ],
    ),
    [
      'a tool in the settings',
      { ...desk, settings: { tools: [{ type: 'web_search' }] } },
      'agent desk: settings.tools is not allowed: viva must be able to run and stub the tools of an agent',
    ],
    [
      'a command that does not exist',
      { ...desk, mcp: { counter: { command: 'no-such-server' } } },
      'no-such-server',
    ],
    [
      'a server of another kind',
      { ...desk, mcp: { counter: { url: 'ftp://x' } } },
      'must be an http:// or https:// URL',
    ],
    [
      '"shared" and "reset"',
      { ...desk, mcp: { counter: { ...server, shared: true, reset: 'reset' } } },
      '"shared" and "reset" cannot be combined',
    ],
  ]
  it.each(mistakes)('%s is refused before anything runs', async (_, agent, message) => {
    const cwd = folder({ desk: agent }, { 'cases.jsonl': jsonl({ id: 'a', input: 'a' }) })
    const { exitCode, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', 'desk'], { cwd })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
    const checked = await check(cwd)
    expect(checked.output).toContain(message)
    expect(checked.exitCode).toBe(2)
  })

  it('viva agents --check loads modules, and looks at the tools of simulated users', async () => {
    const config = {
      connectors,
      agents: {
        desk,
        code: './agent.ts',
        gone: './gone.ts',
        route: { url: 'http://127.0.0.1:9/chat', format: 'ai-sdk-ui' },
      },
      helpers: {
        connector: 'script',
        simulator: { mcp: { counter: { ...server, tools: ['ad'] } }, tools: './no.ts' },
      },
    }
    const cwd = project({
      'viva.config.json': JSON.stringify(config),
      'desk.md': 'x',
      'agent.ts': 'export default () => "hi"',
    })
    const { exitCode, output } = await check(cwd)
    expect(output).toContain('✓ code   ./agent.ts\n')
    expect(output).toContain('✓ route  http://127.0.0.1:9/chat\n')
    expect(output).toMatch(/✗ gone {3}\.\/gone\.ts\n {4}✗ agent \.\/gone\.ts: no such file/)
    expect(output).toContain('MCP server counter has no tool "ad"')
    expect(output).toContain('helpers.simulator: there is no file no.ts with its tools')
    expect(output).toContain('4 agents, 3 errors')
    expect(exitCode).toBe(2)
  })

  it('all mistakes of an agent are reported together', async () => {
    const openai = { type: 'openai', options: { model: 'm', host: 'http://127.0.0.1:9' } }
    const agent = {
      connector: 'o',
      prompt: './no.md',
      tools: './no.ts',
      settings: { temprature: 0, top_k: 5 },
    }
    const config = { connectors: { o: openai }, agents: { desk: agent } }
    const cwd = project({ 'viva.config.json': JSON.stringify(config) })
    const { exitCode, output } = await check(cwd)
    expect(output).toContain('agent desk: the prompt ./no.md cannot be read: there is no such file')
    expect(output).toContain('agent desk: there is no file no.ts with its tools')
    expect(output).toContain('unknown key "temprature" in settings (did you mean "temperature"?)')
    expect(output).not.toContain('top_k')
    expect(exitCode).toBe(2)
  })

  it('a setting that the API of the model does not have is a warning', async () => {
    const anthropic = { type: 'anthropic', options: { model: 'm', host: 'http://127.0.0.1:9' } }
    const config = {
      connectors: { a: anthropic },
      agents: { desk: { connector: 'a', settings: { top_k: 5, logit_bias: {} } } },
    }
    const cwd = project({ 'viva.config.json': JSON.stringify(config) })
    const { exitCode, output } = await check(cwd)
    expect(output).toContain(
      'settings.logit_bias has no effect: the API of type "anthropic" has no such setting',
    )
    expect(output).not.toContain('top_k')
    expect(exitCode).toBe(0)
  })

  it('a server that does not start is an infrastructure error, also of viva agents --check', async () => {
    const mcp = { gone: { command: process.execPath, args: ['gone.mjs'] } }
    const cwd = folder({ desk: { ...desk, mcp } })
    const message = `MCP server gone did not start: it ended before it was ready (${process.execPath} gone.mjs)`
    const { exitCode, output } = await play(cwd, [{ id: 'a', input: 'a' }])
    expect(output).toContain(message)
    expect(exitCode).toBe(3)
    const checked = await check(cwd)
    expect(checked.output).toContain(message)
    expect(checked.exitCode).toBe(3)
  })

  it('two agents may share a server, but not its name with other settings', async () => {
    const shared = folder({ desk, other: { connector: 'script', mcp: { counter: server } } })
    expect((await play(shared, cases.slice(0, 1))).exitCode).toBe(0)
    const different = { connector: 'script', mcp: { counter: { ...server, env: { A: '1' } } } }
    const { exitCode, stderr } = await play(folder({ desk, other: different }), cases)
    expect(stderr).toContain('desk and other name different MCP servers "counter" (rename one of them)')
    expect(exitCode).toBe(2)
  })

  it('a tool that the server does not have is an error', async () => {
    const agent = { ...desk, mcp: { counter: { ...server, tools: ['ad'] } } }
    const { exitCode, output } = await play(folder({ desk: agent }), cases.slice(0, 1))
    expect(output).toContain('desk has no tool "ad" in MCP server counter: there are add, get, reset, die')
    expect(exitCode).not.toBe(0)
    const checked = await check(folder({ desk: agent }))
    expect(checked.output).toContain('MCP server counter has no tool "ad" (it has: add, get, reset, die)')
    expect(checked.exitCode).toBe(2)
  })
})
