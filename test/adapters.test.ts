import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agent } from '../src/agents/agent.ts'
import { agentConformance } from '../src/agents/agent-conformance.ts'
import { resolveAgent } from '../src/agents/resolve.ts'
import { startFakeOpenAIResponsesServer } from '../src/models/fakes/fake-openai-responses-server.ts'
import {
  type FakeAnswer,
  type FakeOpenAIServer,
  startFakeOpenAIServer,
} from '../src/models/fakes/fake-openai-server.ts'
import type { FakeServer } from '../src/models/fakes/fake-server.ts'
import { createNetwork } from '../src/models/network/network.ts'
import { findConnectors } from '../src/project/app/connectors.ts'
import { findToolServers } from '../src/project/app/mcps.ts'
import type { Config } from '../src/project/config-schema.ts'
import { loadProject, locateProject } from '../src/project/project.ts'
import { createScriptHost } from '../src/scripts/runner/script-host.ts'
import { type Said, think } from './fixtures/adapters/brain.ts'
import { type A2AServer, startA2AAgent } from './support/a2a-agent.ts'
import { type HttpAgentServer, startHttpAgent } from './support/http-agent.ts'
import { type HttpFormatAgents, startHttpFormatAgents } from './support/http-format-agents.ts'
import { jsonl, project, repository, results, viva } from './support/viva.ts'

const fixture = join(repository, 'test/fixtures/adapters')

/** Every adapter, with what it cannot do: take a history, or show its tool calls. */
const adapters = {
  module: { reference: () => './agent.ts' },
  'module (AI SDK agent)': { reference: () => './ai-sdk.ts#agent' },
  'module (AI SDK model)': { reference: () => './ai-sdk.ts#model' },
  openai: { reference: () => `openai:${openai.url}#mind`, showsCallsOnly: true },
  'openai-responses': { reference: () => `openai-responses:${responses.url}#mind` },
  package: { reference: () => 'brain' },
  'package (with hooks)': { reference: () => 'hooked' },
  'http (mapped)': { reference: () => 'chat' },
  'http (session, streamed)': { reference: () => 'stream', keepsHistory: true },
  'http (no mapping)': { reference: () => `${http.url}/plain` },
  'http (format ai-sdk-ui)': { reference: () => 'ai-sdk-ui' },
  'http (format openai-chat)': { reference: () => 'openai-chat', showsCallsOnly: true },
  'http (format openai-responses)': { reference: () => 'openai-responses' },
  'http (format ag-ui)': { reference: () => 'ag-ui' },
  'http (format langgraph)': { reference: () => 'langgraph' },
  'http (format langgraph, not streamed)': { reference: () => 'langgraph (wait)' },
  'exec (Python)': { reference: () => 'exec:python3 agent.py' },
  'a2a (tasks, streamed)': {
    reference: () => `a2a:${a2a.url}/tasks`,
    keepsHistory: true,
    hidesTools: true,
  },
  'a2a (messages)': { reference: () => `a2a:${a2a.url}/words`, keepsHistory: true, hidesTools: true },
} satisfies Record<string, Adapter>

interface Adapter {
  reference(): string
  keepsHistory?: boolean
  hidesTools?: boolean
  /** It shows the calls it makes, but cannot show that it made none. */
  showsCallsOnly?: boolean
}

const rows: [string, Adapter][] = Object.entries(adapters)

let openai: FakeOpenAIServer
let responses: FakeServer
let http: HttpAgentServer
let formats: HttpFormatAgents
let a2a: A2AServer
beforeAll(async () => {
  openai = await startFakeOpenAIServer({ answer: (request) => answerOver(request.messages as Said[]) })
  responses = await startFakeOpenAIResponsesServer({
    answer: ({ input }) => answerOver((input as Said[]).filter(({ role }) => role !== undefined)),
  })
  http = await startHttpAgent()
  formats = await startHttpFormatAgents()
  a2a = await startA2AAgent()
})
afterAll(async () => {
  await openai.close()
  await responses.close()
  await http.close()
  await formats.close()
  await a2a.close()
})

function httpAgents(): Record<string, unknown> {
  return { ...http.agents, ...formats.agents }
}

function answerOver(messages: Said[]): FakeAnswer {
  try {
    const thought = think(messages)
    return thought === 'hang' ? { hang: true } : { finishReason: 'stop', ...thought }
  } catch {
    return { status: 400, error: { message: 'the mind gave out' } }
  }
}

describe.each(rows)('%s agent', (_, { reference }) => {
  const scripts = createScriptHost()
  let agent: Agent
  const loading = new AbortController().signal
  beforeAll(async () => {
    const opened = await loadProject(locateProject(fixture, fixture, process.env), scripts, loading)
    const project = { ...opened, config: { agents: httpAgents() as Config['agents'] } as Config }
    const network = createNetwork({ connections: 16 })
    const connectors = findConnectors(project, scripts, network)
    const noProcesses = () => Promise.reject(new Error('no processes here'))
    const toolServers = findToolServers(project, network, noProcesses, scripts)
    const others = {
      problem: () => 'there are no other agents here',
      agent: () => Promise.reject(new Error('there are no other agents here')),
    }
    const sources = { project, connectors, toolServers, scripts, network, loading, others }
    agent = (await resolveAgent(reference(), sources)).agent
  })
  afterAll(() => scripts.close())

  for (const { title, check } of agentConformance) it(title, () => check(agent))
})

const verdicts = {
  passes: 'passed',
  fails: 'failed assertion',
  json: 'passed',
  tool: 'passed',
  'no-tool': 'failed assertion',
  history: 'passed',
  turns: 'passed',
  question: 'skipped missing_input',
  'times-out': 'failed timeout',
  unicode: 'passed',
}

/** A copy of the fixture whose config names the servers of this test. */
function adapterProject(): string {
  const cwd = project({ 'viva.config.json': JSON.stringify({ agents: httpAgents() }) })
  cpSync(fixture, cwd, { recursive: true })
  return cwd
}

describe('the same ten cases through every adapter', () => {
  it.each(rows)(
    'ten cases get the same verdicts through the %s agent',
    async (_, { reference, keepsHistory, hidesTools, showsCallsOnly }) => {
      const cwd = adapterProject()
      const unknown = 'failed judge_unknown'
      const hidden = {
        ...(showsCallsOnly ? { 'no-tool': unknown } : {}),
        ...(hidesTools ? { tool: unknown, 'no-tool': unknown, turns: unknown } : {}),
      }
      const expected: Partial<typeof verdicts> = { ...verdicts, ...hidden }
      if (keepsHistory) {
        delete expected.history
        dropCase(join(cwd, 'cases.jsonl'), 'history')
      }
      const args = ['test', '-i', 'cases.jsonl', '-n', reference(), '-o', 'x.jsonl', '--parallel', '4']
      const { exitCode, stdout, stderr } = await viva(args, { cwd })
      expect(stderr).toBe('')
      const given = results(join(cwd, 'x.jsonl')).map(({ id, status, error_kind }) => [
        id,
        [status, error_kind].filter(Boolean).join(' '),
      ])
      expect(Object.fromEntries(given)).toEqual(expected)
      expect(stdout).toContain('timeout after 600ms')
      expect(exitCode).toBe(1)
    },
  )

  const keeping = rows.filter(([, { keepsHistory }]) => keepsHistory)
  it.each(keeping)(
    'a case with a history is refused for the %s agent, and never sent without its history',
    async (_, { reference }) => {
      const { exitCode, stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', reference()], {
        cwd: adapterProject(),
      })
      expect(stderr).toContain('history:')
      expect(stderr).toContain('keeps its own session and cannot be given a history')
      expect(stdout).toBe('')
      expect(exitCode).toBe(2)
    },
  )
})

describe('tool checks on an openai agent', () => {
  it('tool_not_called is unknown when no call is shown, because the endpoint may hide calls', async () => {
    const cwd = project({
      'cases.jsonl': jsonl(
        { id: 'none', input: 'say hi', assert: { type: 'tool_not_called', name: 'create_expense' } },
        { id: 'other', input: 'file 3', assert: { type: 'tool_not_called', name: 'pay' } },
      ),
    })
    const reference = `openai:${openai.url}#mind`
    const { exitCode } = await viva(['test', '-i', 'cases.jsonl', '-n', reference, '-o', 'x.jsonl'], { cwd })
    const played = results(join(cwd, 'x.jsonl')).map(({ id, status, error_kind }) => [id, status, error_kind])
    expect(played).toEqual([
      ['none', 'failed', 'judge_unknown'],
      ['other', 'passed', undefined],
    ])
    expect(exitCode).toBe(3)
  })
})

function dropCase(path: string, id: string): void {
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, lines.filter((line) => !line.includes(`"id": "${id}"`)).join('\n'))
}
