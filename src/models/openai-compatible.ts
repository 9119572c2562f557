import { ConfigError } from '../errors.ts'
import type { Data, Message, ToolCall } from '../transcript/message.ts'
import { textOf } from '../transcript/message.ts'
import type { Reply } from '../transcript/reply.ts'
import { credentialsIn, type HttpRequest, send } from './http-client.ts'
import type { Model, ModelRequest } from './model.ts'
import { createReadBody } from './openai-reply.ts'

export interface OpenAIConnection {
  /** Up to and with the version: `https://api.openai.com/v1`. A query is sent with every call. */
  baseURL: string
  model: string
  apiKey?: string
  headers?: Record<string, string>
  /** Default true. */
  stream?: boolean
  /** Settings of every call, where the call does not set them otherwise. */
  settings?: Data
  /** How many connections to the server may be open at once. Default 64. */
  connections?: number
}

/**
 * A model behind any server that speaks OpenAI's chat completions.
 *
 * @example
 * const model = createOpenAIModel({ baseURL: 'http://127.0.0.1:8080/v1', model: 'local' })
 * const reply = await model.generate({ messages: [{ role: 'user', content: 'Hi' }], tools: [], settings: {} }, scope)
 */
export function createOpenAIModel(connection: OpenAIConnection): Model {
  const url = endpointOf(connection.baseURL)
  const headers = headersOf(connection, url)
  const connections = connection.connections ?? 64
  return {
    id: connection.model,
    generate(request, scope) {
      const complete = { ...request, settings: { ...connection.settings, ...request.settings } }
      const body = JSON.stringify(bodyOf(complete, connection))
      const call: HttpRequest = { url, headers, body, connections }
      const readBody = createReadBody({
        url,
        keySent: headers.authorization !== undefined,
        callPrefix: `call_${request.messages.length}`,
      })
      return scope.exchange<Reply>(`openai:${connection.model}`, complete, (signal) =>
        send(call, signal, readBody),
      )
    },
  }
}

function endpointOf(baseURL: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // Even what is no URL may hold a password or a key.
    const shown = JSON.stringify(baseURL.replace(/\/\/.*@/, '//…@').replace(/\?.*/s, '?…'))
    const message = `the base URL of a model must be an http(s) URL, but is ${shown}`
    throw new ConfigError({ code: 'invalid_url', message, hint: 'like https://api.openai.com/v1' })
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  return url
}

function headersOf(connection: OpenAIConnection, url: URL): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: connection.stream === false ? 'application/json' : 'text/event-stream, application/json',
    ...credentialsIn(url),
  }
  if (connection.apiKey) headers.authorization = `Bearer ${connection.apiKey}`
  for (const [name, value] of Object.entries(connection.headers ?? {})) headers[name.toLowerCase()] = value
  return headers
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
  const content = Array.isArray(message.content) ? message.content : textOf(message.content)
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
