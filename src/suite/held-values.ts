import { asJson } from '../json/as-json.ts'
import { isRecord } from '../json/json.ts'
import type { Data, Message } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Input } from '../results/transcript/turn.ts'
import { type Typed, typed, withTyped } from '../results/transcript/typed.ts'
import { snapshot } from './snapshot.ts'

/** Whatever an agent reports about a reply besides its output. */
export type AgentMetadata = Readonly<Record<string, unknown>>

/** An input of the engine holds plain JSON, for journals and reports; code of the suite sees the value as it was sent. */
export function holdInput(value: unknown): Input {
  const json = asJson(value)
  const input: Input = { value: json, message: { role: 'user', content: spokenIn(json, askedNames) } }
  return withTyped(input, { value: snapshot(value) })
}

export function typedInput(input: Input): unknown {
  const { value } = input[typed] ?? input
  return value
}

type HeldMessage = Message & Typed<{ content: unknown }>

/** A message before the first turn. */
export function holdMessage(message: Message, value: unknown): Message {
  const held: HeldMessage = { ...message, content: asJson(value) }
  return withTyped(held, { content: snapshot(value) })
}

export function typedContent(message: HeldMessage): unknown {
  const { content } = message[typed] ?? message
  return content
}

/** What an agent has answered, before it is a reply of the engine: its tools may have more to say. */
export interface SuiteAnswer {
  reply: Reply
  output: unknown
  metadata?: AgentMetadata | undefined
}

export function holdOutput(reply: Reply, output: unknown, metadata?: AgentMetadata): Reply {
  return withTyped(reply, { output: snapshot(output), ...(metadata && { metadata: snapshot(metadata) }) })
}

export function typedOutput(reply: Reply): unknown {
  const { output } = reply[typed] ?? reply
  return output
}

export function typedMetadata(reply: Reply): AgentMetadata | undefined {
  return reply[typed]?.metadata
}

const askedNames = ['message', 'content', 'text', 'input', 'query', 'prompt', 'question']
export const answeredNames = ['reply', 'message', 'content', 'text', 'answer', 'response']

/** The words in a value: itself, or the field that by its name is what is said; else all of it as JSON. */
export function spokenIn(json: unknown, names: readonly string[]): string {
  if (typeof json === 'string') return json
  const name = textField(json, names)
  return name === undefined ? JSON.stringify(json ?? null) : String((json as Data)[name])
}

/** The user's words in an input. */
export function spokenInput(input: unknown): string {
  return spokenIn(asJson(input), askedNames)
}

/** The field of an input that holds the user's words. */
export function spokenField(input: unknown): string | undefined {
  return textField(input, askedNames)
}

/** Whether an input shows where words go. */
export function takesWords(input: unknown): boolean {
  return typeof input === 'string' || spokenField(input) !== undefined
}

function textField(value: unknown, names: readonly string[]): string | undefined {
  return isRecord(value) ? names.find((name) => typeof value[name] === 'string') : undefined
}
