import { fakeAnthropicApi } from './fake-anthropic-api.ts'
import { type FakeServer, type FakeServerOptions, startFakeServer } from './fake-server.ts'

export type FakeAnthropicServer = FakeServer
export type FakeAnthropicServerOptions = FakeServerOptions

/**
 * Starts a server on loopback that answers Anthropic messages as you say, streamed or not as the request asks.
 *
 * @example
 * const server = await startFakeAnthropicServer({ answer: () => ({ toolCalls: [{ name: 'search' }] }) })
 * const model = createAnthropicModel({ baseURL: server.url, model: 'fake' })
 * // … server.requests[0].body.system is the system prompt that the model received
 * await server.close()
 */
export function startFakeAnthropicServer(
  options: FakeAnthropicServerOptions = {},
): Promise<FakeAnthropicServer> {
  return startFakeServer(fakeAnthropicApi, options)
}
