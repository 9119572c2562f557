import type { Data, Message, ToolCall } from '../transcript/message.ts'
import { createHttpModel, type HttpConnection, type ModelApi } from './http-model.ts'
import type { Model, ModelRequest } from './model.ts'
import { openAIContent } from './openai-content.ts'
import { openAIFormat } from './openai-reply.ts'

export type OpenAIConnection = HttpConnection

const openAIApi: ModelApi = {
  name: 'openai',
  path: '/chat/completions',
  example: 'https://api.openai.com/v1',
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  body: bodyOf,
  format: openAIFormat,
  embeddingsPath: '/embeddings',
}

/**
 * A model behind any server that speaks OpenAI's chat completions.
 *
 * @example
 * const model = createOpenAIModel({ baseURL: 'http://127.0.0.1:8080/v1', model: 'local' })
 * const reply = await model.generate({ messages: [{ role: 'user', content: 'Hi' }], tools: [], settings: {} }, scope)
 */
export function createOpenAIModel(connection: OpenAIConnection): Model {
  return createHttpModel(openAIApi, connection)
}

function bodyOf(request: ModelRequest, connection: OpenAIConnection): Data {
  return {
    ...(connection.stream === false ? {} : { stream_options: { include_usage: true } }),
    ...request.settings,
    model: connection.model,
    messages: request.messages.map(messageOf),
    ...(request.tools.length > 0 ? { tools: request.tools } : {}),
    ...(connection.stream === false ? {} : { stream: true }),
  }
}

function messageOf(message: Message): Data {
  const { role, name, toolCalls, toolCallId } = message
  const content = openAIContent(message.content)
  if (role === 'tool') return { role, tool_call_id: toolCallId, content }
  const named = name === undefined ? {} : { name }
  if (role !== 'assistant' || toolCalls === undefined || toolCalls.length === 0)
    return { role, ...named, content }
  // A call without words has null content: some servers refuse an empty text.
  return { role, ...named, content: content === '' ? null : content, tool_calls: toolCalls.map(toolCallOf) }
}

function toolCallOf(call: ToolCall): Data {
  // Arguments that are a text are ones that were not JSON: they go back as they came.
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
  return { id: call.id, type: 'function', function: { name: call.name, arguments: text } }
}
