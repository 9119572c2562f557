/**
 * The minimum cost of N chat completions in JavaScript: no cases, no checks, no report.
 *
 *   node bench/floor-undici.mjs --url http://127.0.0.1:1234/v1 --cases 1000 --parallel 16 [--turns 1]
 *
 * With more than one turn, a second model writes each message after the first.
 */
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { benchKey } from './measure.mjs'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    cases: { type: 'string', default: '1000' },
    parallel: { type: 'string', default: '16' },
    turns: { type: 'string', default: '1' },
  },
})
const [cases, parallel, turns] = [values.cases, values.parallel, values.turns].map(Number)
const dispatcher = new Agent({ connections: parallel })
const headers = { 'content-type': 'application/json', authorization: `Bearer ${benchKey}` }
const agent = turns > 1 ? 'turns' : 'bench'
let next = 0

async function work() {
  while (next < cases) await converse(`Say hello to number ${next++}.`)
}

async function converse(firstMessage) {
  const messages = [{ role: 'user', content: firstMessage }]
  for (let turn = 1; ; turn++) {
    const content = await complete(agent, messages)
    if (!content.includes('Hello')) throw new Error('wrong answer')
    if (turn === turns) return
    messages.push({ role: 'assistant', content })
    messages.push({ role: 'user', content: await complete('user', [{ role: 'user', content }]) })
  }
}

async function complete(model, messages) {
  const body = JSON.stringify({ model, messages })
  const answer = await request(`${values.url}/chat/completions`, {
    dispatcher,
    method: 'POST',
    headers,
    body,
  })
  return (await answer.body.json()).choices[0].message.content
}

await Promise.all(Array.from({ length: parallel }, work))
