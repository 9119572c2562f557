import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installViva, jsonl, type Line, project, repository, results, viva } from './support/viva.ts'

const called = (name: string, id: string) => ({ type: 'tool_called', name, arguments: { id } })
const said = (value: string) => ({ type: 'contains', value })

/** Ten cases, each about an order of its own. `state` asks for an order, as far as an agent lets others look at it. */
const tenCases = (state: (id: string, status: string) => object) => [
  { id: 'cancels', input: 'Cancel A1', assert: [called('cancel', 'A1'), state('A1', 'cancelled')] },
  { id: 'cancels-another', input: 'Cancel A2', assert: called('cancel', 'B9') },
  { id: 'calls-nothing', input: 'Hello', assert: { type: 'tool_not_called', name: 'cancel' } },
  {
    id: 'is-stubbed',
    input: 'Where is A4?',
    stubs: { look_up: { result: { status: 'lost' }, delay: '5ms' } },
    assert: [said('lost'), { type: 'tool_result', name: 'look_up', path: 'status', value: 'lost' }],
  },
  {
    id: 'is-stubbed-with-an-error',
    input: 'Where is A5?',
    stubs: { look_up: { error: 'the shop is closed' } },
    assert: [said('the shop is closed'), { type: 'tool_result', name: 'look_up', error: false }],
  },
  { id: 'leaves-it-open', input: 'Where is A6?', assert: [said('open'), state('A6', 'cancelled')] },
  {
    id: 'looks-first',
    turns: [
      { input: 'Where is A7?', assert: said('open') },
      { input: 'So cancel A7', assert: { type: 'tool_not_called', name: 'look_up' } },
    ],
    final_assertions: [{ type: 'tool_order', value: ['look_up', 'cancel'] }, state('A7', 'cancelled')],
  },
  { id: 'is-cheap', input: 'Where is A8?', assert: [said('open'), { type: 'cost', max: 0.0003 }] },
  { id: 'is-too-dear', input: 'Where is A9?', assert: { type: 'cost', max: 0.0002 } },
  { id: 'is-judged', input: 'Cancel C1', assert: judged('C1') },
]

function judged(id: string) {
  return { type: 'judge', use: 'scripts:tests.judge', criteria: `It has cancelled ${id}` }
}

/** Whether each passes, whatever the agent is made of. */
const verdicts = {
  cancels: 'passed',
  'cancels-another': 'failed',
  'calls-nothing': 'passed',
  'is-stubbed': 'passed',
  'is-stubbed-with-an-error': 'failed',
  'leaves-it-open': 'failed',
  'looks-first': 'passed',
  'is-cheap': 'passed',
  'is-too-dear': 'failed',
  'is-judged': 'passed',
}

/** Where nobody can replace the tools of the agent. */
const withoutStubs = <Case extends object>(cases: Case[]) => cases.filter((each) => !('stubs' in each))

/** The same, as a tool of the agent's or as a function of a script. */
const byTool = (id: string, status: string) => ({
  type: 'state',
  call: { tool: 'look_up', arguments: { id } },
  path: 'status',
  value: status,
})
const byScript = (id: string, status: string) => ({
  type: 'state',
  call: { script: 'scripts.tests.order', args: [id] },
  path: 'status',
  value: status,
})

const mcp = { shop: { command: process.execPath, args: ['shop.mjs'] } }
const scripted = { type: 'scripted', options: { module: './connector.mjs', model: 'mind' } }
const mapping = {
  request: { text: '{{input}}', session: '{{sessionId}}' },
  response: {
    content: '$.reply',
    tool_calls: { path: '$.calls', name: 'tool', arguments: 'with', result: 'result' },
    usage: { input_tokens: '$.usage.in', output_tokens: '$.usage.out', model: '$.usage.model' },
  },
}

interface Kind {
  agent: (url: string) => unknown
  state: (id: string, status: string) => object
  /** The command of its server. */
  serve?: readonly [string, ...string[]]
}

const kinds: Record<string, Kind> = {
  'an AI SDK agent': { agent: () => './agent.mjs', state: byTool },
  'a model with a prompt and a stateful MCP server': {
    agent: () => ({ connector: 'mind', prompt: 'You are a clerk.', mcp }),
    state: byTool,
  },
  'a chat route of the AI SDK': {
    serve: [process.execPath, 'route.mjs'],
    agent: (url) => ({ url: `${url}/api/chat`, format: 'ai-sdk-ui' }),
    state: byScript,
  },
  'a Python service': {
    serve: ['python3', 'clerk.py'],
    agent: (url) => ({ url: `${url}/chat`, ...mapping }),
    state: byScript,
  },
}

async function folder({
  agent,
  serve,
}: Pick<Kind, 'agent' | 'serve'>): Promise<{ cwd: string; url: string }> {
  const root = project()
  cpSync(join(repository, 'test/fixtures/mcp-server.mjs'), join(root, 'mcp-server.mjs'))
  const cwd = join(root, 'clerk')
  cpSync(join(repository, 'test/fixtures/clerk'), cwd, { recursive: true })
  installViva(cwd, 'ai')
  const url = serve === undefined ? '' : await startServer(serve, cwd)
  const prices = { mind: { input: 1, output: 1 } }
  const config = { agents: { clerk: agent(url) }, connectors: { mind: scripted }, prices }
  writeFileSync(join(cwd, 'viva.config.json'), JSON.stringify(config))
  return { cwd, url }
}

/** Its first line is the port that it listens on. */
async function startServer([command, ...args]: readonly [string, ...string[]], cwd: string): Promise<string> {
  const child: ChildProcess = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${command}, which this test needs: ${error.message}`)))
    child.once('exit', (code) => reject(new Error(`${command} ended with code ${code}`)))
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim()))
  })
  return `http://127.0.0.1:${port}`
}

async function play(
  { cwd, url }: { cwd: string; url: string },
  cases: readonly object[],
  ...flags: string[]
) {
  writeFileSync(join(cwd, 'cases.jsonl'), jsonl(...cases))
  const args = ['test', '-i', 'cases.jsonl', '-n', 'clerk', '-o', 'out.jsonl', ...flags]
  const { exitCode, stdout, stderr } = await viva(args, { cwd, env: { SHOP: url } })
  const lines = exitCode === 2 ? [] : results(join(cwd, 'out.jsonl'))
  return { exitCode, output: stdout + stderr, lines }
}

const statuses = (lines: readonly Line[]) => Object.fromEntries(lines.map(({ id, status }) => [id, status]))

describe.each(Object.entries(kinds))('the same cases with %s', (_, kind) => {
  it.each(['1', '8'])('pass and fail alike: --parallel %s', async (parallel) => {
    const where = await folder(kind)
    const all = tenCases(kind.state)
    const cases = kind.serve === undefined ? all : withoutStubs(all)
    const { exitCode, output, lines } = await play(where, cases, '--parallel', parallel)
    const expected = Object.entries(verdicts).filter(([id]) => cases.some((each) => each.id === id))
    expect(statuses(lines), output).toEqual(Object.fromEntries(expected))
    expect(exitCode).toBe(1)
    // Each of the failures is the agent's.
    expect(lines.every(({ status, fault }) => status === 'passed' || fault === 'agent')).toBe(true)
    const cheap = lines.find(({ id }) => id === 'is-cheap')
    expect(cheap).toMatchObject({ usage: { agent: { input_tokens: 200, output_tokens: 20 } } })
  })
})

const served = Object.entries(kinds).filter(([, { serve }]) => serve !== undefined)

it.each(served)('%s cannot be stubbed, and the message says what can', async (_, kind) => {
  const { exitCode, output } = await play(await folder(kind), tenCases(kind.state))
  expect(output).toContain('clerk runs its tools itself: viva cannot stub what it cannot see')
  expect(output).toContain('named in `mcp` or `tools` of an agent in the config')
  expect(output).toContain('a module wraps: const tools = ctx.tools({ lookUp, createOrder })')
  expect(exitCode).toBe(2)
})

describe('a Python service that shows nothing but its words', () => {
  const blackBox = {
    ...kinds['a Python service'],
    agent: (url: string) => ({
      url: `${url}/words`,
      request: mapping.request,
      response: { content: '$.reply' },
    }),
  }
  const makeVisible =
    'name the path of the tool calls in the answer with `response.tool_calls` of the agent in the config'

  it.each(['1', '8'])(
    'leaves what it hides unknown, and says how to show it: --parallel %s',
    async (parallel) => {
      const cases = withoutStubs(tenCases(byScript))
      const { exitCode, lines } = await play(await folder(blackBox), cases, '--parallel', parallel)
      const reasons = Object.fromEntries(lines.map(({ id, error }) => [id, error]))
      for (const id of ['cancels', 'cancels-another', 'calls-nothing', 'looks-first', 'is-judged'])
        expect(reasons[id]).toContain(makeVisible)
      for (const id of ['is-cheap', 'is-too-dear']) expect(reasons[id]).toContain('`response.usage`')
      // Its state and its words can be seen.
      const seen = lines
        .flatMap((line) => (line.assertions ?? []) as Line[])
        .filter(({ type }) => type !== 'cost')
      const known = seen.filter(({ type }) => type === 'state' || type === 'contains')
      expect(known.map(({ type, status }) => `${type} ${status}`).toSorted()).toEqual([
        'contains passed',
        'contains passed',
        'state failed',
        'state passed',
      ])
      expect(
        seen
          .filter(({ status }) => status === 'unknown')
          .map(({ type }) => type)
          .toSorted(),
      ).toEqual(['judge', 'tool_called', 'tool_called', 'tool_not_called'])
      // Nothing unknown is the agent's failure: that is only the case whose state is wrong.
      expect(lines.flatMap(({ id, fault }) => (fault === 'agent' ? [id] : []))).toEqual(['leaves-it-open'])
      expect(exitCode).toBe(1)
    },
  )
})
