import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect } from 'vitest'
import { WorldError } from '../errors.ts'
import {
  type FakeAnswer,
  type FakeOpenAIServer,
  startFakeOpenAIServer,
} from '../testing/fake-openai-server.ts'
import { createPlainScope } from '../testing/plain-scope.ts'
import type { Data } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import type { Model, ModelRequest } from './model.ts'
import { createOpenAIModel, type OpenAIConnection } from './openai-compatible.ts'

/** What the tests of the OpenAI-compatible model share: servers that end with their test, and questions. */
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

type Answer = (request: Data, index: number) => FakeAnswer

export async function startFake(answer?: FakeAnswer | Answer): Promise<FakeOpenAIServer> {
  const server = await startFakeOpenAIServer(
    answer === undefined ? {} : { answer: typeof answer === 'function' ? answer : () => answer },
  )
  closers.push(() => server.close())
  return server
}

/** The base URL of a server that does what the fake cannot. */
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

/** The base URL of a server that answers with these bytes and closes the connection. */
export function listenRaw(answer: string): Promise<string> {
  return listen(
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.end(answer))
    }),
  )
}

export function modelAt(baseURL: string, more: Partial<OpenAIConnection> = {}): Model {
  return createOpenAIModel({ baseURL, model: 'gpt-test', ...more })
}

export function asking(content: unknown, more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: 'user', content }], tools: [], settings: {}, ...more }
}

export async function replyTo(answer: FakeAnswer, more: Partial<OpenAIConnection> = {}): Promise<Reply> {
  return modelAt((await startFake(answer)).url, more).generate(asking('Hi'), createPlainScope())
}

export async function failureAt(baseURL: string, more: Partial<OpenAIConnection> = {}): Promise<WorldError> {
  const call = modelAt(baseURL, more).generate(asking('Hi'), createPlainScope())
  const failure = await call.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(WorldError)
  return failure as WorldError
}

export async function failureOf(
  answer: FakeAnswer,
  more: Partial<OpenAIConnection> = {},
): Promise<WorldError> {
  return failureAt((await startFake(answer)).url, more)
}

export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
