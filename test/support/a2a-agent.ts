import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AgentCard, type Message, type Part, Role, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from '@a2a-js/sdk/server'
import { type Said, type Thought, think } from '../fixtures/adapters/brain.ts'

/** An agent behind the SDK's own server: `/tasks` streams tasks, `/words` answers with whole messages. */
export interface A2AServer {
  url: string
  /** The headers of each request. */
  received: IncomingMessage['headers'][]
  /** The tasks that were canceled. */
  canceled: string[]
  close(): Promise<void>
}

export async function startA2AAgent(): Promise<A2AServer> {
  const received: IncomingMessage['headers'][] = []
  const canceled: string[] = []
  const handlers = new Map<string, DefaultRequestHandler>()
  const server = createServer((request, response) => {
    const [, name = '', path] = (request.url ?? '').split('/')
    const handler = handlers.get(name)
    if (handler === undefined) response.writeHead(404).end()
    else if (path === '.well-known') void sendCard(handler, response)
    else {
      received.push(request.headers)
      void answer(handler, request, response)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const name of ['tasks', 'words'])
    handlers.set(
      name,
      new DefaultRequestHandler(createCard(url, name), new InMemoryTaskStore(), mind(name, canceled)),
    )
  return {
    url,
    received,
    canceled,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function createCard(url: string, name: string): AgentCard {
  return {
    name,
    description: 'A mind',
    version: '1',
    supportedInterfaces: [
      { url: `${url}/${name}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
    ],
    provider: undefined,
    capabilities: { streaming: name === 'tasks', extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  }
}

async function sendCard(handler: DefaultRequestHandler, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(await handler.getAgentCard()))
}

async function answer(
  handler: DefaultRequestHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const context = new ServerCallContext({ requestedVersion: '1.0' })
  const result = await new JsonRpcTransportHandler(handler).handle(Buffer.concat(chunks).toString(), context)
  if (!(Symbol.asyncIterator in result)) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const event of result) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end()
}

/** How a task ends, by the text of the message. */
const ends: Record<string, TaskState> = {
  'task fail': TaskState.TASK_STATE_FAILED,
  'task reject': TaskState.TASK_STATE_REJECTED,
  'task login': TaskState.TASK_STATE_AUTH_REQUIRED,
}

/** Remembers the messages of each context. */
function mind(name: string, canceled: string[]): AgentExecutor {
  const contexts = new Map<string, Said[]>()
  return {
    async execute({ contextId, taskId, userMessage, task }: RequestContext, bus: ExecutionEventBus) {
      const said = [...(contexts.get(contextId) ?? []), { role: 'user', content: messageText(userMessage) }]
      contexts.set(contextId, said)
      const place = { contextId, taskId }
      if (name === 'tasks' && task === undefined) bus.publish(AgentEvent.task(newTask(place)))
      else if (task !== undefined) bus.publish(AgentEvent.task(task))
      const end = ends[said.at(-1)?.content ?? '']
      if (name === 'tasks' && end !== undefined) {
        const status = { state: end, message: words(place, 'no more minds'), timestamp: undefined }
        bus.publish(AgentEvent.statusUpdate({ ...place, status, metadata: undefined }))
        bus.finished()
        return
      }
      const thought = think(said)
      if (thought === 'hang') return new Promise(() => {})
      if (name === 'words') bus.publish(AgentEvent.message(words(place, thought.text)))
      else publishTask(bus, place, thought)
      bus.finished()
    },
    async cancelTask(taskId, bus) {
      canceled.push(taskId)
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined }
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }))
      bus.finished()
    },
  }
}

interface Place {
  contextId: string
  taskId: string
}

function newTask({ contextId, taskId }: Place) {
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined }
  return { id: taskId, contextId, status, artifacts: [], history: [], metadata: undefined }
}

/** A question waits for an answer; everything else is an artifact in two pieces. */
function publishTask(bus: ExecutionEventBus, place: Place, { text }: Thought): void {
  const asks = text.endsWith('?')
  if (!asks) {
    const half = Math.ceil(text.length / 2)
    for (const [index, value] of [text.slice(0, half), text.slice(half)].entries()) {
      const artifact = { artifactId: 'a', name: '', description: '', parts: [part(value)] }
      const rest = { metadata: undefined, extensions: [] }
      bus.publish(
        AgentEvent.artifactUpdate({
          ...place,
          artifact: { ...artifact, ...rest },
          append: index > 0,
          lastChunk: index > 0,
          metadata: undefined,
        }),
      )
    }
  }
  const status = asks
    ? { state: TaskState.TASK_STATE_INPUT_REQUIRED, message: words(place, text), timestamp: undefined }
    : { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined }
  bus.publish(AgentEvent.statusUpdate({ ...place, status, metadata: undefined }))
}

function words({ contextId, taskId }: Place, text: string): Message {
  return {
    messageId: randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [part(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

function part(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' }
}

function messageText({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')
}
