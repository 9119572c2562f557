import { AgentError, InfrastructureError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { compilePath, type Found } from '../../json/path.ts'
import { excerpt, hasError } from '../../models/json.ts'
import type { HttpAgentConfig, HttpResponseMapping } from '../../project/http-agent-schema.ts'
import { messageText } from '../../results/transcript/message.ts'
import { readArguments } from '../../results/transcript/parse-arguments.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { toReply } from './module-reply.ts'

const maxShownStart = 300

/** The answer of an HTTP agent, whose values can be looked up by path. */
export interface HttpAnswer {
  /** The address that answered, for messages. */
  from: string
  /** The value at a path; in a stream, that of the newest event that has it. */
  find(path: (data: unknown) => Found | undefined): Found | undefined
  /** The whole answer as JSON value or text, for agents without a mapping. */
  whole: unknown
  isStream: boolean
  /** The joined text of a stream. */
  streamed?: string
  /** The answer as it was received, for messages. */
  raw: string
}

export interface MappedAnswer {
  reply: Reply
  /** The new value of `{{session}}`. */
  session: unknown
}

/** Turns an answer into a reply, using the mapping of the config. */
export function mapAnswer(agent: HttpAgentConfig, answer: HttpAnswer): MappedAnswer {
  const { response, session, stream } = agent
  const failure = response?.error === undefined ? undefined : lookUp(response.error, answer)?.value
  if (hasError(failure)) throw new AgentError(messageText(failure))
  if (stream !== undefined && !answer.isStream) {
    throw badAnswerError(answer, 'is not an event stream, although the config says `stream: "sse"`')
  }
  const reply = response === undefined ? unmappedReply(answer) : mappedReply(response, answer)
  return { reply, session: readValue(session, 'session', answer) }
}

function unmappedReply(answer: HttpAnswer): Reply {
  return toReply(answer.streamed === undefined ? answer.whole : { content: answer.streamed })
}

function mappedReply(response: HttpResponseMapping, answer: HttpAnswer): Reply {
  const at = (key: 'content' | 'output' | 'awaiting_input' | 'input_hint' | 'finish_reason') =>
    readValue(response[key], `response.${key}`, answer)
  const parts = {
    content: at('content') ?? answer.streamed,
    output: at('output'),
    tool_calls: mapToolCalls(response.tool_calls, answer),
    awaiting_input: at('awaiting_input') ?? undefined,
    input_hint: at('input_hint') ?? undefined,
    finish_reason: at('finish_reason') ?? undefined,
    usage: mapUsage(response.usage, answer),
  }
  try {
    return toReply(parts)
  } catch (error) {
    // The mapping chose these parts, so a wrong one is an error of the mapping.
    throw error instanceof AgentError
      ? badAnswerError(answer, `does not fit the mapping: ${error.message}`)
      : error
  }
}

function mapToolCalls(mapping: HttpResponseMapping['tool_calls'], answer: HttpAnswer): unknown {
  if (mapping === undefined) return undefined
  const path = typeof mapping === 'string' ? mapping : mapping.path
  // A path that ends with `?` may find nothing: then no calls were made.
  const list = readValue(path, 'response.tool_calls', answer) ?? []
  if (typeof mapping === 'string' || !Array.isArray(list)) return list
  const must = (call: unknown, key: 'name' | 'arguments') => {
    const path = mapping[key]
    const part = readPart(call, path)
    if (part !== undefined || path === undefined || path.endsWith('?')) return part
    const setting = `\`response.tool_calls.${key}\` in the config`
    throw badAnswerError(answer, `has a tool call with nothing at ${path} (${setting})`)
  }
  return list.map((call: unknown) => ({
    name: must(call, 'name'),
    arguments:
      mapping.arguments === undefined && isRecord(call) ? readArguments(call) : must(call, 'arguments'),
    result: readPart(call, mapping.result),
    error: readPart(call, mapping.error) ?? undefined,
  }))
}

function readPart(call: unknown, path: string | undefined): unknown {
  return path === undefined ? undefined : compileMappingPath(path)(call)?.value
}

function mapUsage(mapping: HttpResponseMapping['usage'], answer: HttpAnswer): unknown {
  if (mapping === undefined) return undefined
  const entries = Object.entries(mapping) as [string, string | undefined][]
  return Object.fromEntries(
    entries.map(([key, path]) => [key, readValue(path, `response.usage.${key}`, answer)]),
  )
}

/** A value must be there unless its path ends with `?`. A mapping that does not fit is not a failure of the agent. */
function readValue(path: string | undefined, key: string, answer: HttpAnswer): unknown {
  if (path === undefined) return undefined
  const found = lookUp(path, answer)
  if (found === undefined && !path.endsWith('?')) {
    throw badAnswerError(answer, `has nothing at ${path} (\`${key}\` in the config)`)
  }
  return found?.value
}

function lookUp(path: string, answer: HttpAnswer): Found | undefined {
  return answer.find(compileMappingPath(path))
}

export function compileMappingPath(path: string): (data: unknown) => Found | undefined {
  const compiled = compilePath(path.replace(/\?$/, ''))
  return (data) => compiled.find(data)
}

export function badAnswerError(
  { from, raw }: Pick<HttpAnswer, 'from' | 'raw'>,
  fault: string,
): InfrastructureError {
  const start = raw.trim() === '' ? 'It is empty' : `It begins: ${excerpt(raw, maxShownStart)}`
  return new InfrastructureError('bad_response', `the answer of ${from} ${fault}. ${start}`)
}
