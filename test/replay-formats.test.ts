import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Data, sendEvents, sendJson } from './support/format-server.ts'
import { startHttpFormatAgents } from './support/http-format-agents.ts'
import { conversations, readBody, record, replay, run, serve } from './support/replays.ts'
import { jsonl, project } from './support/viva.ts'

const formats = ['ai-sdk-ui', 'openai-chat', 'openai-responses', 'ag-ui', 'langgraph', 'langgraph (wait)']
const args = ['-i', 'cases.jsonl', '-n', 'bot']

function projectWith(agent: unknown, turns: unknown[]): string {
  return project({
    'viva.config.json': JSON.stringify({ agents: { bot: agent }, network: { retries: 0 } }),
    'cases.jsonl': jsonl({ id: 'two', turns }),
  })
}

function recordedCalls(path: string): { target: string; request: unknown }[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.flatMap((line) => JSON.parse(line).calls ?? [])
}

describe.each(formats)('an agent with the format %s', (format) => {
  const turns = [
    { input: 'file 7', assert: { type: 'tool_called', name: 'create_expense', arguments: { amount: 7 } } },
    { input: 'what did I say first?', expected: 'file 7' },
  ]

  it('is replayed without its server', async () => {
    const servers = await startHttpFormatAgents()
    const cwd = projectWith(servers.agents[format], turns)
    const recorded = await record(cwd, args).finally(() => servers.close())
    expect(recorded.lines).toMatchObject([{ status: 'passed' }])
    const replayed = await replay(cwd, args)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
    expect(replayed.exitCode).toBe(0)
  })

  it('is recorded with requests that are the same in every run', async () => {
    const servers = await startHttpFormatAgents()
    onTestFinished(() => servers.close())
    const { body, ...agent } = servers.agents[format] ?? {}
    const own = {
      ...body,
      metadata: { session: '{{sessionId}}', note: 'for {{sessionId}}', turn: '{{turn}}' },
    }
    const cwd = projectWith({ ...agent, body: own }, turns)
    const first = await run(cwd, [...args, '--record', 'one.rec'])
    await run(cwd, [...args, '--record', 'other.rec'])
    const [one, other] = ['one.rec', 'other.rec'].map((name) =>
      recordedCalls(join(cwd, name)).map(({ target, request }) => ({ target, request })),
    )
    const shown = { session: '[session]', note: 'for [session]', turn: 2 }
    expect(one?.[1]?.request).toMatchObject({ body: { metadata: shown } })
    expect(other).toEqual(one)
    const { session_id } = first.lines[0] ?? {}
    expect(servers.requests[0]?.body.metadata).toMatchObject({ session: session_id })
    expect(JSON.stringify(one)).not.toContain(session_id)
  })
})

type Answer = (body: Data, response: ServerResponse, path: string) => void

/** Agents that go on only with what their last answer has left: a state, an interrupt, a thread, a session. */
const stateful: Record<string, { agent(url: string): Data; createAnswer(): Answer }> = {
  'ag-ui': {
    agent: (url) => ({ url, format: 'ag-ui' }),
    createAnswer() {
      const issued = randomUUID()
      return ({ state, resume = [], threadId, runId }, response) => {
        const { count = 0 } = state as { count?: number }
        const [resumed] = resume as { interruptId: string; payload: unknown }[]
        const isKnown = count === 1 && resumed?.interruptId === issued
        const delta = isKnown ? `Done: ${resumed.payload}` : 'Shall I?'
        const asks = { type: 'interrupt', interrupts: [{ id: issued, message: 'Shall I?' }] }
        sendEvents(response, [
          { type: 'STATE_SNAPSHOT', snapshot: { count: count + 1 } },
          { type: 'TEXT_MESSAGE_CHUNK', messageId: randomUUID(), delta },
          { type: 'RUN_FINISHED', threadId, runId, ...(isKnown ? {} : { outcome: asks }) },
        ])
      }
    },
  },
  'langgraph (thread)': {
    agent: (url) => ({
      url: `${url}/threads/{{sessionId}}/runs/wait`,
      format: 'langgraph',
      body: { assistant_id: 'a' },
    }),
    createAnswer() {
      const asked = new Set<string>()
      return ({ command }, response, path) => {
        const { resume } = (command ?? {}) as Data
        const isKnown = resume !== undefined && asked.has(path)
        asked.add(path)
        const done = { messages: [{ type: 'human' }, { type: 'ai', content: `Done: ${resume}` }] }
        const asks = {
          messages: [{ type: 'human' }],
          __interrupt__: [{ id: randomUUID(), value: 'Shall I?' }],
        }
        sendJson(response, isKnown ? done : asks)
      }
    },
  },
  'a mapping': {
    agent: (url) => ({
      url,
      request: { text: '{{input}}', session: '{{session}}' },
      response: { content: '$.text' },
      session: '$.id',
    }),
    createAnswer() {
      const id = randomUUID()
      return ({ session, text }, response) =>
        sendJson(response, { text: session === id ? `Done: ${text}` : 'Shall I?', id })
    },
  },
}

describe.each(Object.keys(stateful))('an agent that remembers, with %s', (name) => {
  const first = { input: 'pay', expected: 'Shall I?' }
  const second = { input: 'yes', expected: 'Done: yes' }

  async function start() {
    const { agent, createAnswer } = stateful[name] ?? {}
    const answer = createAnswer?.()
    let asked = 0
    const server = await serve(async (request, response) => {
      asked += 1
      answer?.(await readBody(request), response, request.url ?? '')
    })
    return { server, asked: () => asked, cwd: projectWith(agent?.(server.url), [first, second]) }
  }

  it('is replayed without its server', async () => {
    const { server, cwd } = await start()
    const recorded = await record(cwd, args)
    expect(recorded.lines).toMatchObject([{ status: 'passed' }])
    await server.close()
    const replayed = await replay(cwd, args)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
    const { session_id } = recorded.lines[0] ?? {}
    const shown = recordedCalls(join(cwd, 'calls.jsonl')).map(({ target, request }) => [target, request])
    expect(JSON.stringify(shown)).not.toContain(session_id)
  })

  it('goes on live after a recorded turn, unless its server would have to know that turn', async () => {
    const { asked, cwd } = await start()
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ id: 'two', turns: [first, { input: 'no' }] }))
    const recorded = await record(cwd, args)
    expect(recorded.lines).toMatchObject([{ turns: [{ output: 'Shall I?' }, { output: 'Done: no' }] }])
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl({ id: 'two', turns: [first, second] }))
    const { exitCode, lines, output } = await replay(cwd, [...args, '--replay-missing', 'live'])
    // The others are sent the new message only.
    if (name === 'ag-ui') {
      expect(lines).toMatchObject([{ status: 'passed' }])
      expect(asked()).toBe(3)
    } else {
      expect(exitCode).toBe(3)
      expect(output).toContain('does not know the calls before it: record the case again')
      expect(asked()).toBe(2)
    }
  })
})
