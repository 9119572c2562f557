import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Scope } from '../scope/scope.ts'
import { type HttpHead, type HttpRequest, sendRequest } from './http-client.ts'
import { Limiter } from './limiter.ts'
import type { Model, ModelRequest } from './model.ts'
import { buildBasicAuth, redactUrl } from './network/address.ts'
import { createNetwork, type Network } from './network/network.ts'
import { awaitedConnection } from './network/proxy-errors.ts'
import { createOpenAIEmbed } from './openai-embeddings.ts'
import { type Price, withCost } from './prices.ts'
import { type AnswerFormat, createReadBody } from './read-answer.ts'
import { withStructuredOutput } from './structured-output.ts'

export interface HttpConnection {
  /** Up to and including the version: `https://api.openai.com/v1`. A query is sent with every call. */
  baseURL: string
  model: string
  apiKey?: string
  headers?: Record<string, string>
  /** Default true. */
  stream?: boolean
  /** Default settings of every call. */
  settings?: Data
  /** The price of its tokens. Without it, the cost of a call is unknown. */
  price?: Price
  /** Default: a direct network with up to 64 connections. */
  network?: Network
  /** Default: no limits. */
  limiter?: Limiter
}

const defaultNetwork = createNetwork({ connections: 64 })

/** The parts in which the APIs of providers differ. */
export interface ModelApi {
  name: string
  /** Relative to the base URL. */
  path: string
  /** A base URL to show in error messages. */
  example: string
  /** The headers of every call, with the key if there is one. */
  headers(apiKey: string | undefined): Record<string, string>
  /** Builds the body; `request.settings` combines those of the connection and of the call. */
  body(request: ModelRequest, connection: HttpConnection): Data
  format: AnswerFormat
  /** Path of OpenAI-style embeddings, relative to the base URL. Absent where there are none. */
  embeddingsPath?: string
  /** Whether the body accepts `answerSchema`. */
  hasStructuredOutput?: boolean
}

/** Creates a model whose API takes one POST per turn. */
export function createHttpModel(api: ModelApi, connection: HttpConnection): Model {
  const url = buildEndpoint(api, api.path, connection.baseURL)
  const { network = defaultNetwork, limiter = new Limiter() } = connection
  const headers = { ...network.headers, ...buildHeaders(api, connection, url) }
  const keySent = headers.authorization !== undefined || headers['x-api-key'] !== undefined
  const target = `${api.name}:${connection.model}`
  const endpoint = `${target} at ${redactUrl(url)}`
  const addCost = (reply: Reply) => {
    if (reply.usage !== undefined) limiter.quota.addUsage(reply.usage)
    return withCost(reply, connection.price)
  }
  const ask = (request: ModelRequest, scope: Scope) => {
    const { messages, tools, answerSchema } = request
    const settings = { ...connection.settings, ...request.settings }
    const complete: ModelRequest = { messages, tools, settings }
    if (answerSchema !== undefined) complete.answerSchema = answerSchema
    const body = JSON.stringify(api.body(complete, connection))
    const call: HttpRequest = { url, headers, body, network }
    const sentRequest = { url, keySent, callPrefix: `call_${messages.length}` }
    const readAnswer = createReadBody(sentRequest, api.format)
    const readBody = (head: HttpHead) => {
      if (network.respectsRateLimits) limiter.quota.update(head.headers)
      return readAnswer(head)
    }
    return scope.exchange<Reply>({
      target,
      part: 'model',
      endpoint,
      request: complete,
      perform: (stop) => limiter.run(scope, () => sendRequest(call, stop, readBody)).then(addCost),
      usage: (reply) => reply.usage,
      heldUpBy: () => awaitedConnection(call),
    })
  }
  const model: Model = {
    id: connection.model,
    ...defined({ price: connection.price }),
    generate: withStructuredOutput(ask, api.hasStructuredOutput === true),
  }
  if (api.embeddingsPath === undefined) return model
  const embedUrl = buildEndpoint(api, api.embeddingsPath, connection.baseURL)
  const embedding = { url: embedUrl, headers: { ...headers, accept: 'application/json' }, network }
  return { ...model, embed: createOpenAIEmbed({ ...connection, limiter }, embedding, keySent) }
}

function buildEndpoint(api: ModelApi, path: string, baseURL: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // Even a text that is not a URL may contain a password or a key.
    const shown = JSON.stringify(baseURL.replace(/\/\/.*@/, '//…@').replace(/\?.*/s, '?…'))
    const message = `the base URL of a model must be an http(s) URL, but is ${shown}`
    throw new ConfigError({ code: 'invalid_url', message, hint: `like ${api.example}` })
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  return url
}

function buildHeaders(api: ModelApi, connection: HttpConnection, url: URL): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: connection.stream === false ? 'application/json' : 'text/event-stream, application/json',
    ...buildBasicAuth(url),
    ...api.headers(connection.apiKey === '' ? undefined : connection.apiKey),
  }
  for (const [name, value] of Object.entries(connection.headers ?? {})) headers[name.toLowerCase()] = value
  for (const [name, value] of Object.entries(headers)) {
    if (!/[\r\n\0]/.test(value)) continue
    const what = /^(authorization|x-api-key)$/.test(name) ? 'the key' : `header ${name}`
    const message = `${what} of model ${connection.model} contains a line break`
    throw new ConfigError({ code: 'bad_header', message })
  }
  return headers
}
