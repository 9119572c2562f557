import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Said, Thought } from './fixtures/adapters/brain.ts'
import { sendEvents } from './support/format-server.ts'
import { type HttpFormatAgents, startHttpFormatAgents } from './support/http-format-agents.ts'
import { jsonl, project, results, viva } from './support/viva.ts'

/** Files expenses, and knows from the conversation which it has filed. */
function clerk(said: readonly Said[]): Thought {
  const users = said.filter(({ role }) => role === 'user').map(({ content }) => content)
  const amounts = users.flatMap((text) => /^file (\d+)$/.exec(text)?.[1] ?? [])
  const last = users.at(-1) ?? ''
  if (last === 'how much?') return { text: `You have filed ${amounts.join(' and ') || 'nothing'}.` }
  const amount = /^file (\d+)$/.exec(last)?.[1]
  if (amount === undefined) return { text: `You said: ${last}.` }
  return { text: 'Filed ✓', toolCalls: [{ name: 'create_expense', arguments: { amount: Number(amount) } }] }
}

const call = {
  id: 'c1',
  type: 'function',
  function: { name: 'create_expense', arguments: '{"amount": 3}' },
}

const cases = [
  { id: 'says', input: 'good day', assert: { type: 'contains', value: 'You said: good day' } },
  { id: 'says-not', input: 'good day', assert: { type: 'contains', value: 'good night' } },
  { id: 'calls', input: 'file 250', assert: calls(250) },
  { id: 'calls-not', input: 'file 250', assert: calls(90) },
  {
    id: 'remembers',
    turns: [
      { input: 'file 7' },
      { input: 'how much?', assert: { type: 'equals', value: 'You have filed 7.' } },
    ],
  },
  {
    id: 'remembers-not',
    turns: [
      { input: 'hello' },
      { input: 'how much?', assert: { type: 'equals', value: 'You have filed 7.' } },
    ],
  },
  {
    id: 'continues',
    messages: [
      { role: 'user', content: 'file 3' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [call],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"filed": true}' },
      { role: 'assistant', content: 'Filed.' },
      { role: 'user', content: 'how much?' },
    ],
    assert: { type: 'contains', value: '3' },
  },
]

function calls(amount: number) {
  return { type: 'tool_called', name: 'create_expense', arguments: { amount } }
}

const formats = ['ai-sdk-ui', 'openai-chat', 'openai-responses', 'ag-ui', 'langgraph', 'langgraph (wait)']

let servers: HttpFormatAgents
beforeAll(async () => {
  servers = await startHttpFormatAgents(clerk)
})
afterAll(() => servers.close())

describe('agents with a format', () => {
  it.each(formats)('the same cases pass and fail with the format %s', async (format) => {
    const { exitCode, stderr, played } = await play(servers.agents[format], cases)
    expect(stderr).toBe('')
    expect(Object.fromEntries(played.map(({ id, status, fault }) => [id, fault ?? status]))).toEqual({
      says: 'passed',
      'says-not': 'agent',
      calls: 'passed',
      'calls-not': 'agent',
      remembers: 'passed',
      'remembers-not': 'agent',
      continues: 'passed',
    })
    expect(exitCode).toBe(1)
  })

  it.each(formats.filter((format) => format !== 'openai-chat'))(
    'the format %s reports the results of tools',
    async (format) => {
      const asks = { type: 'equals', value: 'Filed ✓' }
      const { played } = await play(servers.agents[format], [{ id: 'files', input: 'file 4', assert: asks }])
      const reported = { name: 'create_expense', args: { amount: 4 }, result: { filed: true } }
      expect(played).toMatchObject([{ status: 'passed', tool_calls: [reported] }])
    },
  )

  it('the body has the fields of the config, and the headers and URL their placeholders', async () => {
    const { url, body = {} } = servers.agents.langgraph ?? { url: '' }
    const own = {
      ...body,
      input: { user: '{{userId}}' },
      config: { tags: ['{{env.TAG}}'] },
      stream_mode: 'values',
    }
    const agent = { url: `{{env.BASE}}/runs/stream`, format: 'langgraph', body: own }
    const env = { BASE: new URL(url).origin, TAG: 'nightly' }
    const { exitCode } = await play(agent, cases.slice(0, 1), { env })
    expect(exitCode).toBe(0)
    expect(servers.requests.at(-1)?.body).toMatchObject({
      assistant_id: 'agent',
      stream_mode: 'values',
      config: { tags: ['nightly'] },
      input: { user: 'test-user', messages: [{ type: 'human', content: 'good day' }] },
    })
  })
})

it('an agent may be asked not to stream', async () => {
  const bodies: Record<string, unknown>[] = []
  const url = await serve((response, body) => {
    bodies.push(body)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ choices: [{ message: { content: 'You said: good day.' }, finish_reason: 'stop' }] }),
    )
  })
  const { exitCode } = await play({ url, format: 'openai-chat', body: { stream: false } }, cases.slice(0, 1))
  expect(exitCode).toBe(0)
  expect(bodies).toEqual([{ stream: false, messages: [{ role: 'user', content: 'good day' }] }])
})

it('a reply of only data is shown as data, and compared as data', async () => {
  const events = [
    { type: 'start' },
    { type: 'data-order', data: { id: 7, state: 'sent' } },
    { type: 'finish' },
    '[DONE]',
  ]
  const url = await serve((response) => sendEvents(response, events))
  const asks = { type: 'json_path', path: 'id', value: 8 }
  const { stdout, played } = await play({ url, format: 'ai-sdk-ui' }, [{ ...cases[0], assert: asks }])
  expect(stdout).toContain('Agent: "{"id":7,"state":"sent"}"')
  expect(played).toMatchObject([{ status: 'failed', output: { id: 7, state: 'sent' } }])
})

describe('a tool whose name the AI SDK repairs', () => {
  it.each([
    ['Create_Expense', { name: 'create_expense', result: { filed: true } }],
    ['Ask_User', { name: 'ask_user' }],
  ])('is called once, by its own name: %s', async (name, reported) => {
    const input = { amount: 3 }
    const agents = await startHttpFormatAgents(() => ({
      text: 'Filed',
      toolCalls: [{ name, arguments: input }],
    }))
    onTestFinished(() => agents.close())
    const { played } = await play(agents.agents['ai-sdk-ui'], [{ id: 'files', input: 'file 3' }])
    expect(played).toMatchObject([{ status: 'passed', tool_calls: [{ args: input, ...reported }] }])
  })

  it('has failed if there is no such tool', async () => {
    const agents = await startHttpFormatAgents(() => ({
      text: 'Filed',
      toolCalls: [{ name: 'Pay', arguments: {} }],
    }))
    onTestFinished(() => agents.close())
    const { played } = await play(agents.agents['ai-sdk-ui'], [{ id: 'pays', input: 'pay' }])
    expect(played).toMatchObject([
      { status: 'passed', tool_calls: [{ error: expect.anything() as unknown }] },
    ])
  })
})

describe('mistakes in the config of a format', () => {
  const url = 'http://127.0.0.1:9/chat'
  it.each([
    [{ url, format: 'ai-sdk' }, 'agents.support.format', 'did you mean "ai-sdk-ui"?'],
    [{ url, format: 'open-ai-chat' }, 'agents.support.format', 'did you mean "openai-chat"?'],
    [
      { url, format: 'ag-ui', response: { content: '$.x' } },
      'agents.support.response',
      'is decided by `format: "ag-ui"`',
    ],
    [
      { url, format: 'ag-ui', stream: 'sse', event: { delta: '$.x' } },
      'agents.support.stream',
      'is decided by',
    ],
    [{ url, format: 'openai-chat', request: {} }, 'agents.support.request', 'is decided by'],
    [{ url, format: 'openai-chat', method: 'GET' }, 'agents.support.method', 'a GET has no body'],
    [
      { url, format: 'openai-chat', body: { messages: [] } },
      'agents.support.body',
      '`messages` is filled by the format',
    ],
    [{ url, format: 'langgraph' }, 'agents.support.body', 'must have `assistant_id`'],
    [{ url, body: { model: 'x' } }, 'agents.support.body', 'needs a `format`'],
    [{ url: `${url}/{{session}}`, format: 'ag-ui' }, 'agents.support.format', 'use {{sessionId}}'],
  ])('%j is an error that names %s', async (agent, key, words) => {
    const { exitCode, stderr } = await play(agent, cases.slice(0, 1))
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/viva\.config\.json:\d+/)
    expect(stderr).toContain(key)
    expect(stderr).toContain(words)
  })
})

describe('answers that are not in the format', () => {
  it.each([
    ['ag-ui', [{ type: 'RUN_STARTED' }, { type: 'RUN_FINISHED' }]],
    ['openai-chat', [{ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }, '[DONE]']],
  ])('an agent that speaks %s is not read as another format', async (spoken, events) => {
    const url = await serve((response) => sendEvents(response, events))
    const says = { id: 'says', input: 'good day', assert: { type: 'not_contains', value: 'sorry' } }
    const { exitCode, stdout, played } = await play({ url, format: 'ai-sdk-ui' }, [says])
    expect(exitCode).toBe(3)
    expect(played).toMatchObject([{ error_kind: 'bad_response', fault: 'infrastructure' }])
    expect(stdout).toContain('read as `format: "ai-sdk-ui"`: is that the protocol of this URL?')
    expect(stdout).toContain(`It looks like \`format: "${spoken}"\``)
  })

  it.each([
    ['ai-sdk-ui', [{ type: 'start' }, { type: 'tool-input-start', toolCallId: 'c', toolName: 'pay' }]],
    ['openai-chat', [{ choices: [{ index: 0, delta: { content: 'You said: good day' } }] }]],
    ['openai-responses', [{ type: 'response.output_text.delta', delta: 'You said: good day' }]],
    ['ag-ui', [{ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'You said: good day' }]],
    ['langgraph', [{ messages: [{ type: 'ai', content: 'You said: good day' }] }]],
  ])(
    'a stream of %s that breaks off is an infrastructure error, whatever it said',
    async (format, events) => {
      const lines = events.map(
        (event) => `${format === 'langgraph' ? 'event: values\n' : ''}data: ${JSON.stringify(event)}\n\n`,
      )
      const url = await serve((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(lines.join(''), () => response.destroy())
      })
      const agent = { url, format, body: format === 'langgraph' ? { assistant_id: 'a' } : {} }
      const { exitCode, played } = await play(agent, cases.slice(0, 1))
      expect(played).toMatchObject([{ status: 'failed', error_kind: 'truncated', fault: 'infrastructure' }])
      expect(exitCode).toBe(3)
    },
  )

  it.each([
    [500, 'agent', 1],
    [503, 'infrastructure', 3],
    [404, 'infrastructure', 3],
  ])('the status %i is a failure of the %s, as without a format', async (status, fault, exit) => {
    const url = await serve((response) => response.writeHead(status).end('{"error": "no such shelf"}'))
    const { exitCode, played } = await play({ url, format: 'openai-chat' }, cases.slice(0, 1))
    expect(played).toMatchObject([{ fault }])
    expect(exitCode).toBe(exit)
  })

  it.each([
    ['openai-chat', 500, 1],
    ['ag-ui', 500, 1],
    ['openai-responses', 422, 3],
  ] as const)(
    'a first request in the format %s that is answered with %i may be in the wrong one',
    async (format, status, exit) => {
      const url = await serve((response) => response.writeHead(status).end('{"error": "no messages"}'))
      const { exitCode, played } = await play({ url, format }, cases.slice(0, 1))
      expect(played[0]?.error).toMatch(
        new RegExp(
          `answered ${status} .*: no messages \\(sent as \`format: "${format}"\`: is that the protocol of`,
        ),
      )
      expect(exitCode).toBe(exit)
    },
  )

  it.each([
    [429, 1],
    [503, 1],
    [401, 1],
    [500, 2],
  ])('the status %i in turn %i does not question the format', async (status, turn) => {
    let requests = 0
    const url = await serve((response) => {
      requests += 1
      if (requests === turn) response.writeHead(status).end('{"error": "no messages"}')
      else response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] }))
    })
    const turns = [{ input: 'a' }, { input: 'b' }].slice(0, turn)
    const { played } = await play({ url, format: 'openai-chat' }, [{ id: 'a', turns }])
    expect(played[0]?.error).toContain(`answered ${status}`)
    expect(played[0]?.error).not.toContain('format')
  })

  it.each([
    ['<!doctype html><p>Hello', 'text/html', 'is a web page'],
    ['', 'text/event-stream', 'ended too early'],
    ['data: hello\n\n', 'text/event-stream', 'has an event that is not JSON'],
    ['[]', 'application/json', 'is not a JSON object'],
  ])('%j is not an answer', async (body, type, words) => {
    const url = await serve((response) => response.writeHead(200, { 'content-type': type }).end(body))
    const { exitCode, stdout } = await play({ url, format: 'openai-chat' }, cases.slice(0, 1))
    expect(exitCode).toBe(3)
    expect(stdout).toContain(words)
  })
})

describe('a stream that breaks off after a tool was called', () => {
  const pay = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{}' } }
  const called = { toolCallId: 'c1', toolName: 'pay', input: {} }
  const payments: [string, Record<string, unknown>[]][] = [
    [
      'ai-sdk-ui',
      [
        { type: 'tool-input-available', ...called },
        { type: 'tool-output-available', ...called },
      ],
    ],
    ['openai-chat', [{ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...pay }] } }] }]],
    [
      'openai-responses',
      [{ type: 'response.output_item.done', item: { type: 'mcp_call', id: 'c1', name: 'pay' } }],
    ],
    ['ag-ui', [{ type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'pay' }]],
    ['langgraph', [{ messages: [{ type: 'ai', tool_calls: [{ id: 'c1', name: 'pay', args: {} }] }] }]],
  ]

  async function playBroken(format: string, events: unknown[]) {
    let requests = 0
    const name = format === 'langgraph' ? 'event: values\n' : ''
    const lines = events.map((event) => `${name}data: ${JSON.stringify(event)}\n\n`)
    const url = await serve((response) => {
      requests += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(lines.join(''), () => response.destroy())
    })
    const agent = { url, format, body: format === 'langgraph' ? { assistant_id: 'a' } : {} }
    const ended = await play(agent, cases.slice(0, 1), { retries: 2 })
    return { ...ended, requests }
  }

  it.each(payments)('is not requested again, as the tool would run twice: %s', async (format, events) => {
    const { requests, played, stdout, exitCode } = await playBroken(format, events)
    expect(requests).toBe(1)
    expect(played).toMatchObject([{ error_kind: 'truncated', fault: 'infrastructure' }])
    expect(stdout).toContain('not sent again, because the agent had called the tool pay')
    expect(exitCode).toBe(3)
  })

  it('is not requested again if it ends with an error that would pass', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'wait' }
    const { requests, played } = await playBroken('openai-chat', [...(payments[1]?.[1] ?? []), { error }])
    expect(requests).toBe(1)
    expect(played).toMatchObject([{ error_kind: 'rate_limit', fault: 'infrastructure' }])
  })

  it('is requested again after an error whose text is that of a rate limit', async () => {
    const { requests, played, exitCode } = await playBroken('ai-sdk-ui', [
      { type: 'start' },
      { type: 'error', errorText: 'Rate limit reached for gpt-5' },
    ])
    expect(requests).toBe(3)
    expect(played).toMatchObject([{ error_kind: 'rate_limit', fault: 'infrastructure' }])
    expect(exitCode).toBe(3)
  })

  it('is requested again if no tool was called', async () => {
    const { requests } = await playBroken('ai-sdk-ui', [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'You' },
    ])
    expect(requests).toBe(3)
  })
})

describe('a connection that stays open', () => {
  const words = 'You said: good day'
  const text = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: words },
    { type: 'finish' },
  ]
  const completion = [{ choices: [{ index: 0, delta: { content: words }, finish_reason: 'stop' }] }]

  async function playOpen(format: string, events: unknown[], type = 'text/event-stream') {
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': type })
      for (const event of events)
        response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
      const pings = setInterval(() => response.write(': still here\n\n'), 200)
      response.on('close', () => clearInterval(pings))
    })
    // The time until the answer is taken is not that of the agent.
    const assert = [cases[0]?.assert, { type: 'latency', max: '1500ms' }]
    return play({ url, format }, [{ ...cases[0], assert, timeout: '3s' }])
  }

  it.each([
    ['ai-sdk-ui', 'without its end marker', text, undefined],
    ['openai-chat', 'without its end marker', completion, undefined],
    ['openai-chat', 'that is not declared as a stream', [...completion, '[DONE]'], 'text/plain'],
  ])('ends with the answer: %s %s', async (format, _, events, type) => {
    const { played, exitCode } = await playOpen(format, events, type)
    expect(played).toMatchObject([{ status: 'passed' }])
    expect(exitCode).toBe(0)
  })

  const step = (content: string, reason: string | null = null) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: reason }],
  })
  const wordByWord = Array.from({ length: 12 }, () => [step(' More.')])
  const goesOn: [string, string, unknown[][]][] = [
    ['ai-sdk-ui', 'at once', [[...text, { type: 'text-start', id: 'u' }], ...silence(12)]],
    ['ai-sdk-ui', 'after a silence', [text, ...silence(12)]],
    ['openai-chat', 'after a silence', [completion, ...silence(12)]],
    ['openai-chat', 'word by word', [completion, ...wordByWord]],
  ]

  function silence(beats: number): unknown[][] {
    return Array.from({ length: beats }, () => [])
  }

  it.each(goesOn)('does not end an answer of %s that goes on %s after a finish', async (format, _, beats) => {
    const last =
      format === 'ai-sdk-ui'
        ? [{ type: 'text-delta', id: 'u', delta: ' The end.' }, { type: 'finish' }]
        : [step(' The end.', 'stop')]
    const url = await serve(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const events of [...beats, last]) {
        for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      response.end('data: [DONE]\n\n')
    })
    const asks = { type: 'contains', value: 'The end.' }
    const { played } = await play({ url, format }, [{ ...cases[0], assert: asks }])
    expect(played).toMatchObject([{ status: 'passed' }])
  })

  it.each([
    ['ai-sdk-ui', 'text/event-stream', 'has no event of this format'],
    ['ag-ui', 'application/json', 'is not an event stream'],
  ])('is not blamed on the agent if the format is wrong: %s, %s', async (format, type, problem) => {
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': type })
      response.write(type.includes('json') ? '{"text": "Hi' : 'data: {"choices": []}\n\n')
    })
    const { played, stdout, exitCode } = await play({ url, format }, [{ ...cases[0], timeout: '1s' }])
    expect(played).toMatchObject([{ error_kind: 'timeout', fault: 'infrastructure' }])
    expect(stdout).toContain(problem)
    expect(stdout).toContain(`read as \`format: "${format}"\`: is that the protocol of this URL?`)
    expect(exitCode).toBe(3)
  })

  it.each([
    ['openai-responses', { type: 'keepalive' }, 'timeout after 1s'],
    ['openai-chat', { status: 'thinking' }, 'has no event of this format'],
  ])('is blamed on the agent after an event of its own: %s, %j', async (format, event, words) => {
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    })
    const { played, stdout, exitCode } = await play({ url, format }, [{ ...cases[0], timeout: '1s' }])
    expect(played).toMatchObject([{ error_kind: 'timeout', fault: 'agent' }])
    expect(stdout).toContain(words)
    expect(exitCode).toBe(1)
  })
})

describe('threads of LangGraph', () => {
  it('a thread keeps the conversation, and the next message answers its interrupt', async () => {
    const bodies: Record<string, unknown>[] = []
    const paths: string[] = []
    const url = await serve((response, body, path) => {
      bodies.push(body)
      paths.push(path)
      const asks = {
        messages: [{ type: 'human', content: 'pay' }],
        __interrupt__: [{ id: 'i', value: 'Shall I pay?' }],
      }
      const paid = {
        messages: [
          { type: 'human', content: 'pay' },
          { type: 'ai', content: 'Paid.' },
        ],
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify('command' in body ? paid : asks))
    })
    const agent = {
      url: `${url}/threads/{{sessionId}}/runs/wait`,
      format: 'langgraph',
      body: { assistant_id: 'a' },
    }
    const asks = [{ type: 'awaiting_input' }, { type: 'contains', value: 'Shall I pay?' }]
    const turns = [
      { input: 'pay', assert: asks },
      { input: 'yes', assert: { type: 'equals', value: 'Paid.' } },
    ]
    const { exitCode } = await play(agent, [{ id: 'pays', turns }])
    expect(exitCode).toBe(0)
    expect(paths[0]).toMatch(/\/threads\/[\w-]{36}\/runs\/wait$/)
    expect(paths[1]).toBe(paths[0])
    expect(bodies[0]).toMatchObject({ if_not_exists: 'create', input: { messages: [{ content: 'pay' }] } })
    expect(bodies[1]).toMatchObject({ command: { resume: 'yes' } })
  })

  it('a call that an interrupt holds up is counted once, with its result and its tokens', async () => {
    const state = [
      { type: 'human', id: 'u', content: 'pay' },
      {
        type: 'ai',
        id: 'a1',
        content: 'Shall I pay?',
        tool_calls: [{ type: 'tool_call', id: 'c1', name: 'pay', args: { amount: 5 } }],
        usage_metadata: { input_tokens: 3, output_tokens: 4 },
      },
      { type: 'tool', id: 't1', tool_call_id: 'c1', content: '{"paid": true}' },
      { type: 'ai', id: 'a2', content: 'Paid.', usage_metadata: { input_tokens: 5, output_tokens: 1 } },
    ]
    const url = await serve((response, body) => {
      const asks = { messages: state.slice(0, 2), __interrupt__: [{ id: 'i', value: 'Shall I pay?' }] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify('command' in body ? { messages: state } : asks))
    })
    const agent = {
      url: `${url}/threads/{{sessionId}}/runs/wait`,
      format: 'langgraph',
      body: { assistant_id: 'a' },
    }
    const turns = [{ input: 'pay' }, { input: 'yes', assert: { type: 'equals', value: 'Paid.' } }]
    const final_assertions = [{ type: 'json_path', path: 'paid', value: true }]
    const { played } = await play(agent, [{ id: 'pays', turns, final_assertions }])
    const pay = { name: 'pay', args: { amount: 5 }, result: { paid: true } }
    expect(played).toMatchObject([
      {
        status: 'passed',
        turns: [{ tool_calls: [pay] }, { response: 'Paid.', tokens: { input_tokens: 5, output_tokens: 1 } }],
      },
    ])
    expect((played as { turns: object[] }[])[0]?.turns[1]).not.toHaveProperty('tool_calls')
  })

  it('a case with a history cannot be played in a thread', async () => {
    const { url = '' } = servers.agents.langgraph ?? {}
    const agent = {
      url: `${url}/threads/{{sessionId}}/runs/stream`,
      format: 'langgraph',
      body: { assistant_id: 'a' },
    }
    const { exitCode, stderr } = await play(agent, cases.slice(-1))
    expect(exitCode).toBe(2)
    expect(stderr).toContain('history')
  })
})

interface Settings {
  env?: Record<string, string>
  retries?: number
}

async function play(agent: unknown, cases: unknown[], { env = {}, retries = 0 }: Settings = {}) {
  const config = { agents: { support: agent }, network: { retries, backoff: '1ms' } }
  const cwd = project({
    'viva.config.json': JSON.stringify(config, undefined, 2),
    'cases.jsonl': jsonl(...cases),
  })
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', 'support', '-o', 'x.jsonl'], { cwd, env })
  return { ...ended, played: ended.exitCode === 2 ? [] : results(join(cwd, 'x.jsonl')) }
}

type Answer = (response: ServerResponse, body: Record<string, unknown>, path: string) => void

async function serve(answer: Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    answer(response, (await json(request)) as Record<string, unknown>, request.url ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
