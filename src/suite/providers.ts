import { z } from 'zod'
import { InfrastructureError } from '../errors.ts'
import { asJson } from '../json/as-json.ts'
import { defined } from '../json/defined.ts'
import { createAnthropicModel } from '../models/anthropic.ts'
import type { HttpConnection } from '../models/http-model.ts'
import type { Model, ModelRequest } from '../models/model.ts'
import { findSecrets } from '../models/network/address.ts'
import { createNetwork, type Network } from '../models/network/network.ts'
import { readProxies } from '../models/network/proxies.ts'
import { createOpenAIModel } from '../models/openai-compatible.ts'
import { findPrice } from '../models/prices.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { checkOptions, lazySchema } from './options.ts'
import { keepSecrets } from './secrets.ts'

/** The options of `createOpenAIProvider` and `createAnthropicProvider`. */
export interface ProviderOptions {
  apiKey?: string | undefined
  /** Up to and with the version; default: the provider's own. */
  baseURL?: string | undefined
  defaultModel?: string | undefined
  headers?: Record<string, string> | undefined
  /** Of every call, in the words of the API: `temperature`, `max_tokens`… */
  settings?: Record<string, unknown> | undefined
}

const providerOptions = lazySchema(() => {
  const text = z.string().optional()
  return z.strictObject({
    apiKey: text,
    baseURL: text,
    defaultModel: text,
    headers: z.record(z.string(), z.string()).optional(),
    settings: z.record(z.string(), z.unknown()).optional(),
  })
})

/** A model of a provider; `withDefaultModel` returns another model of the same provider. */
export interface ModelProvider extends Model {
  withDefaultModel(model: string): ModelProvider
}

/**
 * Creates a provider for OpenAI, or for any server with OpenAI's chat completions API.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createOpenAIProvider } from 'vivavoce'
 * import { createPlainScope, startFakeOpenAIServer } from 'vivavoce/testing'
 *
 * // A fake server stands in for the API: without `baseURL` the provider's own is used.
 * const server = await startFakeOpenAIServer({ answer: () => 'Hello!' })
 * const provider = createOpenAIProvider({ apiKey: 'any', baseURL: server.url, defaultModel: 'small' })
 * const request = { messages: [{ role: 'user' as const, content: 'Hi' }], tools: [], settings: {} }
 * const { content } = await provider.withDefaultModel('large').generate(request, createPlainScope())
 * assert.equal(content, 'Hello!')
 * assert.equal(server.requests[0]?.body.model, 'large')
 * await server.close()
 */
export function createOpenAIProvider(options: ProviderOptions = {}): ModelProvider {
  return provider(options, 'gpt-4o-mini', 'https://api.openai.com/v1', createOpenAIModel)
}

/**
 * Creates a provider for Anthropic, or for any server with its messages API.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createAnthropicProvider } from 'vivavoce'
 * import { createPlainScope, startFakeAnthropicServer } from 'vivavoce/testing'
 *
 * // A fake server stands in for the API: without `baseURL` the provider's own is used.
 * const server = await startFakeAnthropicServer({ answer: () => 'Hello!' })
 * const provider = createAnthropicProvider({ apiKey: 'any', baseURL: server.url, defaultModel: 'small' })
 * const request = { messages: [{ role: 'user' as const, content: 'Hi' }], tools: [], settings: {} }
 * const { content } = await provider.withDefaultModel('large').generate(request, createPlainScope())
 * assert.equal(content, 'Hello!')
 * assert.equal(server.requests[0]?.body.model, 'large')
 * await server.close()
 */
export function createAnthropicProvider(options: ProviderOptions = {}): ModelProvider {
  return provider(options, 'claude-3-5-haiku-latest', 'https://api.anthropic.com/v1', createAnthropicModel)
}

const secretHeader = /auth|key|token|secret|password|cookie/i

/** The way out that the environment describes, as the command takes it. */
let opened: Network | undefined
function network(): Network {
  opened ??= createNetwork({ connections: 64, proxies: readProxies({}, process.env) })
  return opened
}

function provider(
  options: ProviderOptions,
  standardModel: string,
  standardURL: string,
  create: (connection: HttpConnection) => Model,
): ModelProvider {
  checkOptions(providerOptions, options, 'the provider')
  const { apiKey, baseURL = standardURL, defaultModel: model = standardModel, headers, settings } = options
  const price = findPrice(undefined, model, model)
  const secretHeaders = Object.entries(headers ?? {}).filter(([name]) => secretHeader.test(name))
  keepSecrets([apiKey ?? '', ...secretHeaders.map(([, value]) => value)])
  if (URL.canParse(baseURL)) keepSecrets(findSecrets(new URL(baseURL)))
  return {
    ...create({ baseURL, model, network: network(), ...defined({ apiKey, headers, settings, price }) }),
    withDefaultModel: (defaultModel) =>
      provider({ ...options, defaultModel }, standardModel, standardURL, create),
  }
}

/** The answer of a scripted model to a request: text, or data that is sent as JSON. */
export type ScriptedAnswer = (request: ModelRequest) => unknown

/**
 * Creates a model that needs no network: it answers with a function, or with the given answers one after another.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createScriptedProvider } from 'vivavoce'
 * import { createPlainScope } from 'vivavoce/testing'
 *
 * const model = createScriptedProvider(['Hello!', { mood: 'good' }])
 * const say = async (content: string) =>
 *   (await model.generate({ messages: [{ role: 'user', content }], tools: [], settings: {} }, createPlainScope()))
 *     .content
 * assert.equal(await say('Hi'), 'Hello!')
 * assert.equal(await say('How are you?'), '{"mood":"good"}')
 */
export function createScriptedProvider(answers: ScriptedAnswer | readonly unknown[]): Model {
  let next = 0
  const answer: ScriptedAnswer =
    typeof answers === 'function'
      ? answers
      : () => {
          if (next >= answers.length)
            throw new InfrastructureError(
              'bad_response',
              `the scripted model has no more than ${answers.length} answers`,
            )
          return answers[next++]
        }
  return {
    id: 'scripted',
    generate: (request, scope) =>
      scope.exchange<Reply>({
        target: 'model:scripted',
        request,
        perform: async () => {
          const said = await answer(request)
          const content = typeof said === 'string' ? said : JSON.stringify(asJson(said) ?? null)
          const messages = [{ role: 'assistant' as const, content }]
          return { output: content, content, messages, toolCalls: [], usage: { cost: 0 } }
        },
        usage: ({ usage }) => usage,
      }),
  }
}
