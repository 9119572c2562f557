import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type FakeAnswer, type FakeOpenAIServer, startFakeOpenAIServer } from '../src/testing.ts'
import { type PackedViva, packViva, runPacked } from './support/packed.ts'
import { openPseudoTerminal } from './support/pseudo-terminal.ts'
import { demo, project, repository, results } from './support/viva.ts'

let packed: PackedViva
beforeAll(() => {
  packed = packViva()
})
afterAll(() => packed.remove())

const key = 'sk-never-to-be-written-0123456789'

interface Started {
  exitCode: number | null
  output: string
  /** Ids of cases with their results. */
  verdicts: Record<string, string>
}

/** `viva init` in a folder, from nothing to the results of its cases. */
async function init(
  cwd: string,
  { args = ['--yes'], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<Started> {
  const { exitCode, stdout, stderr } = await runPacked(packed, ['init', ...args], { cwd, env })
  return { exitCode, output: stdout + stderr, verdicts: readVerdicts(cwd) }
}

function readVerdicts(cwd: string): Record<string, string> {
  const runs = join(cwd, '.viva/runs')
  const [journal] = existsSync(runs) ? readdirSync(runs) : []
  if (journal === undefined) return {}
  return Object.fromEntries(
    results(join(runs, journal)).map(({ id, status }) => [String(id), String(status)]),
  )
}

const read = (cwd: string, name: string) => readFileSync(join(cwd, name), 'utf8')

/** No case that was written passes against an agent that must not. */
async function expectAudited(cwd: string, env: Record<string, string> = {}): Promise<void> {
  const { exitCode, stdout } = await runPacked(packed, ['audit'], { cwd, env })
  expect(stdout).toContain('✓ No case passes against an agent that should fail')
  expect(exitCode).toBe(0)
}

/** All files that are below a folder, without those of git and of packages. */
function listWritten(cwd: string): string[] {
  return readdirSync(cwd, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^(?:\.git|node_modules|\.viva)(?:\/|$)/.test(name))
    .filter((name) => statSync(join(cwd, name)).isFile())
    .sort()
}

interface Said {
  role: string
  content: unknown
}

/** A model that remembers, follows instructions and calls its tools, unless it forgets. */
async function startModel({ forgets = false } = {}): Promise<FakeOpenAIServer> {
  const server = await startFakeOpenAIServer({
    answer: (request): FakeAnswer => {
      const messages = request.messages as Said[]
      const texts = messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content))
      const last = texts.at(-1) ?? ''
      const tool = /your tool (\w+)/.exec(last)?.[1]
      if (messages.at(-1)?.role === 'tool') return `It returned ${textOf(messages.at(-1)?.content)}.`
      if (tool !== undefined)
        return { toolCalls: [{ name: toolNamed(request.tools, tool), arguments: { id: '7' } }] }
      if (last.includes('pineapple')) return 'Pineapple.'
      const name = forgets ? undefined : /My name is (\w+)/.exec(texts.join('\n'))?.[1]
      if (last.includes('my name?')) return name === undefined ? 'I do not know.' : `You are ${name}.`
      return 'I can help you with orders and with deliveries.'
    },
  })
  onTestFinished(() => server.close())
  return server
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : JSON.stringify(content)
}

function toolNamed(tools: unknown, name: string): string {
  const names = (tools as { function: { name: string } }[]).map((tool) => tool.function.name)
  return names.find((each) => each === name || each.endsWith(`__${name}`)) ?? name
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('viva init with an OpenAI-compatible URL', () => {
  it('one command writes a config and cases, and runs them against the model', async () => {
    const server = await startModel()
    const cwd = project()
    packed.install(cwd)
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: key, OPENAI_MODEL: 'small' }
    const { exitCode, output, verdicts } = await init(cwd, { env })
    expect(output).toContain(`4 messages to small at ${server.url}`)
    expect(output).toContain('Calls:  about 4 to the agent')
    expect(verdicts).toEqual({
      'introduces-itself': 'passed',
      remembers: 'passed',
      'follows-instructions': 'passed',
    })
    expect(exitCode).toBe(0)
    expect(server.requests).toHaveLength(4)
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(listWritten(cwd)).toEqual(['tests/first.cases.yaml', 'viva.config.ts'])
    expect(read(cwd, 'viva.config.ts')).toContain(
      `import { defineConfig } from 'vivavoce'\n\n// viva init found the model at ${server.url}, named by OPENAI_BASE_URL.\n` +
        `export default defineConfig({\n  agent: 'openai:${server.url}#small',\n  inputs: ['tests'],\n})\n`,
    )
    await expectAudited(cwd, env)
    const again = await runPacked(packed, ['test'], { cwd, env })
    expect(again.exitCode).toBe(0)
    for (const name of listWritten(cwd)) expect(read(cwd, name)).not.toContain(key)
  })

  it('a model that forgets fails the case about its memory, and that is the exit code', async () => {
    const server = await startModel({ forgets: true })
    const cwd = project({ '.env': `OPENAI_BASE_URL=${server.url}\nOPENAI_MODEL=small\n` })
    const { exitCode, verdicts, output } = await init(cwd)
    expect(verdicts).toMatchObject({ 'introduces-itself': 'passed', remembers: 'failed' })
    expect(exitCode).toBe(1)
    expect(output).toContain('npm install --save-dev vivavoce')
    expect(read(cwd, 'viva.config.ts')).not.toContain('import')
  })
})

describe('viva init with an AI SDK agent', () => {
  const files = {
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: { ai: '6' },
      devDependencies: { vitest: '4' },
    }),
    'src/agent.ts': `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ToolLoopAgent, tool } from 'ai'
import { z } from 'zod'

const provider = createOpenAICompatible({ name: 'loopback', baseURL: process.env.MODEL_URL ?? '', apiKey: process.env.MODEL_KEY })
const getOrder = tool({
  description: 'Finds an order.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => ({ id, status: 'shipped' }),
})
const instructions = 'You answer questions about orders and deliveries of a shop.'
export const support = new ToolLoopAgent({
  model: provider('m'),
  instructions,
  tools: { deleteOrder: getOrder, getOrder },
  maxRetries: 0,
})
`,
  }

  it('the exported agent is found, and checked for its tool and its purpose', async () => {
    const server = await startModel()
    const cwd = project(files)
    packed.install(cwd, 'ai', '@ai-sdk/openai-compatible', 'zod')
    const { exitCode, output, verdicts } = await init(cwd, { env: { MODEL_URL: server.url, MODEL_KEY: key } })
    expect(output).toContain('Found an AI SDK agent, support in src/agent.ts')
    expect(output).toContain("import { describeAgent } from 'vivavoce/vitest'")
    expect(verdicts).toEqual({
      'introduces-itself': 'passed',
      remembers: 'passed',
      'calls-its-tool': 'passed',
    })
    expect(exitCode).toBe(0)
    expect(read(cwd, 'viva.config.ts')).toContain("agent: './src/agent.ts#support'")
    const cases = read(cwd, 'tests/first.cases.yaml')
    expect(cases).toContain('{ type: tool_called, name: getOrder }')
    expect(cases).toContain('value: [ order, deliver, shop ]')
  })
})

/** An agent of the standard library that keeps conversations by their ids, unless it forgets. */
function pythonService(port: number, forgets = false): string {
  return `import json
from http.server import BaseHTTPRequestHandler, HTTPServer

conversations = {}


class Agent(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200 if self.path == "/health" else 404, {"status": "ok"})

    def do_POST(self):
        if self.path != "/chat":
            return self.answer(404, {"error": "not found"})
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = conversations.setdefault(body["session_id"], [])
        said.append(body["message"])
        names = [text for text in said if "My name is" in text and not ${forgets ? 'True' : 'False'}]
        if "my name?" in body["message"]:
            return self.answer(200, {"reply": names[0] if names else "You did not say."})
        self.answer(200, {"reply": "I take orders for pizza and pasta."})

    def answer(self, status, data):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(data).encode())

    def log_message(self, *arguments):
        pass


HTTPServer(("127.0.0.1", ${port}), Agent).serve_forever()
`
}

describe('viva init with a Python HTTP service', () => {
  it('one command starts the service, tests it and stops it', async () => {
    const port = await freePort()
    const cwd = project({ 'server.py': pythonService(port) })
    packed.install(cwd)
    const { exitCode, output, verdicts } = await init(cwd)
    expect(output).toContain('Found an HTTP service in server.py, POST /chat')
    expect(verdicts).toEqual({
      'introduces-itself': 'passed',
      remembers: 'passed',
      'survives-odd-input': 'passed',
    })
    expect(exitCode).toBe(0)
    const config = read(cwd, 'viva.config.ts')
    expect(config).toContain(`url: 'http://127.0.0.1:${port}/chat'`)
    expect(config).toContain("request: { message: '{{input}}', session_id: '{{sessionId}}' }")
    expect(config).toContain("response: { content: '$.reply' }")
    expect(config).toContain(`{ command: 'python3 server.py', url: 'http://127.0.0.1:${port}/health' }`)
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
    await expectAudited(cwd)
  })

  it('a service that forgets fails the case about its memory', async () => {
    const cwd = project({ 'server.py': pythonService(await freePort(), true) })
    const { exitCode, verdicts } = await init(cwd)
    expect(verdicts).toMatchObject({ 'introduces-itself': 'passed', remembers: 'failed' })
    expect(exitCode).toBe(1)
  })
})

describe('viva init with an OpenAPI description', () => {
  it('with --yes, a public host is not called, and the output says so', async () => {
    const schema = { properties: { message: {} } }
    const post = { requestBody: { content: { 'application/json': { schema } } } }
    const description = { servers: [{ url: 'https://agent.invalid' }], paths: { '/talk': { post } } }
    const cwd = project({ 'openapi.json': JSON.stringify(description) })
    const { exitCode, output, verdicts } = await init(cwd)
    expect(output).toContain('The cases are not run: agent.invalid is a public host, and nobody was asked.')
    expect(verdicts).toEqual({})
    expect(exitCode).toBe(0)
    expect(read(cwd, 'viva.config.ts')).toContain("url: 'https://agent.invalid/talk'")
  })
})

describe('viva init with an MCP server', () => {
  const listed = (server: object) => ({ '.mcp.json': JSON.stringify({ mcpServers: { counter: server } }) })
  const counter = join(repository, 'test/fixtures/tools/counter.mjs')
  const server = { command: 'node', args: ['counter.mjs'] }

  function folder(files: Record<string, string>): string {
    const cwd = project(files)
    cpSync(counter, join(cwd, 'counter.mjs'))
    packed.install(cwd)
    return cwd
  }

  it('without a model, a script calls a tool that only reads, and the output says so', async () => {
    const cwd = folder(listed({ ...server, env: { COUNTER_TOKEN: key } }))
    const { exitCode, output, verdicts } = await init(cwd)
    expect(output).toContain('Found an MCP server in .mcp.json: counter')
    expect(output).toContain('NO MODEL IS USED')
    expect(verdicts).toEqual({
      'tool-answers': 'passed',
      'tool-answers-twice': 'passed',
      'tool-is-fast': 'passed',
    })
    expect(exitCode).toBe(0)
    const config = read(cwd, 'viva.config.ts')
    expect(config).toContain("tool_calls: [{ name: 'counter__get', arguments: {} }]")
    expect(config).toContain("env: { COUNTER_TOKEN: '$ENV.COUNTER_TOKEN' }")
    expect(config + output).not.toContain(key)
    await expectAudited(cwd, { COUNTER_TOKEN: key })
  })

  it('a server of an unknown kind is left out, and does not matter to another agent', async () => {
    const odd = { type: 'ws', url: 'ws://127.0.0.1:1' }
    const cwd = folder({ '.mcp.json': JSON.stringify({ mcpServers: { odd, counter: server } }) })
    const { exitCode, output } = await init(cwd, { args: ['--yes', '--no-run'] })
    expect(output).toContain('MCP server odd has neither a command nor an http(s) url: it is left out.')
    expect(exitCode).toBe(0)
    const broken = { ...listed(odd), 'agent.mjs': 'export default () => "I sell tea and coffee."\n' }
    for (const args of [
      ['--yes', '--no-run'],
      ['--yes', '--no-run', '-n', './agent.mjs'],
    ]) {
      const other = await init(folder(broken), { args })
      expect(other.output).not.toContain('odd')
      expect(other.exitCode).toBe(0)
    }
    const meant = await init(folder(broken), { args: ['--yes', '-n', '.mcp.json'] })
    expect(meant.output).toContain('MCP server counter has neither a command nor an http(s) url')
    expect(meant.exitCode).toBe(2)
  })

  it('with --yes, the command is shown before it is started', async () => {
    const cwd = folder(listed({ command: 'node', args: ['missing.mjs', '--token', key] }))
    const { output } = await init(cwd)
    expect(output).toContain("Start `node missing.mjs --token '$ENV.COUNTER_TOKEN'` to list its tools")
    expect(output).not.toContain(key)
  })

  it('with a model, the model has the tools of the server that only read', async () => {
    const model = await startModel()
    const cwd = folder(listed(server))
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: key, OPENAI_MODEL: 'small' }
    const { exitCode, output, verdicts } = await init(cwd, { env })
    expect(output).toContain(`small at ${model.url}, with the tool get`)
    expect(output).toContain(
      'Tools of counter that may change something are left out: add, reset, die. To allow one, add it to mcp.counter.tools',
    )
    const offered = model.requests.map(({ body }) => (body as { tools: unknown[] }).tools.length)
    expect(new Set(offered)).toEqual(new Set([1]))
    expect(verdicts).toEqual({
      'introduces-itself': 'passed',
      remembers: 'passed',
      'calls-its-tool': 'passed',
    })
    expect(exitCode).toBe(0)
    expect(read(cwd, 'viva.config.ts')).toContain("key: '$ENV.OPENAI_API_KEY'")
    await expectAudited(cwd, env)
  })

  it('a package that is an MCP server is started by its bin', async () => {
    const manifest = { bin: { shop: './counter.mjs' }, dependencies: { '@modelcontextprotocol/server': '2' } }
    const cwd = folder({ 'package.json': JSON.stringify(manifest) })
    const { exitCode, output } = await init(cwd)
    expect(output).toContain('Found the MCP server of this package')
    expect(exitCode).toBe(0)
    expect(read(cwd, 'viva.config.ts')).toContain(
      "mcp: { server: { command: 'node', args: ['counter.mjs'], tools: ['get'] } }",
    )
    const unbuilt = project({ 'package.json': JSON.stringify({ ...manifest, bin: 'dist/index.js' }) })
    const refused = await init(unbuilt)
    expect(refused.output).toContain(
      'the MCP server of this package is dist/index.js, which is not there (build it first)',
    )
    expect(refused.exitCode).toBe(2)
  })

  it('a tool that may change something is not called', async () => {
    const cwd = folder({})
    const text = read(cwd, 'counter.mjs').replace(/\n {2}get: .*/, '')
    writeFileSync(join(cwd, 'counter.mjs'), text)
    writeFileSync(join(cwd, '.mcp.json'), listed(server)['.mcp.json'])
    const { exitCode, output, verdicts } = await init(cwd)
    expect(output).toContain('The cases are not run: add may change something, so it is not called now')
    expect(verdicts).toEqual({})
    expect(exitCode).toBe(0)
    expect(existsSync(join(cwd, 'viva.config.ts'))).toBe(true)
  })

  it('with a model and no tool that only reads, the model gets no tools and is not called', async () => {
    const model = await startModel()
    const cwd = folder(listed(server))
    const text = read(cwd, 'counter.mjs')
      .replace(/\n {2}get: .*/, '\n  get_or_create: () => ({ value }),\n  get_all: () => ({ value }),')
      .replace(
        "({ name, inputSchema: { type: 'object' } })",
        "({ name, inputSchema: { type: 'object' }, annotations: { destructiveHint: true } })",
      )
    writeFileSync(join(cwd, 'counter.mjs'), text)
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: key, OPENAI_MODEL: 'small' }
    const { exitCode, output, verdicts } = await init(cwd, { env })
    expect(output).toContain('The cases are not run: no tool is known to only read')
    expect(output).toContain('MCP server counter is left out')
    expect(verdicts).toEqual({})
    expect(exitCode).toBe(0)
    expect(model.requests).toEqual([])
    expect(read(cwd, 'viva.config.ts')).not.toContain('mcp:')
  })

  it('a server that cannot be started is an error, and nothing is written', async () => {
    const cwd = folder(listed({ command: 'node', args: ['missing.mjs'] }))
    const { exitCode, output } = await init(cwd)
    expect(output).toContain('MCP server counter')
    expect(exitCode).toBe(2)
    expect(existsSync(join(cwd, 'viva.config.ts'))).toBe(false)
  })
})

describe('viva init with a Yao app', () => {
  it('the only agent is tested, with a judgement that it deserves', async () => {
    const cwd = demo()
    for (const name of ['reporters', 'workers']) rmSync(join(cwd, 'assistants', name), { recursive: true })
    packed.install(cwd)
    const { exitCode, output, verdicts } = await init(cwd)
    expect(output).toContain('Found the agent expense of a Yao app')
    expect(verdicts).toEqual({
      'introduces-itself': 'passed',
      remembers: 'failed',
      'keeps-its-prompt-private': 'passed',
    })
    expect(exitCode).toBe(1)
    expect(read(cwd, 'viva.config.ts')).toContain("agent: 'expense'")
    await expectAudited(cwd)
  })

  it('one of several agents must be named', async () => {
    const cwd = demo()
    packed.install(cwd)
    const refused = await init(cwd)
    expect(refused.output).toContain('there are 5 agents here: expense, reporters.my-reporter,')
    expect(refused.output).toContain('name one: viva init --yes -n expense')
    expect(refused.exitCode).toBe(2)
    expect(existsSync(join(cwd, 'viva.config.ts'))).toBe(false)
    const named = await init(cwd, { args: ['--yes', '-n', 'expense'] })
    expect(named.verdicts).toMatchObject({ 'introduces-itself': 'passed' })
  })
})

describe('viva init with nothing', () => {
  it('a folder without an agent gets a placeholder, and the output says so', async () => {
    const cwd = project()
    execFileSync('git', ['init', '--quiet'], { cwd })
    packed.install(cwd)
    const { exitCode, output, verdicts } = await init(cwd)
    expect(output).toContain(
      'No agent was found: agent.mjs is a placeholder. It uses no model, no key and no network.',
    )
    expect(verdicts).toEqual({
      'introduces-itself': 'passed',
      remembers: 'passed',
      'looks-up-order': 'passed',
    })
    expect(exitCode).toBe(0)
    expect(listWritten(cwd)).toEqual([
      '.github/workflows/viva.yml',
      '.gitignore',
      'agent.mjs',
      'tests/first.cases.yaml',
      'viva.config.ts',
    ])
    expect(read(cwd, '.gitignore')).toBe('.viva/\n')
    expect(read(cwd, 'agent.mjs')).toContain('A PLACEHOLDER')
    await expectAudited(cwd)
  })
})

describe('viva init at a terminal', () => {
  const agent = 'export default (input) => `You said: ${input}. That is all I can do for you.`\n'

  function open(cwd: string, env: Record<string, string> = {}, args = '') {
    const none = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', OLLAMA_HOST: '' }
    return openPseudoTerminal(`"${process.execPath}" "${packed.bin}" init ${args}; echo "exit $?"`, {
      cwd,
      env: { ...none, ...env },
    })
  }

  it('it asks which agent is meant, and again after an answer that it does not understand', async () => {
    const cwd = project({ 'agent.mjs': agent, 'src/agent.mjs': agent })
    const terminal = open(cwd)
    const question = await terminal.see('Number: [1]')
    expect(question).toContain('1  ./agent.mjs: a module with an agent, agent.mjs')
    expect(question).toContain('2  ./src/agent.mjs')
    terminal.type('3\r')
    await terminal.see('write a number from 1 to 2')
    terminal.type('2\r')
    await terminal.see('Write these files and run the cases? (yes, no, write: without a run) [yes]')
    expect(existsSync(join(cwd, 'viva.config.ts'))).toBe(false)
    terminal.type('\r')
    await terminal.see('exit 1')
    expect(read(cwd, 'viva.config.ts')).toContain("agent: './src/agent.mjs'")
    expect(readVerdicts(cwd)).toMatchObject({ remembers: 'failed', 'survives-odd-input': 'passed' })
  })

  it('an empty line takes the default, and another answer is what is tested', async () => {
    const server = await startModel()
    const cwd = project()
    const terminal = open(cwd, { OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'small' })
    await terminal.see('Which model? [small]')
    terminal.type('two words\r')
    await terminal.see('has no blanks')
    terminal.type('large\r')
    await terminal.see('[yes]')
    terminal.type('\r')
    await terminal.see('exit 0')
    expect(server.requests.map(({ body }) => (body as { model: string }).model)).toEqual(
      Array(4).fill('large'),
    )
  })

  it('files are written without a run, or not at all', async () => {
    const cwd = project({ 'agent.mjs': agent })
    const refusing = open(cwd)
    await refusing.see('[yes]')
    refusing.type('no\r')
    await refusing.see('Nothing was written.')
    await refusing.see('exit 0')
    expect(readdirSync(cwd)).toEqual(['agent.mjs'])
    const writing = open(cwd)
    await writing.see('[yes]')
    writing.type('write\r')
    await writing.see('exit 0')
    expect(readdirSync(cwd).sort()).toEqual(['agent.mjs', 'tests', 'viva.config.ts'])
  })

  it('Ctrl-C and Ctrl-D at a question leave nothing behind', async () => {
    const cwd = project({ 'agent.mjs': agent })
    const interrupted = open(cwd)
    await interrupted.see('[yes]')
    interrupted.type('\u0003')
    await interrupted.see('exit 130')
    const ended = open(cwd)
    await ended.see('[yes]')
    ended.type('\u0004')
    await ended.see('no answer: nothing was written (--yes takes the defaults)')
    await ended.see('exit 2')
    expect(readdirSync(cwd)).toEqual(['agent.mjs'])
  })

  it('an MCP server is not started before the user has agreed', async () => {
    const starting = "import { writeFileSync } from 'node:fs'\nwriteFileSync('started', '')\n"
    const servers = { counter: { command: 'node', args: ['counter.mjs'] } }
    const cwd = project({
      '.mcp.json': JSON.stringify({ mcpServers: servers }),
      'counter.mjs': starting + readFileSync(join(repository, 'test/fixtures/tools/counter.mjs'), 'utf8'),
    })
    const refusing = open(cwd)
    await refusing.see('Start `node counter.mjs` to list its tools? (yes, no) [yes]')
    refusing.type('no\r')
    await refusing.see('Nothing was written.')
    await refusing.see('exit 0')
    expect(existsSync(join(cwd, 'started'))).toBe(false)
    const agreeing = open(cwd)
    await agreeing.see('to list its tools?')
    agreeing.type('\r')
    await agreeing.see('Write these files and run the cases?')
    expect(existsSync(join(cwd, 'started'))).toBe(true)
    agreeing.type('no\r')
    await agreeing.see('exit 0')
    // The list of agents says what is started, so that choosing one is enough.
    const choosing = open(cwd, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'small' })
    await choosing.see('will start `node counter.mjs` to list its tools')
    choosing.type('1\r')
    await choosing.see('Which model?')
    choosing.type('\u0003')
    await choosing.see('exit 130')
  })

  it('--yes asks nothing', async () => {
    const terminal = open(project({ 'agent.mjs': agent }), {}, '--yes')
    await terminal.see('exit 1')
    expect(terminal.shown()).not.toContain('[yes]')
  })
})

describe('viva init where files are already there', () => {
  it('files of others are kept and named, and what is missing is written', async () => {
    const cwd = project({
      'agent.mjs': 'export default (input) => `I sell tea. You said ${input}`\n',
      'tests/fixtures/people.jsonl': '{"name": "Ada"}\n',
      '.github/workflows/viva.yml': 'mine\n',
      '.gitignore': 'node_modules',
    })
    const { output } = await init(cwd)
    expect(output).toContain('= .github/workflows/viva.yml (is there already, and is kept)')
    expect(read(cwd, '.github/workflows/viva.yml')).toBe('mine\n')
    expect(read(cwd, '.gitignore')).toBe('node_modules\n.viva/\n')
    // The folder tests has files that viva would take for cases.
    expect(read(cwd, 'viva.config.ts')).toContain("inputs: ['tests/viva']")
    expect(existsSync(join(cwd, 'tests/viva/first.cases.yaml'))).toBe(true)
  })

  it('a folder in a repository gets no workflow, because it would never run there', async () => {
    const cwd = project({ 'agents/one/agent.mjs': 'export default () => "hello"\n' })
    execFileSync('git', ['init', '--quiet'], { cwd })
    const { output, verdicts } = await init(join(cwd, 'agents/one'), { args: ['--yes', '--no-run'] })
    expect(output).toContain(
      `No workflow for CI is written: workflows are in the root of the repository, ${cwd}.`,
    )
    expect(verdicts).toEqual({})
    expect(listWritten(join(cwd, 'agents/one'))).toEqual([
      '.gitignore',
      'agent.mjs',
      'tests/first.cases.yaml',
      'viva.config.ts',
    ])
  })

  it('a second viva init changes nothing and says what to do', async () => {
    const cwd = project()
    await init(cwd)
    const before = listWritten(cwd).map((name) => read(cwd, name))
    const { exitCode, output } = await init(cwd)
    expect(output).toContain('viva.config.ts: the folder has a config and cases already. Nothing was written')
    expect(output).toContain('viva test runs them')
    expect(exitCode).toBe(2)
    expect(listWritten(cwd).map((name) => read(cwd, name))).toEqual(before)
  })

  it('a project with a config and an agent, but without cases, gets cases', async () => {
    const config = '{ "agent": "./agent.mjs" }\n'
    const cwd = project({
      'viva.config.json': config,
      'agent.mjs': 'export default () => "I sell tea and coffee."\n',
    })
    const { exitCode, output, verdicts } = await init(cwd)
    expect(output).toContain("viva.config.json stays as it is. Add inputs: ['tests'] to it")
    expect(verdicts).toEqual({
      'introduces-itself': 'passed',
      remembers: 'failed',
      'survives-odd-input': 'passed',
    })
    expect(exitCode).toBe(1)
    expect(listWritten(cwd)).toEqual(['agent.mjs', 'tests/first.cases.yaml', 'viva.config.json'])
    expect(read(cwd, 'viva.config.json')).toBe(config)
  })

  it.each([
    ['{ "agnt": "./agent.mjs" }', 'unknown key "agnt"'],
    ['{ "timeout": "5s" }', 'which names no `agent`'],
  ])('the config %s is kept, and nothing is written', async (config, message) => {
    const cwd = project({ 'viva.config.json': config })
    const { exitCode, output } = await init(cwd)
    expect(output).toContain(message)
    expect(exitCode).toBe(2)
    expect(listWritten(cwd)).toEqual(['viva.config.json'])
  })
})

describe('what viva init refuses', () => {
  const fakeModule = 'export default () => "hello"\n'

  it.each<[what: string, files: Record<string, string>, args: string[], message: string]>([
    ['a broken package.json', { 'package.json': '{ "name": ' }, [], 'package.json:1:11: invalid JSON'],
    ['a package.json that is a list', { 'package.json': '[]' }, [], 'package.json: it is not a JSON object'],
    [
      'two agents',
      { 'agent.mjs': fakeModule, 'src/agent.ts': fakeModule },
      [],
      'there are 2 agents here: ./agent.mjs, ./src/agent.ts',
    ],
    ['a module that is not there', {}, ['-n', './nowhere.ts'], '-n ./nowhere.ts: no such file'],
    [
      'the placeholder beside an agent',
      { 'src/agent.ts': fakeModule },
      ['-n', './agent.mjs'],
      '-n ./agent.mjs: no such file',
    ],
    [
      'an agent that is not there',
      { 'agent.mjs': fakeModule },
      ['-n', 'expense'],
      '-n expense: no such agent (there is ./agent.mjs;',
    ],
    [
      'an address with a password',
      {},
      ['-n', 'http://ada:secret-0123@127.0.0.1:1/chat'],
      'the address has a password',
    ],
    [
      'a file in place of the folder tests',
      { 'agent.mjs': fakeModule, tests: 'x' },
      [],
      'tests is not a folder. Nothing was written',
    ],
    [
      'an MCP server without an address',
      { '.mcp.json': '{"mcpServers": {"a": {}}}' },
      [],
      'MCP server a has neither a command nor an http(s) url',
    ],
    ['a broken .mcp.json', { '.mcp.json': '{' }, [], '.mcp.json:1:2: invalid JSON'],
    ['an unknown flag', {}, ['--force'], "unknown option '--force'"],
  ])('%s is refused with exit code 2, and nothing is written', async (_, files, args, message) => {
    const cwd = project(files)
    const before = listWritten(cwd)
    const { exitCode, output } = await init(cwd, { args: ['--yes', ...args] })
    expect(output).toContain(message)
    expect(output).not.toContain('secret-0123')
    expect(exitCode).toBe(2)
    expect(listWritten(cwd)).toEqual(before)
  })

  it('a model that nobody named is asked for', async () => {
    const cwd = project()
    const { exitCode, output } = await init(cwd, { env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } })
    expect(output).toContain('Which model? There is no default (set OPENAI_MODEL, or name the agent')
    expect(exitCode).toBe(2)
    expect(listWritten(cwd)).toEqual([])
  })

  it('an address of the environment that has a password is not written', async () => {
    const cwd = project()
    const { exitCode, output } = await init(cwd, {
      env: { OPENAI_BASE_URL: 'http://ada:secret-0123@127.0.0.1:1/v1' },
    })
    expect(output).toContain('OPENAI_BASE_URL: the address')
    expect(output).not.toContain('secret-0123')
    expect(exitCode).toBe(2)
    expect(listWritten(cwd)).toEqual([])
  })

  it('the home folder and the root of the file system are refused', async () => {
    const cwd = project()
    const home = await init(cwd, { env: { HOME: cwd } })
    expect(home.output).toContain(`${cwd} is your home folder (go to the folder of your agent)`)
    expect(home.exitCode).toBe(2)
    expect(listWritten(cwd)).toEqual([])
    const root = await init('/')
    expect(root.output).toContain('/ is the root of the file system')
    expect(root.exitCode).toBe(2)
  })

  it('a folder that cannot be written is refused', async () => {
    const cwd = project({ 'agent.mjs': fakeModule })
    chmodSync(cwd, 0o555)
    // The administrator may write everywhere, so that somebody else runs it.
    const isRoot = process.getuid?.() === 0
    const { exitCode, stderr } = await runPacked(packed, ['init', '--yes'], {
      cwd,
      ...(isRoot ? { uid: 65_534 } : {}),
    })
    chmodSync(cwd, 0o755)
    expect(stderr).toContain(`${cwd} cannot be written: nothing was written`)
    expect(exitCode).toBe(2)
  })

  it('an agent that ends at once is an infrastructure error, and the files stay', async () => {
    const cwd = project()
    const { exitCode, output } = await init(cwd, { args: ['-n', 'exec:node --eval 0'] })
    expect(output).toContain('There is no terminal to ask questions: the defaults are taken (--yes)')
    expect(output).toContain('nothing was learned about the agent yet')
    expect(exitCode).toBe(3)
    expect(listWritten(cwd)).toEqual(['tests/first.cases.yaml', 'viva.config.ts'])
  })
})
