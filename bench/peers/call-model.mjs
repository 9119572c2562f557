/**
 * The call that a peer's user has to write. By default it is the same as that of the floor, so that what a peer takes
 * longer is its own; with BENCH_CLIENT=fetch it is made with the client that Node comes with. Copied next to the program
 * of a peer, where undici is installed.
 */
import { Agent, request } from 'undici'

const { BENCH_URL, BENCH_CASES, BENCH_PARALLEL, BENCH_CLIENT, OPENAI_API_KEY } = process.env
export const parallel = Number(BENCH_PARALLEL)
export const prompts = Array.from(
  { length: Number(BENCH_CASES) },
  (_, index) => `Say hello to number ${index}.`,
)

const endpoint = `${BENCH_URL}/chat/completions`
const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` }
const dispatcher = new Agent({ connections: parallel })

const clients = {
  undici: async (body) =>
    (await request(endpoint, { dispatcher, method: 'POST', headers, body })).body.json(),
  fetch: async (body) => (await fetch(endpoint, { method: 'POST', headers, body })).json(),
}

export async function callModel(content, { model = 'bench', history = [] } = {}) {
  const messages = [...history, { role: 'user', content }]
  const completion = await clients[BENCH_CLIENT](JSON.stringify({ model, messages }))
  return completion.choices[0].message.content
}
