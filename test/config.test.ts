import { describe, expect, it } from 'vitest'
import { echoAgent, jsonl, project, viva } from './support/viva.ts'

const cases = jsonl({ id: 'a', input: 'a' })

describe('mistakes in viva.config.json', () => {
  const mistakes: [string, object, string][] = [
    [
      'the type of a connector that nobody uses',
      { connectors: { spare: { type: 'opnai', options: { model: 'm' } } } },
      'viva.config.json:1:25: connectors.spare.type is "opnai", must be one of openai, openai-responses, anthropic, scripted (did you mean "openai"?)',
    ],
    [
      'a key of a connector',
      { connectors: { spare: { type: 'openai', options: { model: 'm' }, limit: { concurrency: 1 } } } },
      'viva.config.json:1:65: unknown key "limit" in connectors.spare (did you mean "limits"?)',
    ],
    [
      'an option of a connector',
      { connectors: { spare: { type: 'openai', options: { modle: 'm' } } } },
      'viva.config.json: connector spare: unknown key "modle" in options (did you mean "model"?)',
    ],
    [
      'a model that is missing',
      { connectors: { spare: { type: 'anthropic', options: { key: '$ENV.VIVA_NOT_SET' } } } },
      'viva.config.json: connector spare: options.model is missing',
    ],
    [
      'the arguments of an MCP server',
      { agents: { desk: { connector: 'm', mcp: { tools: { command: 'node', arguments: ['a'] } } } } },
      'unknown key "arguments" in agents.desk.mcp.tools (did you mean "args"?',
    ],
    [
      'an MCP server with a command and a URL',
      { agents: { desk: { connector: 'm', mcp: { tools: { command: 'node', url: 'http://a' } } } } },
      'unknown key "url" in agents.desk.mcp.tools ("url" cannot be combined with "command")',
    ],
    [
      'an agent of no kind',
      { agents: { desk: { colour: 'red' } } },
      'agents.desk needs "url" or "a2a" or "connector"\n✗ viva.config.json:1:20: unknown key "colour" in agents.desk\n',
    ],
    [
      'a rule of a scripted connector',
      { connectors: { spare: { type: 'scripted', options: { rules: [{ replay: 'a' }] } } } },
      'viva.config.json: connector spare: unknown key "replay" in rules[0]',
    ],
  ]
  it.each(mistakes)('a mistake in the config is refused: %s', async (_, config, message) => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': cases,
      'viva.config.json': JSON.stringify(config),
    })
    const { exitCode, stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], {
      cwd,
    })
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('a variable needed only by an unused connector may be unset', async () => {
    const spare = { type: 'openai', options: { model: 'm', key: '$ENV.VIVA_NOT_SET' } }
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': cases,
      'viva.config.json': JSON.stringify({ connectors: { spare } }),
    })
    const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd })
    expect(exitCode).toBe(0)
  })

  it('two config files in one folder are an error', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': cases,
      'viva.config.json': '{}',
      'viva.config.mjs': 'export default {}\n',
    })
    const { exitCode, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd })
    expect(stderr).toContain('has viva.config.mjs and viva.config.json: which one is meant? (keep one)')
    expect(exitCode).toBe(2)
  })

  it('a listed secret that is not set causes a warning', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': cases,
      'viva.config.json': JSON.stringify({ secrets: ['VIVA_NOT_SET', 'PATH'] }),
    })
    const { exitCode, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd })
    expect(stderr).toBe('⚠ secret VIVA_NOT_SET of the config is not set: nothing is hidden for it\n')
    expect(exitCode).toBe(0)
  })
})

describe('files of a Yao app', () => {
  const scripted = { type: 'scripted', options: { rules: [{ reply: 'a' }] } }
  const play = (pack: object, connector: object) => {
    const cwd = project({
      'app.yao': '{}',
      'assistants/desk/package.yao': JSON.stringify({ connector: 'c', ...pack }),
      'assistants/desk/prompts.yml': '- {role: system, content: Help.}',
      'connectors/c.conn.yao': JSON.stringify(connector),
      'cases.jsonl': cases,
    })
    return viva(['test', '-i', 'cases.jsonl', '-n', 'desk'], { cwd })
  }

  it('keys that only the Yao engine reads are accepted', async () => {
    const pack = { avatar: 'a.png', connector_options: {}, tags: ['a'], prompt_presets: {}, weather: 'fine' }
    const { exitCode, stderr } = await play(pack, { ...scripted, version: '1', weather: 'fine' })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
  })

  it('a key that Yao ignores and that looks misspelt causes a warning', async () => {
    const { exitCode, stderr } = await play({ option: {} }, scripted)
    expect(stderr).toContain('package.yao: unknown key "option": Yao ignores it (did you mean "options"?)')
    expect(exitCode).toBe(0)
  })

  const misspelt: [object, object, string][] = [
    [{ mcp: { server: [] } }, scripted, 'package.yao: unknown key "server" in mcp (did you mean "servers"?)'],
    [
      { mcp: { servers: ['orders'] } },
      scripted,
      'desk/package.yao: unknown MCP server "orders": there are none',
    ],
    [{ connector: 'd' }, scripted, 'desk/package.yao: unknown connector "d": there are c'],
    [{ name: 7 }, scripted, 'package.yao: name must be a string, got a number'],
    [{}, { ...scripted, limit: {} }, 'c.conn.yao: connector c: unknown key "limit" (did you mean "limits"?)'],
    [
      {},
      { type: 'openai', options: { modle: 'm' } },
      'c.conn.yao: connector c: unknown key "modle" in options (did you mean "model"?)',
    ],
  ]
  it.each(misspelt)('a misspelt key or name that viva reads is refused: %j %j', async (...row) => {
    const { exitCode, stderr } = await play(row[0], row[1])
    expect(stderr).toContain(row[2])
    expect(exitCode).toBe(2)
  })
})

describe('inputs of the config', () => {
  const files = (inputs: string[]) => ({
    'agent.mjs': echoAgent,
    'viva.config.json': JSON.stringify({ agent: './agent.mjs', inputs }),
    'tests/greeting.jsonl': jsonl({ id: 'greeting', input: 'Hi', assert: { type: 'contains', value: 'Hi' } }),
    'tests/other.cases.json': JSON.stringify([{ id: 'other', input: 'x' }]),
  })

  it('`viva test` alone runs them, from a folder below the config too', async () => {
    const cwd = project(files(['tests/*.jsonl']))
    for (const folder of [cwd, `${cwd}/tests`]) {
      const { exitCode, stdout } = await viva(['test', '--list'], { cwd: folder })
      expect(stdout.trim()).toBe('greeting')
      expect(exitCode).toBe(0)
    }
    const { exitCode, stdout } = await viva(['test'], { cwd })
    expect(stdout).toContain('✓ [greeting]')
    expect(exitCode).toBe(0)
  })

  it('an input on the command line takes their place', async () => {
    const cwd = project(files(['tests/greeting.jsonl']))
    const { stdout } = await viva(['test', 'tests/other.cases.json', '--list'], { cwd })
    expect(stdout.trim()).toBe('other')
  })

  it.each([
    [
      'a message',
      ['say hello'],
      'viva.config.json: "say hello" in `inputs` is not a file, folder or generator',
    ],
    ['a missing file', ['tests/missing.jsonl'], 'no such file or folder: tests/missing.jsonl'],
    ['a pattern without a match', ['tests/*.csv'], 'no file matches tests/*.csv'],
    ['an empty list', [], 'nothing to test'],
  ])('%s is a configuration error', async (_, inputs, message) => {
    const { exitCode, stderr } = await viva(['test'], { cwd: project(files(inputs)) })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})
