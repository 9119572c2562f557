import { fakeResponsesApi } from './fake-openai-responses-api.ts'
import { type FakeServer, type FakeServerOptions, startFakeServer } from './fake-server.ts'

/** A running fake server, with the requests that it received. */
export type FakeOpenAIResponsesServer = FakeServer
/** The options of `startFakeOpenAIResponsesServer`. */
export type FakeOpenAIResponsesServerOptions = FakeServerOptions

/**
 * Starts a server on loopback that answers requests to OpenAI's Responses API with the answers you define. It streams an
 * answer if the request asks for it. A `finishReason` is the reason why an answer is incomplete.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { startFakeOpenAIResponsesServer } from 'vivavoce/testing'
 *
 * const server = await startFakeOpenAIResponsesServer({
 *   answer: (_request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 'Hello!'),
 * })
 * const body = JSON.stringify({ model: 'any', input: 'Hi' })
 * const ask = () => fetch(`${server.url}/responses`, { method: 'POST', body })
 * assert.equal((await ask()).status, 429)
 * assert.match(await (await ask()).text(), /Hello!/)
 * assert.equal(server.requests.length, 2)
 * await server.close()
 */
export function startFakeOpenAIResponsesServer(
  options: FakeOpenAIResponsesServerOptions = {},
): Promise<FakeOpenAIResponsesServer> {
  return startFakeServer(fakeResponsesApi, options)
}
