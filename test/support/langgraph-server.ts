import { type Data, type Mind, type Served, sendJson, textOf, thinkOrFail } from './format-server.ts'

/** The states of the graph, first the input, then what its nodes have added. */
function graphStates(body: Data, mind: Mind): Data[] | 'hang' | { error: string } {
  const { messages } = body.input as { messages: { type: string; content: unknown }[] }
  const roles: Record<string, string> = { human: 'user', ai: 'assistant' }
  const said = messages.map(({ type, content }) => ({ role: roles[type] ?? type, content: textOf(content) }))
  const thought = thinkOrFail(mind, said)
  if (thought === 'hang' || 'error' in thought) return thought
  const usage_metadata = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
  const id = (name: string) => `${name}-${messages.length}`
  const calls = (thought.toolCalls ?? []).map(({ name, arguments: args }, index) => ({
    id: id(`call-${index}`),
    type: 'tool_call',
    name,
    args,
  }))
  const asked = { type: 'ai', id: id('calls'), content: '', tool_calls: calls }
  const results = calls.map((call) => ({
    type: 'tool',
    id: `${call.id}-result`,
    tool_call_id: call.id,
    name: call.name,
    content: '{"filed": true}',
    status: 'success',
  }))
  const finish = { response_metadata: { finish_reason: 'stop' }, usage_metadata }
  const answer = { type: 'ai', id: id('answer'), content: thought.text, tool_calls: [], ...finish }
  const before = calls.length > 0 ? [...messages, asked, ...results] : messages
  return [
    { messages },
    ...(calls.length > 0 ? [{ messages: before }] : []),
    { messages: [...before, answer] },
  ]
}

export function serveGraph({ body, response, mind }: Served): void {
  const states = graphStates(body, mind)
  if (states === 'hang') return
  const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event('metadata', { run_id: 'run-1', attempt: 1 }))
  if ('error' in states) response.write(event('error', { error: 'Error', message: states.error }))
  else for (const state of states) response.write(event('values', state))
  response.end()
}

export function serveGraphState({ body, response, mind }: Served): void {
  const states = graphStates(body, mind)
  if (states === 'hang') return
  sendJson(
    response,
    'error' in states ? { __error__: { error: 'Error', message: states.error } } : states.at(-1),
  )
}
