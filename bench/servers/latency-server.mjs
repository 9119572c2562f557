/**
 * A server that answers every chat completion after a fixed time (servers/replies.mjs says what).
 *
 *   node bench/servers/latency-server.mjs --latency 50 [--port 0]
 *
 * Prints its base URL when it is ready. `GET /traffic` returns how many requests there were since it was last asked, and
 * how many were in flight on average. Exits when its standard input ends, so that it does not outlive its parent.
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { createReply } from './replies.mjs'
import { createTraffic } from './traffic.mjs'

const { values } = parseArgs({
  options: { latency: { type: 'string', default: '0' }, port: { type: 'string', default: '0' } },
})
const latency = Number(values.latency)
const traffic = createTraffic()

function answer(response, { headers, body }) {
  response.writeHead(200, headers)
  response.end(body)
  traffic.end()
}

const server = createServer((request, response) => {
  if (request.url === '/traffic') return response.end(JSON.stringify(traffic.take()))
  traffic.begin()
  const chunks = []
  request.on('data', (piece) => chunks.push(piece))
  request.on('end', () => {
    const reply = createReply(request.url, JSON.parse(Buffer.concat(chunks).toString()))
    if (latency > 0) setTimeout(answer, latency, response, reply)
    else answer(response, reply)
  })
})

server.keepAliveTimeout = 60_000
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/v1`)
})
process.stdin.resume().on('end', () => process.exit(0))
