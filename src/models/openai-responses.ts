import { defined } from '../json/defined.ts'
import { type Data, messageText } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { createHttpModel, type HttpConnection, type ModelApi } from './http-model.ts'
import { asData } from './json.ts'
import type { Model, ModelRequest } from './model.ts'
import { bearerHeader } from './openai-compatible.ts'
import { createResponseDraft } from './openai-responses-draft.ts'
import { keepReasoning, toResponsesInput } from './openai-responses-input.ts'
import { parseResponse } from './openai-responses-reply.ts'
import { type AnsweredRequest, type AnswerFormat, buildReply } from './read-answer.ts'
import { joinSystemPrompts } from './system-prompts.ts'

const responsesFormat: AnswerFormat = { createDraft: createResponseDraft, parseReply }

const responsesApi: ModelApi = {
  name: 'openai-responses',
  path: '/responses',
  example: 'https://api.openai.com/v1',
  headers: bearerHeader,
  body: buildBody,
  format: responsesFormat,
  hasStructuredOutput: true,
}

/**
 * Creates a model behind OpenAI's Responses API, or a server that speaks it. The server is asked to store nothing: every
 * call has the whole conversation.
 *
 * @example
 * const model = createOpenAIResponsesModel({ baseURL: 'https://api.openai.com/v1', model: 'gpt-5', apiKey })
 * const reply = await model.generate({ messages: [{ role: 'user', content: 'Hi' }], tools: [], settings: {} }, scope)
 */
export function createOpenAIResponsesModel(connection: HttpConnection): Model {
  return createHttpModel(responsesApi, connection)
}

/** A model says one message, which has only the calls that the caller is to run. */
function parseReply(sentRequest: AnsweredRequest, response: Data): Reply {
  const { messages, openCalls, providerCalls, reasoning, finishReason, usage } = parseResponse(
    sentRequest,
    response,
  )
  const said = messages.filter(({ role }) => role === 'assistant')
  const content = said.map((message) => messageText(message.content)).join('')
  const reply = buildReply({
    content,
    toolCalls: openCalls,
    providerCalls,
    finishReason,
    usage,
    raw: response,
  })
  for (const message of reasoning.length > 0 ? reply.messages : []) keepReasoning(message, reasoning)
  return reply
}

function buildBody(request: ModelRequest, connection: HttpConnection): Data {
  const instructions = joinSystemPrompts(request.messages)
  return {
    store: false,
    ...toResponsesSettings(request.settings, request.answerSchema),
    model: connection.model,
    ...(instructions === '' ? {} : { instructions }),
    input: toResponsesInput(request.messages.filter(({ role }) => role !== 'system')),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toResponsesTool) } : {}),
    ...(connection.stream === false ? {} : { stream: true }),
  }
}

/** Translates settings from the words of the chat API. The API has no `seed`; all others are passed on. */
function toResponsesSettings(settings: Data, answerSchema: Data | undefined): Data {
  const {
    max_tokens,
    max_completion_tokens,
    reasoning_effort,
    response_format,
    seed: _,
    ...others
  } = settings
  const format = toTextFormat(response_format) ?? (answerSchema && answerFormat(answerSchema))
  const reasoning = reasoning_effort === undefined ? undefined : { effort: reasoning_effort }
  const translated = defined({
    max_output_tokens: max_completion_tokens ?? max_tokens,
    reasoning,
    // Without them, a model that stores nothing forgets what it thought before it called a tool.
    include: (reasoning ?? others.reasoning) ? ['reasoning.encrypted_content'] : undefined,
  })
  const text = format === undefined ? {} : { text: { format, ...asData(others.text) } }
  return { ...translated, ...others, ...text }
}

/** The format of an answer is nested less deeply than in the chat API. */
function toTextFormat(responseFormat: unknown): Data | undefined {
  const { type, json_schema: schema, ...others } = asData(responseFormat) ?? {}
  return type === undefined ? undefined : { type, ...asData(schema), ...others }
}

function answerFormat(schema: Data): Data {
  return { type: 'json_schema', name: 'answer', strict: true, schema }
}

/** Unlike the chat API, this one makes schemas strict, and so all arguments required, unless it is asked not to. */
function toResponsesTool(tool: Data): Data {
  const { name, description, parameters, strict = false } = asData(tool.function) ?? {}
  return defined({
    type: 'function',
    name,
    description,
    parameters: parameters ?? { type: 'object' },
    strict,
  })
}
