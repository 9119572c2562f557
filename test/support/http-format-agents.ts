import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type Said, think } from '../fixtures/adapters/brain.ts'
import { serveAGUI } from './ag-ui-server.ts'
import { serveUI } from './ai-sdk-server.ts'
import {
  type Data,
  type Mind,
  pieces,
  type Served,
  sendEvents,
  sendJson,
  textOf,
  thinkOrFail,
} from './format-server.ts'
import { serveGraph, serveGraphState } from './langgraph-server.ts'

/** One mind behind servers of all formats, each as its protocol wants it. */
export interface HttpFormatAgents {
  url: string
  /** The entries of `agents` in a viva.config, by format. */
  agents: Record<string, { url: string; format: string; body?: Data }>
  requests: { path: string; body: Data }[]
  close(): Promise<void>
}

export async function startHttpFormatAgents(mind: Mind = think): Promise<HttpFormatAgents> {
  const requests: HttpFormatAgents['requests'] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Data
    requests.push({ path: request.url ?? '', body })
    const serve = servers[request.url ?? '']
    if (serve === undefined) response.writeHead(404).end()
    else await serve({ body, response, mind, request })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    agents: agentsAt(url),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function agentsAt(url: string): HttpFormatAgents['agents'] {
  const graph = { format: 'langgraph', body: { assistant_id: 'agent' } }
  return {
    'ai-sdk-ui': { url: `${url}/api/chat`, format: 'ai-sdk-ui' },
    'openai-chat': { url: `${url}/v1/chat/completions`, format: 'openai-chat', body: { model: 'mind' } },
    'openai-responses': { url: `${url}/v1/responses`, format: 'openai-responses', body: { model: 'mind' } },
    'ag-ui': { url: `${url}/agui`, format: 'ag-ui' },
    langgraph: { url: `${url}/runs/stream`, ...graph },
    'langgraph (wait)': { url: `${url}/runs/wait`, ...graph },
  }
}

const servers: Record<string, (served: Served) => void | Promise<void>> = {
  '/api/chat': serveUI,
  '/v1/chat/completions': serveChat,
  '/v1/responses': serveResponses,
  '/agui': serveAGUI,
  '/runs/stream': serveGraph,
  '/runs/wait': serveGraphState,
}

function serveChat({ body, response, mind }: Served): void {
  const messages = body.messages as Said[]
  const thought = thinkOrFail(mind, messages)
  if (thought === 'hang') return
  if ('error' in thought) {
    sendJson(response, { error: { message: thought.error } })
    return
  }
  const calls = (thought.toolCalls ?? []).map(({ name, arguments: given }, index) => ({
    index,
    id: `call_${messages.length}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }))
  const chunk = (delta: Data, finish_reason: string | null = null) => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  sendEvents(response, [
    ...pieces(thought.text).map((content) => chunk({ content })),
    ...(calls.length > 0 ? [chunk({ tool_calls: calls })] : []),
    chunk({}, 'stop'),
    { object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    '[DONE]',
  ])
}

function serveResponses({ body, response, mind }: Served): void {
  const input = body.input as { type?: string; role?: string; content?: unknown }[]
  const said = input.map(({ role = '', content }) => ({ role, content: textOf(content) }))
  const thought = thinkOrFail(mind, said)
  if (thought === 'hang') return
  if ('error' in thought) {
    const failed = {
      id: 'resp_1',
      status: 'failed',
      error: { code: 'server_error', message: thought.error },
      output: [],
    }
    sendEvents(response, [{ type: 'response.failed', response: failed }])
    return
  }
  const output = [
    ...(thought.toolCalls ?? []).flatMap(({ name, arguments: given }, index) => {
      const call_id = `call_${said.length}_${index}`
      return [
        {
          type: 'function_call',
          id: `fc_${call_id}`,
          call_id,
          name,
          arguments: JSON.stringify(given),
          status: 'completed',
        },
        {
          type: 'function_call_output',
          id: `fo_${call_id}`,
          call_id,
          output: '{"filed": true}',
          status: 'completed',
        },
      ]
    }),
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: thought.text, annotations: [] }],
    },
  ]
  const usage = { input_tokens: 3, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } }
  const last = output.length - 1
  sendEvents(response, [
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    ...pieces(thought.text).map((delta) => ({
      type: 'response.output_text.delta',
      output_index: last,
      delta,
    })),
    ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output, usage } },
  ])
}
