import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { toAnthropicMessages } from './anthropic-messages.ts'
import { anthropicFormat } from './anthropic-reply.ts'
import { createHttpModel, type HttpConnection, type ModelApi } from './http-model.ts'
import { asData } from './json.ts'
import type { Model, ModelRequest } from './model.ts'
import { joinSystemPrompts } from './system-prompts.ts'

export type AnthropicConnection = HttpConnection

/** The API requires a limit with every call. */
const defaultMaxTokens = 4096

const anthropicApi: ModelApi = {
  name: 'anthropic',
  path: '/messages',
  example: 'https://api.anthropic.com/v1',
  headers: (apiKey) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  }),
  body: buildBody,
  format: anthropicFormat,
}

/**
 * Creates a model behind Anthropic's messages API, or a server that speaks it.
 *
 * @example
 * const model = createAnthropicModel({ baseURL: 'https://api.anthropic.com/v1', model: 'claude-sonnet-4-5', apiKey })
 * const reply = await model.generate({ messages: [{ role: 'user', content: 'Hi' }], tools: [], settings: {} }, scope)
 */
export function createAnthropicModel(connection: AnthropicConnection): Model {
  return createHttpModel(anthropicApi, connection)
}

function buildBody(request: ModelRequest, connection: AnthropicConnection): Data {
  const system = joinSystemPrompts(request.messages)
  return {
    ...toAnthropicSettings(request.settings),
    model: connection.model,
    ...(system === '' ? {} : { system }),
    messages: toAnthropicMessages(request.messages),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toAnthropicTool) } : {}),
    ...(connection.stream === false ? {} : { stream: true }),
  }
}

/** The settings that `toAnthropicSettings` translates. */
export const anthropicSettings: readonly string[] = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'thinking',
  'stop',
  'stop_sequences',
]

/** Translates settings from the words of the OpenAI API. Others are left out, because the API refuses unknown ones. */
function toAnthropicSettings(settings: Data): Data {
  const { temperature, top_p, top_k, thinking, stop, stop_sequences } = settings
  const stops = stop_sequences ?? (typeof stop === 'string' ? [stop] : stop)
  const max_tokens = settings.max_completion_tokens ?? settings.max_tokens ?? defaultMaxTokens
  return defined({ max_tokens, temperature, top_p, top_k, thinking, stop_sequences: stops })
}

function toAnthropicTool(tool: Data): Data {
  const { name, description, parameters } = asData(tool.function) ?? {}
  return defined({ name, description, input_schema: parameters ?? { type: 'object' } })
}
