import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demo, type Ended, echoAgent, jsonl, project, repository, viva } from './support/viva.ts'

/** Runs `viva doctor` in a project with these files. */
async function doctor(
  files: Record<string, string>,
  { flags = [], env = {} }: { flags?: string[]; env?: Record<string, string> } = {},
): Promise<Ended> {
  return viva(['doctor', ...flags], { cwd: project(files), env: { CI: '', ...env } })
}

const configFile = (config: object) => ({ 'viva.config.json': JSON.stringify(config) })

/** A connector whose key is in a variable. */
const openai = (host: string) => ({
  type: 'openai',
  options: { model: 'm', key: '$ENV.SHOP_MODEL_KEY', host },
})

/** A server that remembers what it was asked. */
async function listen(): Promise<{ host: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

describe('viva doctor', () => {
  it('finds nothing wrong with a project that works, and says what viva test runs', async () => {
    const { exitCode, stdout, stderr } = await doctor({
      ...configFile({ agents: { echo: './agent.mjs' }, agent: 'echo', inputs: ['tests'] }),
      'agent.mjs': echoAgent,
      'tests/a.jsonl': jsonl({ id: 'a', input: 'hi' }, { id: 'b', input: 'hi' }),
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/✓ Node \d+\.\d+\.\d+ \(>=20\.19 is needed\)/)
    expect(stdout).toContain('✓ config: viva.config.json')
    expect(stdout).toContain('✓ echo (./agent.mjs)')
    expect(stdout).toContain('✓ viva test runs 2 cases: tests')
    expect(stdout).toMatch(/✓ no problems, 1 warning\n$/)
    expect(exitCode).toBe(0)
  })

  it('lists every package that viva can use and does not install, with its version', async () => {
    const { stdout } = await doctor({
      'node_modules/ioredis/package.json': '{"version": "6.1.2"}',
      'node_modules/vitest/package.json': '{"version": "4.0.0"}',
    })
    const [, listed = ''] = /✓ optional packages: (.*)/.exec(stdout) ?? []
    const { peerDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
    for (const name of Object.keys(peerDependencies)) expect(listed).toMatch(new RegExp(`${name} (\\d|–)`))
    expect(listed).toContain('ioredis 6.1.2')
  })

  it('reports the packages and connectors of an app', async () => {
    const { exitCode, stdout } = await viva(['doctor'], { cwd: demo() })
    expect(stdout).toContain('✓ expense (Expense Assistant · scripted)')
    expect(stdout).toContain('✓ connector scripted-user')
    expect(exitCode).toBe(0)
  })

  it('reports a broken config with its place, and what was not checked', async () => {
    const { exitCode, stdout } = await doctor({ 'viva.config.json': '{\n  "agnet": "x"\n}' })
    expect(stdout).toMatch(/✗ viva\.config\.json:2:3: unknown key "agnet" \(did you mean "agent"\?\)/)
    expect(stdout).toContain('agents, models, tools and cases were not checked')
    expect(stdout).toContain('✓ Node')
    expect(stdout).not.toContain('✓ config')
    expect(exitCode).toBe(2)
  })

  it('reports a config that throws, and two configs', async () => {
    const throwing = await doctor({ 'viva.config.mjs': 'throw new Error("no such luck")' })
    expect(throwing.stdout).toContain('no such luck')
    expect(throwing.exitCode).toBe(2)
    const two = await doctor({ 'viva.config.mjs': '', 'viva.config.json': '{}' })
    expect(two.stdout).toContain('which one is meant?')
    expect(two.exitCode).toBe(2)
  })

  it('a missing key is a problem where something uses the connector, and else a warning', async () => {
    const connectors = { main: openai('http://127.0.0.1:1') }
    const unused = await doctor(configFile({ connectors }))
    expect(unused.stdout).toMatch(/! connector main: .*environment variable SHOP_MODEL_KEY is not set/)
    expect(unused.stdout).toContain('set it in the environment or in .env')
    expect(unused.exitCode).toBe(0)
    const used = await doctor(configFile({ connectors, helpers: { connector: 'main' } }))
    expect(used.stdout).toMatch(/✗ connector main: .*environment variable SHOP_MODEL_KEY is not set/)
    expect(used.exitCode).toBe(2)
    const set = await doctor({
      ...configFile({ connectors, helpers: { connector: 'main' } }),
      '.env': 'SHOP_MODEL_KEY=abcdefgh12345678\n',
    })
    expect(set.stdout).toContain('✓ connector main (127.0.0.1:1)')
    expect(set.stdout).toContain('✓ built-in judge, simulator and generator: connector main')
    expect(set.stdout).not.toContain('abcdefgh12345678')
    expect(set.exitCode).toBe(0)
  })

  it('reports agents that are unknown or cannot be loaded', async () => {
    const { exitCode, stdout } = await doctor({
      ...configFile({
        agent: 'exepnse',
        agents: { gone: './gone.mjs', broken: './broken.mjs', command: 'exec:no-such-command-here' },
        helpers: { connector: 'nowhere' },
      }),
      'broken.mjs': 'export default missing()',
    })
    expect(stdout).toMatch(/✗ gone \(\.\/gone\.mjs\): agent \.\/gone\.mjs: no such file/)
    expect(stdout).toMatch(/✗ broken \(\.\/broken\.mjs\): .*missing is not defined/)
    expect(stdout).toMatch(/✗ agent of the config: exepnse: unknown agent "exepnse"/)
    expect(stdout).toMatch(/✗ helpers\.connector: unknown connector "nowhere"/)
    expect(exitCode).toBe(2)
  })

  it('loads the modules with tools, of agents and of simulated users', async () => {
    const tool = (execute: string) =>
      `export const stock = { description: 'x', inputSchema: { type: 'object' }${execute} }`
    const m = { type: 'scripted', options: { rules: [{ reply: 'x' }] } }
    const { exitCode, stdout } = await doctor({
      ...configFile({
        connectors: { m },
        agents: {
          right: { connector: 'm', tools: './right.ts' },
          wrong: { connector: 'm', tools: './wrong.ts' },
        },
        helpers: { connector: 'm', simulator: { tools: './nowhere.ts' } },
      }),
      'right.ts': tool(', execute: async () => 1'),
      'wrong.ts': tool(''),
    })
    expect(stdout).toContain('✓ right.ts: stock')
    expect(stdout).toContain('✗ wrong.ts: the export "stock" has no function `execute`')
    expect(stdout).toContain('helpers.simulator: there is no file nowhere.ts with its tools')
    expect(exitCode).toBe(2)
  })

  it('reports mistakes in the cases that viva test would run', async () => {
    const wrong = Array.from({ length: 7 }, (_, index) => ({ id: `c${index}`, inptu: 'hi' }))
    const { exitCode, stdout } = await doctor({
      ...configFile({ agent: './agent.mjs', inputs: ['tests'] }),
      'agent.mjs': echoAgent,
      'tests/a.jsonl': jsonl(...wrong),
    })
    expect(stdout).toContain('✗ tests/a.jsonl:1:12: c0: unknown key "inptu"')
    expect(stdout).toContain('✗ and 2 more problems')
    expect(exitCode).toBe(2)
  })

  it('reports that results cannot be written', async () => {
    const { exitCode, stdout } = await doctor({ '.viva': 'a file' })
    expect(stdout).toContain('✗ .viva is not a folder')
    expect(exitCode).toBe(2)
  })

  it('uses no network, unless --online is given; then it says whom it contacts, and sends no key', async () => {
    const { host, requests } = await listen()
    const files = configFile({
      connectors: { main: openai(`http://${host}`) },
      agents: { web: `http://${host}/chat` },
    })
    const env = { SHOP_MODEL_KEY: 'abcdefgh12345678' }
    expect((await doctor(files, { env })).exitCode).toBe(0)
    expect(requests).toHaveLength(0)
    const { exitCode, stdout } = await doctor(files, { env, flags: ['--online'] })
    expect(stdout).toContain(`✓ contacted ${host}: it answers`)
    expect(requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/', undefined],
    ])
    expect(exitCode).toBe(0)
  })

  it('--online reports a server that does not answer', async () => {
    const files = configFile({ agents: { web: 'http://127.0.0.1:1/chat' } })
    const { exitCode, stdout } = await doctor(files, { flags: ['--online'] })
    expect(stdout).toMatch(/✗ contacted 127\.0\.0\.1:1: .*ECONNREFUSED/)
    expect(exitCode).toBe(2)
  })

  it('starts MCP servers only with --start', async () => {
    const server = (code: string) =>
      JSON.stringify({ transport: 'stdio', command: 'node', arguments: ['-e', code] })
    const files = { 'app.yao': '{}', 'mcps/dead.mcp.yao': server('process.exit(3)') }
    const idle = await doctor(files)
    expect(idle.stdout).toContain('✓ MCP server dead: not started (--start)')
    expect(idle.exitCode).toBe(0)
    const started = await doctor(files, { flags: ['--start'] })
    expect(started.stdout).toMatch(/✗ MCP server dead: /)
    expect(started.exitCode).toBe(2)
  })

  it('prints no passwords of proxies and addresses', async () => {
    const files = configFile({
      agents: { web: 'http://ada:open-sesame@127.0.0.1:1/chat?token=hush-hush-hush' },
    })
    const env = { HTTPS_PROXY: 'http://bob:let-me-in-now@proxy.example:3128' }
    for (const flags of [[], ['--json']]) {
      const { stdout } = await doctor(files, { env, flags })
      expect(stdout).toContain('proxy.example:3128')
      expect(stdout).not.toMatch(/open-sesame|hush-hush|let-me-in/)
    }
  })

  it('--json prints the findings, and the exit code is the same', async () => {
    const { exitCode, stdout } = await doctor(configFile({ agents: { gone: './gone.mjs' } }), {
      flags: ['--json'],
    })
    const { ok, findings } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(findings).toContainEqual({
      section: 'Agents',
      status: 'error',
      text: expect.stringContaining('no such file'),
    })
    expect(exitCode).toBe(2)
  })
})
