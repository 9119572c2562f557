/**
 * The minimum cost of N chat completions in JavaScript: no cases, no checks, no report.
 *
 *   node bench/floor-undici.mjs --url http://127.0.0.1:1234/v1 --calls 1000 --parallel 16
 */
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    calls: { type: 'string', default: '1000' },
    parallel: { type: 'string', default: '16' },
  },
})
const calls = Number(values.calls)
const dispatcher = new Agent({ connections: 64 })
const headers = { 'content-type': 'application/json' }
let next = 0

async function work() {
  while (next < calls) {
    const messages = [{ role: 'user', content: `Say hello to number ${next++}.` }]
    const body = JSON.stringify({ model: 'bench', messages })
    const answer = await request(`${values.url}/chat/completions`, {
      dispatcher,
      method: 'POST',
      headers,
      body,
    })
    const completion = await answer.body.json()
    if (!completion.choices[0].message.content.includes('Hello')) throw new Error('wrong answer')
  }
}

await Promise.all(Array.from({ length: Number(values.parallel) }, work))
