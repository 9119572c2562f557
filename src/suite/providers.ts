import { z } from 'zod'
import { InfrastructureError } from '../errors.ts'
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
import { asJson } from './json-value.ts'
import { checkOptions, lazySchema } from './options.ts'
import { keepSecrets } from './secrets.ts'

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

/** A model of a provider, and the way to its others. */
export interface ModelProvider extends Model {
  withDefaultModel(model: string): ModelProvider
}

/** Anything that speaks OpenAI's chat completions. */
export function createOpenAIProvider(options: ProviderOptions = {}): ModelProvider {
  return provider(options, 'gpt-4o-mini', 'https://api.openai.com/v1', createOpenAIModel)
}

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

/** What a scripted model says to a request: a text, or data that is sent as JSON. */
export type ScriptedAnswer = (request: ModelRequest) => unknown

/** A model without a network: it answers by a function, or with the given answers one after the other. */
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
