import type { Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import { anthropicSettings, createAnthropicModel } from '../../models/anthropic.ts'
import type { HttpConnection } from '../../models/http-model.ts'
import type { Model } from '../../models/model.ts'
import { findSecrets } from '../../models/network/address.ts'
import { createOpenAIModel } from '../../models/openai-compatible.ts'
import { createOpenAIResponsesModel } from '../../models/openai-responses.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Environment } from '../../system/environment.ts'
import { findNearest } from '../../text/nearest.ts'
import type { ConnectorConfig } from '../config-schema.ts'
import { expandEnv } from './env.ts'
import { findMisspeltKeys } from './misspelt.ts'
import { badConnectorError } from './read-connector.ts'

/** A type of connector whose models are behind an API. */
export type ProviderType = Exclude<ConnectorConfig['type'], 'scripted'>

interface Provider {
  host: string
  create(connection: HttpConnection): Model
  /** The options that are sent to the API. */
  settings: readonly string[]
  /** The only settings that are sent. Default: all. */
  sent?: readonly string[]
  /** A setting that is not sent. */
  unsent?: string
}

const chatSettings = [
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'top_p',
  'seed',
  'stop',
  'response_format',
  'thinking',
  'reasoning_effort',
]

/** Those of the chat API that are translated, and its own. It has neither `seed` nor `stop`. */
const responsesSettings = [
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'top_p',
  'response_format',
  'text',
  'reasoning_effort',
  'reasoning',
  'include',
  'store',
  'service_tier',
  'truncation',
  'parallel_tool_calls',
  'tool_choice',
]

export const providers: Record<ProviderType, Provider> = {
  openai: { host: 'https://api.openai.com', create: createOpenAIModel, settings: chatSettings },
  'openai-responses': {
    host: 'https://api.openai.com',
    create: createOpenAIResponsesModel,
    settings: responsesSettings,
    unsent: 'seed',
  },
  anthropic: {
    host: 'https://api.anthropic.com',
    create: createAnthropicModel,
    settings: [...chatSettings, 'top_k', 'stop_sequences'],
    sent: anthropicSettings,
  },
}

/** What other servers know, so that it is not taken for a typo. */
const otherSettings = (
  'top_k min_p n user logprobs top_logprobs logit_bias presence_penalty frequency_penalty repetition_penalty ' +
  'min_tokens stop_sequences stop_token_ids tool_choice parallel_tool_calls service_tier modalities audio ' +
  'prediction metadata store text reasoning include truncation verbosity max_output_tokens chat_template_kwargs'
).split(' ')

/** Finds settings that are probably typos. */
export function findMisspeltSettings(
  type: ProviderType,
  settings: Data,
): Pick<Problem, 'message' | 'hint'>[] {
  const known = { read: providers[type].settings, engine: [...chatSettings, ...otherSettings] }
  return findMisspeltKeys(settings, known, ' in settings')
}

/** Finds settings that the API does not have, so that they are not sent. */
export function findUnsentSettings(type: ProviderType, settings: Data): string[] {
  const { sent, unsent } = providers[type]
  return Object.keys(settings).filter((key) => key === unsent || sent?.includes(key) === false)
}

/** Options of the connection itself. */
const connectionOptions = ['model', 'key', 'host', 'proxy', 'headers', 'stream']

/** Options that only the Yao engine reads. */
const engineOptions = ['capabilities', 'azure', 'version', 'max_input_tokens', 'max_output_tokens']

/** In a file of the app, the Yao engine may know more keys than viva; with `strict`, viva knows all of them. */
export function checkConnectorOptions(id: string, type: ProviderType, options: Data, strict: boolean): void {
  const { settings } = providers[type]
  const read = [...connectionOptions, ...settings]
  const unknown = strict
    ? Object.keys(options)
        .filter((key) => !read.includes(key) && !engineOptions.includes(key))
        .map((key) => unknownOption(key, read))
    : [
        ...findMisspeltKeys(options, { read, engine: [...engineOptions, ...chatSettings] }, ' in options'),
        ...findForeignSettings(options, type),
      ]
  const missing =
    options.model === undefined && unknown.length === 0 ? [{ message: 'options.model is missing' }] : []
  const problems = [...unknown, ...missing]
  if (problems.length > 0) throw badConnectorError(id, problems)
}

function unknownOption(key: string, known: readonly string[]): { message: string; hint?: string } {
  const guess = findNearest(key, known)
  const hint = guess && `did you mean "${guess}"?`
  return { message: `unknown key "${key}" in options`, ...defined({ hint }) }
}

/** Settings of the chat API without a counterpart, which would have no effect. */
function findForeignSettings(options: Data, type: ProviderType): { message: string }[] {
  const foreign = chatSettings.filter((key) => !providers[type].settings.includes(key))
  return foreign
    .filter((key) => Object.hasOwn(options, key))
    .map((key) => ({
      message: `options.${key} has no effect: the API of type "${type}" has no such setting`,
    }))
}

export function createConnection(
  id: string,
  type: ProviderType,
  options: Data,
  { secrets, env }: { secrets: Set<string>; env: Environment },
): HttpConnection {
  const { model, key, host, proxy, headers, stream, ...others } = options
  const text = (name: string, value: unknown) =>
    value === undefined ? undefined : expandEnv(String(value), `connector ${id}, ${name}`, env)
  const apiKey = text('key', key)
  const address = baseURL(text('host', host ?? proxy) ?? providers[type].host)
  const sent = expandHeaders(headers, (name, value) => text(`headers.${name}`, value) ?? '')
  for (const secret of [apiKey ?? '', ...Object.values(sent)]) if (secret !== '') secrets.add(secret)
  if (URL.canParse(address)) for (const secret of findSecrets(new URL(address))) secrets.add(secret)
  const { settings } = providers[type]
  return {
    baseURL: address,
    model: text('model', model) ?? '',
    settings: Object.fromEntries(Object.entries(others).filter(([name]) => settings.includes(name))),
    headers: sent,
    ...(apiKey ? { apiKey } : {}),
    ...(typeof stream === 'boolean' ? { stream } : {}),
  }
}

function expandHeaders(
  headers: unknown,
  expand: (name: string, value: unknown) => string,
): Record<string, string> {
  if (!isRecord(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, expand(name, value)]))
}

/** A host with a trailing slash is the full base; otherwise `/v1` is added. */
function baseURL(host: string): string {
  if (host.endsWith('/')) return host.slice(0, -1)
  return /\/v\d+$/.test(host) ? host : `${host}/v1`
}
