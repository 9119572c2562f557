import type { Data } from '../results/transcript/message.ts'
import { createHttpModel, type HttpConnection, type ModelApi } from './http-model.ts'
import type { Model, ModelRequest } from './model.ts'
import { toOpenAIMessage } from './openai-messages.ts'
import { openAIFormat } from './openai-reply.ts'

export type OpenAIConnection = HttpConnection

const openAIApi: ModelApi = {
  name: 'openai',
  path: '/chat/completions',
  example: 'https://api.openai.com/v1',
  headers: bearerHeader,
  body: buildBody,
  format: openAIFormat,
  embeddingsPath: '/embeddings',
  hasStructuredOutput: true,
}

export function bearerHeader(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
}

/**
 * Creates a model behind any server that speaks OpenAI's chat completions.
 *
 * @example
 * const model = createOpenAIModel({ baseURL: 'http://127.0.0.1:8080/v1', model: 'local' })
 * const reply = await model.generate({ messages: [{ role: 'user', content: 'Hi' }], tools: [], settings: {} }, scope)
 */
export function createOpenAIModel(connection: OpenAIConnection): Model {
  return createHttpModel(openAIApi, connection)
}

function buildBody(request: ModelRequest, connection: OpenAIConnection): Data {
  const { answerSchema, settings, tools } = request
  const isStream = connection.stream !== false
  // Settings may replace what stands before them. Literals with spreads would cost more than sending the request.
  const body: Data = {}
  if (isStream) body.stream_options = { include_usage: true }
  if (answerSchema !== undefined) body.response_format = responseFormat(answerSchema)
  Object.assign(body, settings)
  body.model = connection.model
  body.messages = request.messages.map(toOpenAIMessage)
  if (tools.length > 0) body.tools = tools
  if (isStream) body.stream = true
  return body
}

function responseFormat(schema: Data): Data {
  return { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } }
}
