import { toOpenAIMessage, toOpenAIToolCall } from '../../models/openai-messages.ts'
import type { Data, Message, ToolCall } from '../../results/transcript/message.ts'
import type { Reply, TokenUsage } from '../../results/transcript/reply.ts'
import type { Answered } from './tool-loop.ts'

/** The payload of `Next`. `error` is always empty, as in the Yao engine: `Next` does not run after a failed turn. */
export function nextPayload(messages: readonly Message[], answered: Answered | undefined): Data {
  return {
    messages: messages.map(toOpenAIMessage),
    completion: answered === undefined ? null : toCompletion(answered.completion),
    tools: answered === undefined || answered.calls.length === 0 ? null : answered.calls.map(toolResult),
    error: '',
  }
}

function toCompletion({ content, toolCalls, finishReason, usage }: Reply): Data {
  const asked = toolCalls === 'hidden' ? [] : toolCalls
  return {
    role: 'assistant',
    content,
    ...(asked.length > 0 && { tool_calls: asked.map(toOpenAIToolCall) }),
    finish_reason: finishReason ?? (asked.length > 0 ? 'tool_calls' : 'stop'),
    ...(usage !== undefined && { usage: toUsage(usage) }),
  }
}

function toUsage({ inputTokens = 0, outputTokens = 0 }: TokenUsage): Data {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

/** Arguments are a string, as in the Yao engine; invalid JSON was already repaired. */
function toolResult({ id, name, arguments: args, result, error = '' }: ToolCall): Data {
  const [server = '', tool = name] = name.split(/__(.*)/s)
  return {
    toolcall_id: id,
    server: server.replaceAll('_', '.'),
    tool,
    arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    result: result ?? null,
    error,
  }
}
