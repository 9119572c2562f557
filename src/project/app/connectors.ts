import { relative } from 'node:path'
import { ConfigError, catchProblem, lookingInto } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import { createAnthropicModel } from '../../models/anthropic.ts'
import type { HttpConnection } from '../../models/http-model.ts'
import { Limiter } from '../../models/limiter.ts'
import type { Model } from '../../models/model.ts'
import { findSecrets } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import { createOpenAIModel } from '../../models/openai-compatible.ts'
import {
  isOpenAIReference,
  type OpenAIReference,
  parseOpenAIReference,
} from '../../models/openai-reference.ts'
import { findPrice } from '../../models/prices.ts'
import { createScriptedModel } from '../../models/scripted.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import type { Environment } from '../../system/environment.ts'
import { findNearest } from '../../text/nearest.ts'
import type { ConnectorConfig } from '../config-schema.ts'
import type { Project } from '../project.ts'
import { findAppFiles } from './app-files.ts'
import { findRoles } from './connector-roles.ts'
import { expandEnv } from './env.ts'
import { findMisspeltKeys } from './misspelt.ts'
import { badConnectorError, readConnector } from './read-connector.ts'
import { unknownIdError } from './unknown-id.ts'

/** The configured models of a project, each created on first use. */
export interface Connectors {
  ids(): string[]
  /** Why it cannot be used, or undefined. */
  problem(id: string): string | undefined
  /** The id for the value of `-c`, which may be an endpoint without a file: `openai:URL#model`. */
  named(flag: string): string
  /** Accepts an id, `$ENV.NAME`, or `use::role`. */
  model(id: string): Model
  /** The id for an id, `$ENV.NAME`, or `use::role`. Throws `ConfigError` for a role without a connector. */
  idOf(written: string): string
  /** The server that a connector sends its requests to; undefined for one that sends none. */
  addressOf(id: string): URL | undefined
  /** The connector for agents that do not name one. */
  standard(): string | undefined
  /** Keys that reports must not show. */
  secrets(): string[]
}

interface ConnectorSource {
  /** The folder to which its paths are relative. */
  folder: string
  file: string
  /** True for the config, where all keys are known. In a file of the app, the Yao engine may know more. */
  strict: boolean
  read(): ConnectorConfig
}

export function findConnectors(project: Project, scripts: ScriptHost, network: Network): Connectors {
  const found = new Map<string, ConnectorSource>([...appConnectors(project), ...configConnectors(project)])
  const models = new Map<string, Model>()
  const addresses = new Map<string, string>()
  const secrets = new Set<string>()
  const roles = findRoles(project)

  const make = (id: string, connector: ConnectorSource): Model => {
    const { type, options = {}, limits = {} } = connector.read()
    if (type !== 'scripted') checkOptions(id, options, connector.strict)
    const { concurrency, requests_per_minute: requestsPerMinute } = limits
    const limiter = new Limiter(defined({ concurrency, requestsPerMinute }))
    const { folder } = connector
    const price = findPrice(project.config.prices, id, String(options.model ?? ''))
    if (type === 'scripted') return createScriptedModel(id, options, { folder, scripts, price, limiter })
    const { host, create } = providers[type]
    const connection = createConnection(id, host, options, { secrets, env: project.env })
    addresses.set(id, connection.baseURL)
    return create({
      ...connection,
      network,
      limiter,
      ...defined({ price }),
    })
  }
  const connectors: Connectors = {
    ids: () => [...found.keys()].sort(),
    problem: (id) => catchProblem(() => void connectors.model(id)),
    named(flag) {
      if (found.has(flag) || !isOpenAIReference(flag)) return flag
      const endpoint = parseOpenAIReference(flag, 'bad_flag')
      found.set(endpoint.id, referencedConnector(endpoint, project))
      return endpoint.id
    },
    model(written) {
      const id = roles.idOf(written)
      const connector = found.get(id)
      if (connector === undefined) throw unknownIdError('connector', 'unknown_connector', id, found.keys())
      const model = models.get(id) ?? lookingInto(connector.file, () => make(id, connector))
      models.set(id, model)
      return model
    },
    idOf: roles.idOf,
    addressOf(id) {
      connectors.model(id)
      const address = addresses.get(roles.idOf(id)) ?? ''
      return URL.canParse(address) ? new URL(address) : undefined
    },
    standard: () => roles.standard,
    secrets: () => [...secrets],
  }
  checkConfigured(project, connectors)
  return connectors
}

/** Checks all connectors of the config, used or not. Environment variables only matter for those in use. */
function checkConfigured(project: Project, connectors: Connectors): void {
  const problems = Object.keys(project.config.connectors ?? {}).flatMap((id) => {
    try {
      connectors.model(id)
      return []
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return error.problems.filter(({ code }) => code !== 'missing_env')
    }
  })
  if (problems.length > 0) throw new ConfigError(problems)
}

/** The options that are sent to the API. */
const requestOptions = [
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
const optionKeys = {
  read: ['model', 'key', 'host', 'proxy', 'headers', 'stream', ...requestOptions],
  engine: ['capabilities', 'azure', 'version', 'max_input_tokens', 'max_output_tokens'],
}

function checkOptions(id: string, options: Data, strict: boolean): void {
  const unknown = strict
    ? Object.keys(options)
        .filter((key) => !optionKeys.read.includes(key) && !optionKeys.engine.includes(key))
        .map((key) => unknownOption(key))
    : findMisspeltKeys(options, optionKeys, ' in options')
  const missing =
    options.model === undefined && unknown.length === 0 ? [{ message: 'options.model is missing' }] : []
  const problems = [...unknown, ...missing]
  if (problems.length > 0) throw badConnectorError(id, problems)
}

function unknownOption(key: string): { message: string; hint?: string } {
  const guess = findNearest(key, optionKeys.read)
  const hint = guess && `did you mean "${guess}"?`
  return { message: `unknown key "${key}" in options`, ...defined({ hint }) }
}

interface Provider {
  host: string
  create(connection: HttpConnection): Model
}

const providers: Record<Exclude<ConnectorConfig['type'], 'scripted'>, Provider> = {
  openai: { host: 'https://api.openai.com', create: createOpenAIModel },
  anthropic: { host: 'https://api.anthropic.com', create: createAnthropicModel },
}

function createConnection(
  id: string,
  defaultHost: string,
  options: Data,
  { secrets, env }: { secrets: Set<string>; env: Environment },
): HttpConnection {
  const { model, key, host, proxy, headers, stream, ...settings } = options
  const text = (name: string, value: unknown) =>
    value === undefined ? undefined : expandEnv(String(value), `connector ${id}, ${name}`, env)
  const apiKey = text('key', key)
  const address = baseURL(text('host', host ?? proxy) ?? defaultHost)
  const sent = expandHeaders(headers, (name, value) => text(`headers.${name}`, value) ?? '')
  for (const secret of [apiKey ?? '', ...Object.values(sent)]) if (secret !== '') secrets.add(secret)
  if (URL.canParse(address)) for (const secret of findSecrets(new URL(address))) secrets.add(secret)
  return {
    baseURL: address,
    model: text('model', model) ?? '',
    settings: requestSettings(settings),
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

/** The options that are sent to the API; `capabilities` and the like are for Yao. */
function requestSettings(options: Data): Data {
  return Object.fromEntries(Object.entries(options).filter(([key]) => requestOptions.includes(key)))
}

/** A host with a trailing slash is the full base; otherwise `/v1` is added. */
function baseURL(host: string): string {
  if (host.endsWith('/')) return host.slice(0, -1)
  return /\/v\d+$/.test(host) ? host : `${host}/v1`
}

function* appConnectors(project: Project): Generator<[string, ConnectorSource]> {
  for (const { id, path, file } of findAppFiles(project, 'connectors', 'conn')) {
    const folder = project.appRoot ?? project.root
    yield [id, { folder, file, strict: false, read: () => readConnector(id, path, file) }]
  }
}

function* configConnectors(project: Project): Generator<[string, ConnectorSource]> {
  const file = project.configFile ? relative(project.cwd, project.configFile) : ''
  for (const [id, connector] of Object.entries(project.config.connectors ?? {})) {
    yield [id, { folder: project.root, file, strict: true, read: () => connector }]
  }
}

/** With the key that `-n openai:…` sends, too. */
function referencedConnector({ base, model }: OpenAIReference, { root, env }: Project): ConnectorSource {
  const key = env.OPENAI_API_KEY ? { key: '$ENV.OPENAI_API_KEY' } : {}
  const options = { host: `${base}/`, model, ...key }
  return { folder: root, file: '-c', strict: true, read: () => ({ type: 'openai', options }) }
}
