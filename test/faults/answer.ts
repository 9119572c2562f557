import type { ServerResponse } from 'node:http'
import type { Fault } from './fault.ts'

/** A correct answer, which a fault then spoils. */
export interface Answer {
  type: string
  /** What is sent: events, or one piece of JSON. */
  pieces: string[]
}

interface Asked {
  path: string
  body: Record<string, unknown>
  /** The last message. */
  text: string
}

/** Answers with what the request asks for (`say`, `tool`), or repeats the message. */
export function answerTo({ path, body, text }: Asked, fault: Fault): Answer {
  const said = fault.get('say') ?? text
  const tool = fault.get('tool')
  if (!path.endsWith('/chat/completions')) {
    const calls = tool === undefined ? {} : { tool_calls: [{ name: tool, arguments: { [tool]: tool } }] }
    return json({ content: said, ...calls })
  }
  return body.stream === true ? completionEvents(said, tool) : completion(said, tool)
}

function json(value: unknown): Answer {
  return { type: 'application/json', pieces: [JSON.stringify(value)] }
}

function completion(content: string, tool: string | undefined): Answer {
  const message = { role: 'assistant', content, ...toolCalls(tool) }
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }
  return json({
    id: 'rig',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  })
}

function completionEvents(content: string, tool: string | undefined): Answer {
  const half = Math.ceil(content.length / 2)
  const deltas = [
    { delta: { role: 'assistant', content: content.slice(0, half) } },
    { delta: { content: content.slice(half), ...toolCalls(tool) } },
    { delta: {}, finish_reason: 'stop' },
  ]
  const events = deltas.map((choice) => event({ choices: [{ index: 0, finish_reason: null, ...choice }] }))
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }
  return { type: 'text/event-stream', pieces: [...events, event({ choices: [], usage }), event('[DONE]')] }
}

export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

function toolCalls(name: string | undefined): object {
  if (name === undefined) return {}
  const call = { name, arguments: JSON.stringify({ [name]: name }) }
  return { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }
}

export function send(response: ServerResponse, { type, pieces }: Answer): void {
  response.writeHead(200, { 'content-type': type })
  for (const piece of pieces) response.write(piece)
  response.end()
}
