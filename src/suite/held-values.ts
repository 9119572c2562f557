import { isRecord } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Input } from '../results/transcript/turn.ts'
import { asJson } from './json-value.ts'
import { snapshot } from './snapshot.ts'

/** Whatever an agent tells of a reply besides its output. */
export type AgentMetadata = Readonly<Record<string, unknown>>

/**
 * What was really sent and received. Inputs and replies of the engine hold plain JSON, for journals and reports; the
 * code of a suite sees the values themselves, whatever they are, as they were when they were sent.
 */
const inputs = new WeakMap<Input, unknown>()
const outputs = new WeakMap<Reply, { output: unknown; metadata?: AgentMetadata }>()

export function holdInput(value: unknown): Input {
  const json = asJson(value)
  const input: Input = { value: json, message: { role: 'user', content: spokenIn(json, askedNames) } }
  inputs.set(input, snapshot(value))
  return input
}

export function inputOf(input: Input): unknown {
  return inputs.has(input) ? inputs.get(input) : input.value
}

export function holdOutput<R extends Reply>(reply: R, output: unknown, metadata?: AgentMetadata): R {
  const held = snapshot(output)
  outputs.set(
    reply,
    metadata === undefined ? { output: held } : { output: held, metadata: snapshot(metadata) },
  )
  return reply
}

export function outputOf(reply: Reply): unknown {
  const held = outputs.get(reply)
  return held === undefined ? reply.output : held.output
}

export function metadataOf(reply: Reply): AgentMetadata | undefined {
  return outputs.get(reply)?.metadata
}

const askedNames = ['message', 'content', 'text', 'input', 'query', 'prompt', 'question']
export const answeredNames = ['reply', 'message', 'content', 'text', 'answer', 'response']

/** The words in a value: itself, or the field that by its name is what is said; else all of it as JSON. */
export function spokenIn(json: unknown, names: readonly string[]): string {
  if (typeof json === 'string') return json
  const name = textField(json, names)
  return name === undefined ? JSON.stringify(json ?? null) : String((json as Data)[name])
}

/** The field of an input that holds the user's words. */
export function spokenField(input: unknown): string | undefined {
  return textField(input, askedNames)
}

function textField(value: unknown, names: readonly string[]): string | undefined {
  return isRecord(value) ? names.find((name) => typeof value[name] === 'string') : undefined
}
