import { fakeOpenAIApi } from './fake-openai-api.ts'
import { type FakeServer, type FakeServerOptions, startFakeServer } from './fake-server.ts'

export type { FakeAnswer } from './fake-answer.ts'
/** A running fake server, with the requests that it received. */
export type FakeOpenAIServer = FakeServer
/** The options of `startFakeOpenAIServer`. */
export type FakeOpenAIServerOptions = FakeServerOptions

/**
 * Starts a server on loopback that answers requests for OpenAI chat completions with the answers you define. It streams an
 * answer if the request asks for it.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { startFakeOpenAIServer } from 'vivavoce/testing'
 *
 * const server = await startFakeOpenAIServer({
 *   answer: (_request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 'Hello!'),
 * })
 * const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hi' }] })
 * const ask = () => fetch(`${server.url}/chat/completions`, { method: 'POST', body })
 * assert.equal((await ask()).status, 429)
 * assert.match(await (await ask()).text(), /Hello!/)
 * assert.equal(server.requests.length, 2)
 * await server.close()
 */
export function startFakeOpenAIServer(options: FakeOpenAIServerOptions = {}): Promise<FakeOpenAIServer> {
  return startFakeServer(fakeOpenAIApi, options)
}
