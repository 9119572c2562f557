import { fakeAnthropicApi } from './fake-anthropic-api.ts'
import { type FakeServer, type FakeServerOptions, startFakeServer } from './fake-server.ts'

/** A running fake server, with the requests that it received. */
export type FakeAnthropicServer = FakeServer
/** The options of `startFakeAnthropicServer`. */
export type FakeAnthropicServerOptions = FakeServerOptions

/**
 * Starts a server on loopback that answers requests for Anthropic messages with the answers you define. It streams an
 * answer if the request asks for it.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { startFakeAnthropicServer } from 'vivavoce/testing'
 *
 * const server = await startFakeAnthropicServer({
 *   answer: (_request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 'Hello!'),
 * })
 * const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hi' }] })
 * const ask = () => fetch(`${server.url}/messages`, { method: 'POST', body })
 * assert.equal((await ask()).status, 429)
 * assert.match(await (await ask()).text(), /Hello!/)
 * assert.equal(server.requests.length, 2)
 * await server.close()
 */
export function startFakeAnthropicServer(
  options: FakeAnthropicServerOptions = {},
): Promise<FakeAnthropicServer> {
  return startFakeServer(fakeAnthropicApi, options)
}
