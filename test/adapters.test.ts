import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agent } from '../src/agents/agent.ts'
import { resolveAgent } from '../src/agents/resolve.ts'
import { findConnectors } from '../src/app/connectors.ts'
import { findToolServers } from '../src/app/mcps.ts'
import { openProject } from '../src/project/project.ts'
import { createScriptHost } from '../src/scripts/script-host.ts'
import { agentConformance } from '../src/testing/agent-conformance.ts'
import {
  type FakeAnswer,
  type FakeOpenAIServer,
  startFakeOpenAIServer,
} from '../src/testing/fake-openai-server.ts'
import { type Said, think } from './fixtures/adapters/brain.ts'
import { project, repository, results, viva } from './support/viva.ts'

const fixture = join(repository, 'test/fixtures/adapters')
const adapters = ['module', 'openai', 'package'] as const

let server: FakeOpenAIServer
beforeAll(async () => {
  server = await startFakeOpenAIServer({ answer: (request) => answerOver(request.messages as Said[]) })
})
afterAll(() => server.close())

function answerOver(messages: Said[]): FakeAnswer {
  try {
    const thought = think(messages)
    return thought === 'hang' ? { hang: true } : { finishReason: 'stop', ...thought }
  } catch {
    return { status: 400, error: { message: 'the mind gave out' } }
  }
}

function referenceOf(adapter: (typeof adapters)[number]): string {
  return { module: './agent.ts', openai: `openai:${server.url}#mind`, package: 'brain' }[adapter]
}

describe.each(adapters)('the %s agent', (adapter) => {
  const scripts = createScriptHost()
  let agent: Agent
  beforeAll(async () => {
    const opened = await openProject(fixture, fixture, scripts)
    const connectors = findConnectors(opened, scripts, 16)
    const toolServers = findToolServers(opened)
    const sources = { project: opened, connectors, toolServers, scripts, parallel: 16 }
    agent = (await resolveAgent(referenceOf(adapter), sources)).agent
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

describe('the same ten cases', () => {
  it.each(adapters)('have the same verdicts through the %s agent', async (adapter) => {
    const cwd = project()
    cpSync(fixture, cwd, { recursive: true })
    const args = ['test', '-i', 'cases.jsonl', '-n', referenceOf(adapter), '-o', 'x.jsonl', '--parallel', '4']
    const { exitCode, stdout } = await viva(args, { cwd })
    const given = results(join(cwd, 'x.jsonl')).map(({ id, status, error_kind }) => [
      id,
      [status, error_kind].filter(Boolean).join(' '),
    ])
    expect(Object.fromEntries(given)).toEqual(verdicts)
    expect(stdout).toContain('timeout after 600ms')
    expect(exitCode).toBe(1)
  })
})
