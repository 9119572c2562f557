import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, play as playIn, project, repository, viva } from './support/viva.ts'

const counter = join(repository, 'test/fixtures/tools/counter.mjs')
const server = { command: process.execPath, args: [counter] }

/** Adds one to a counter when it is asked to and says the new value. It says which prompt it has. */
const rules = [
  { when: { result: '"value":(\\d+)' }, reply: 'It is {{1}}.' },
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
    ['a text', { prompt: 'Be brief.' }, 'I am brief.'],
    ['nothing', { prompt: undefined }, 'I have no instructions.'],
  ])('its prompt is %s', async (_, prompt, reply) => {
    const { stdout } = await viva(['test', 'Hello', '-n', 'desk'], {
      cwd: folder({ desk: { ...desk, ...prompt } }),
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
    expect(stdout).toContain('✓ desk  script · counter')
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
  })

  it('two agents may share a server, but not its name with other settings', async () => {
    const shared = folder({ desk, other: { connector: 'script', mcp: { counter: server } } })
    expect((await play(shared, cases.slice(0, 1))).exitCode).toBe(0)
    const different = { connector: 'script', mcp: { counter: { ...server, env: { A: '1' } } } }
    const { exitCode, stderr } = await play(folder({ desk, other: different }), cases)
    expect(stderr).toContain(
      'agents desk and other name different MCP servers "counter" (rename one of them)',
    )
    expect(exitCode).toBe(2)
  })

  it('a tool that the server does not have is an error', async () => {
    const agent = { ...desk, mcp: { counter: { ...server, tools: ['ad'] } } }
    const { exitCode, output } = await play(folder({ desk: agent }), cases.slice(0, 1))
    expect(output).toContain('desk has no tool "ad" in MCP server counter: there are add, get, reset, die')
    expect(exitCode).not.toBe(0)
  })
})
