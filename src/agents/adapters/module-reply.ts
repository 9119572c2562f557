import { AgentError, InfrastructureError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { deepestData, isRecord, isTooDeep, textOrJson } from '../../json/json.ts'
import { readReportedUsage, sumUsage } from '../../models/reported-usage.ts'
import { type Message, messageText, type ToolCall } from '../../results/transcript/message.ts'
import { readArguments } from '../../results/transcript/parse-arguments.ts'
import type { Reply } from '../../results/transcript/reply.ts'

/** An object with one of these keys is a reply; any other object is an output. */
const replyKeys = [
  'content',
  'output',
  'tool_calls',
  'messages',
  'awaiting_input',
  'input_hint',
  'finish_reason',
]

/** Turns the return value of a module's function into a reply: text, a reply-shaped object, or any other value as the output. */
export function toReply(answer: unknown): Reply {
  if (answer === undefined || answer === null) {
    throw new AgentError('the agent returned nothing: return a text or an object')
  }
  // Checked before it is converted to text, which would overflow the stack.
  if (isTooDeep(answer)) {
    const message = `the agent answered with data nested deeper than ${deepestData} levels`
    throw new InfrastructureError('bad_response', message)
  }
  if (typeof answer !== 'object' || Array.isArray(answer)) return plainReply(answer)
  const object = answer as Record<string, unknown>
  const isReply = Object.keys(object).some((key) => replyKeys.includes(key))
  return isReply ? shapedReply(object) : plainReply(object)
}

function plainReply(output: unknown): Reply {
  const content = textOrJson(output)
  return { output, content, messages: [{ role: 'assistant', content }], toolCalls: 'hidden' }
}

function shapedReply(object: Record<string, unknown>): Reply {
  const toolCalls = object.tool_calls === undefined ? 'hidden' : toToolCalls(object.tool_calls)
  const content = messageText(object.content ?? object.output)
  const spoken: Message = { role: 'assistant', content, ...(toolCalls === 'hidden' ? {} : { toolCalls }) }
  return {
    output: firstNonEmpty(object.output, object.content),
    content,
    messages: object.messages === undefined ? [spoken] : toMessages(object.messages),
    toolCalls,
    raw: object,
    ...defined({
      awaitingInput: readBoolean(object, 'awaiting_input'),
      inputHint: object.input_hint === undefined ? undefined : messageText(object.input_hint),
      finishReason: object.finish_reason === undefined ? undefined : messageText(object.finish_reason),
    }),
    ...sumUsage(readReportedUsage(object.usage)),
  }
}

function firstNonEmpty(...values: unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null && value !== '') ?? ''
}

/** The messages of this reply, including tool calls, for the history of the next turn. */
function toMessages(value: unknown): Message[] {
  if (!Array.isArray(value)) throw new AgentError("the agent's messages are not a list")
  return value.map((item: unknown, index) => {
    const { role, content, tool_calls, tool_call_id } = isRecord(item) ? item : {}
    if (role !== 'assistant' && role !== 'tool' && role !== 'user' && role !== 'system') {
      throw new AgentError(`the agent's messages[${index}] has no role`)
    }
    return {
      role,
      content: content ?? '',
      ...(tool_calls === undefined ? {} : { toolCalls: toToolCalls(tool_calls) }),
      ...(typeof tool_call_id === 'string' ? { toolCallId: tool_call_id } : {}),
    }
  })
}

/** `{name, arguments}`, `{name, args}` or OpenAI's `{function: {name, arguments}}`. */
function toToolCalls(value: unknown): ToolCall[] {
  if (!Array.isArray(value)) throw new AgentError("the agent's tool_calls are not a list")
  return value.map((item: unknown, index) => {
    const call = isRecord(item) ? item : {}
    const inner = isRecord(call.function) ? call.function : call
    const { name } = inner
    if (typeof name !== 'string') throw new AgentError(`the agent's tool_calls[${index}] has no name`)
    return {
      id: typeof call.id === 'string' ? call.id : `call_${index + 1}`,
      name,
      arguments: readArguments(inner),
      ...defined({
        result: call.result,
        error: call.error === undefined ? undefined : messageText(call.error),
      }),
    }
  })
}

function readBoolean(object: Record<string, unknown>, key: string): boolean | undefined {
  const value = object[key]
  if (value === undefined || typeof value === 'boolean') return value
  throw new AgentError(`the agent's ${key} is ${messageText(value)}, must be true or false`)
}
