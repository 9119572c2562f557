/**
 * A server that answers every chat completion with the same words after a fixed time.
 *
 *   node bench/servers/latency-server.mjs --latency 50 [--port 0]
 *
 * Prints its base URL when it is ready. Exits when its standard input ends, so that it does not outlive its parent.
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { latency: { type: 'string', default: '0' }, port: { type: 'string', default: '0' } },
})
const latency = Number(values.latency)

const head = { id: 'chatcmpl-bench', created: 0, model: 'bench' }
const words = ['Hello ', 'from ', 'the ', 'benchmark.']
const usage = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 }

const whole = Buffer.from(
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }],
    usage,
  }),
)
const streamed = Buffer.from(
  [
    ...words.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { usage }),
    'data: [DONE]\n\n',
  ].join(''),
)

function chunk(choices, more = {}) {
  return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
}

function answer(response, isStream) {
  if (isStream) response.writeHead(200, { 'content-type': 'text/event-stream' })
  else response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
  response.end(isStream ? streamed : whole)
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (piece) => chunks.push(piece))
  request.on('end', () => {
    const isStream = JSON.parse(Buffer.concat(chunks).toString()).stream === true
    if (latency > 0) setTimeout(answer, latency, response, isStream)
    else answer(response, isStream)
  })
})

server.keepAliveTimeout = 60_000
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/v1`)
})
process.stdin.resume().on('end', () => process.exit(0))
