import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Said, think } from '../fixtures/adapters/brain.ts'

/** An agent behind three non-standard HTTP interfaces. */
export interface HttpAgentServer {
  url: string
  /** Its entry in `agents` of a viva.config. */
  agents: Record<string, unknown>
  close(): Promise<void>
}

export async function startHttpAgent(): Promise<HttpAgentServer> {
  const conversations = new Map<string, Said[]>()
  const server = createServer((request, response) => {
    serve(request, response, conversations).catch((error: Error) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: error.message }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    agents: agentsAt(url),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function agentsAt(url: string): Record<string, unknown> {
  return {
    chat: {
      url: `${url}/chat`,
      request: {
        message: '{{input}}',
        earlier: '{{history}}',
        who: { user: '{{userId}}', turn: '{{turn}}' },
      },
      response: {
        content: '$.reply.text',
        tool_calls: { path: '$.reply.used?', name: '$.tool', arguments: '$.with' },
        awaiting_input: '$.waiting?',
        usage: { input_tokens: '$.cost.in', output_tokens: '$.cost.out' },
      },
    },
    stream: {
      url: `${url}/stream`,
      method: 'PUT',
      request: { text: '{{input}}', conversation: '{{session}}' },
      response: { tool_calls: '$.calls', output: '$.said' },
      session: '$.conversation',
      stream: 'sse',
      event: { delta: '$.piece', end: 'done' },
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  conversations: Map<string, Said[]>,
): Promise<void> {
  const body = await readJson(request)
  if (request.url === '/stream') {
    stream(body, response, conversations)
    return
  }
  const plain = request.url === '/plain'
  const said = plain
    ? [...(body.history as Said[]), user(body.input)]
    : [...(body.earlier as Said[]), user(body.message)]
  const thought = think(said)
  if (thought === 'hang') return
  const reply = plain
    ? { content: thought.text, tool_calls: thought.toolCalls ?? [] }
    : {
        reply: {
          text: thought.text,
          used: thought.toolCalls?.map((call) => ({ tool: call.name, with: JSON.stringify(call.arguments) })),
        },
        cost: { in: 3, out: 4 },
      }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(reply))
}

/** Remembers its messages and answers in pieces. */
function stream(
  body: Record<string, unknown>,
  response: ServerResponse,
  conversations: Map<string, Said[]>,
): void {
  const conversation = (body.conversation as string | undefined) ?? crypto.randomUUID()
  const said = [...(conversations.get(conversation) ?? []), user(body.text)]
  conversations.set(conversation, said)
  const thought = think(said)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (thought === 'hang') return
  for (const piece of thought.text.split(/(?<=\s)/)) response.write(event('piece', { piece }))
  response.end(event('done', { conversation, calls: thought.toolCalls ?? [], said: thought.text }))
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function user(content: unknown): Said {
  return { role: 'user', content: String(content) }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
}
