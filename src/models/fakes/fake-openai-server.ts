import { fakeOpenAIApi } from './fake-openai-api.ts'
import { type FakeServer, type FakeServerOptions, startFakeServer } from './fake-server.ts'

export type { FakeAnswer } from './fake-answer.ts'
export type FakeOpenAIServer = FakeServer
export type FakeOpenAIServerOptions = FakeServerOptions

/**
 * Starts a server on loopback that answers OpenAI chat completions as you say, streamed or not as the request asks.
 *
 * @example
 * const server = await startFakeOpenAIServer({
 *   answer: (request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 'Hello!'),
 * })
 * const model = createOpenAIModel({ baseURL: server.url, model: 'fake' })
 * // … server.requests[1].body.messages is what the model received
 * await server.close()
 */
export function startFakeOpenAIServer(options: FakeOpenAIServerOptions = {}): Promise<FakeOpenAIServer> {
  return startFakeServer(fakeOpenAIApi, options)
}
