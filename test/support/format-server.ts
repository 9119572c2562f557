import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Said, Thought } from '../fixtures/adapters/brain.ts'

export type Data = Record<string, unknown>

export type Mind = (said: readonly Said[]) => Thought | 'hang'

export interface Served {
  body: Data
  request: IncomingMessage
  response: ServerResponse
  mind: Mind
}

/** The thought, or the message of the error that the mind failed with. */
export function thinkOrFail(mind: Mind, said: readonly Said[]): Thought | 'hang' | { error: string } {
  try {
    return mind(said)
  } catch (error) {
    return { error: (error as Error).message }
  }
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = (content ?? []) as { text?: string; result?: string }[]
  return parts.map(({ text = '' }) => text).join('')
}

export function pieces(text: string): string[] {
  return text.split(/(?<=\s)/)
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

export function sendEvents(response: ServerResponse, events: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events)
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  response.end()
}
