import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect } from 'vitest'
import { InfrastructureError } from '../errors.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { createAnthropicModel } from './anthropic.ts'
import type { FakeAnswer } from './fakes/fake-answer.ts'
import { startFakeAnthropicServer } from './fakes/fake-anthropic-server.ts'
import { startFakeOpenAIResponsesServer } from './fakes/fake-openai-responses-server.ts'
import { startFakeOpenAIServer } from './fakes/fake-openai-server.ts'
import type { FakeServer, FakeServerOptions } from './fakes/fake-server.ts'
import type { HttpConnection } from './http-model.ts'
import type { Model, ModelRequest } from './model.ts'
import { createOpenAIModel } from './openai-compatible.ts'
import { createOpenAIResponsesModel } from './openai-responses.ts'

/** Helpers for tests of models: servers that are closed after their test, and requests. */
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** Starts a server that does what the fake cannot, and returns its base URL. */
export async function listen(server: Server & { closeAllConnections?(): void }): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections?.()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** Starts a server that answers with these bytes and closes the connection, and returns its base URL. */
export function listenRaw(answer: string): Promise<string> {
  return listen(
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.end(answer))
    }),
  )
}

export function createRequest(content: unknown, more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: 'user', content }], tools: [], settings: {}, ...more }
}

type Answer = (request: Data, index: number) => FakeAnswer

/** Fakes of one API, and calls to them. */
function createTestCalls(
  startFakeServer: (options: FakeServerOptions) => Promise<FakeServer>,
  createModel: (connection: HttpConnection) => Model,
) {
  async function startFake(answer?: FakeAnswer | Answer): Promise<FakeServer> {
    const server = await startFakeServer(
      answer === undefined ? {} : { answer: typeof answer === 'function' ? answer : () => answer },
    )
    closers.push(() => server.close())
    return server
  }

  function modelAt(baseURL: string, more: Partial<HttpConnection> = {}): Model {
    return createModel({ baseURL, model: 'gpt-test', ...more })
  }

  async function replyTo(answer: FakeAnswer, more: Partial<HttpConnection> = {}): Promise<Reply> {
    return modelAt((await startFake(answer)).url, more).generate(createRequest('Hi'), createPlainScope())
  }

  async function failureAt(
    baseURL: string,
    more: Partial<HttpConnection> = {},
  ): Promise<InfrastructureError> {
    const call = modelAt(baseURL, more).generate(createRequest('Hi'), createPlainScope())
    const failure = await call.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(InfrastructureError)
    return failure as InfrastructureError
  }

  async function failureFor(
    answer: FakeAnswer,
    more: Partial<HttpConnection> = {},
  ): Promise<InfrastructureError> {
    return failureAt((await startFake(answer)).url, more)
  }

  return { startFake, modelAt, replyTo, failureAt, failureFor }
}

export const openAI = createTestCalls(startFakeOpenAIServer, createOpenAIModel)
export const responses = createTestCalls(startFakeOpenAIResponsesServer, createOpenAIResponsesModel)
export const anthropic = createTestCalls(startFakeAnthropicServer, createAnthropicModel)

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
