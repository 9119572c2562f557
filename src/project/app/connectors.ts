import { relative } from 'node:path'
import { ConfigError, catchProblem, lookingInto } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { Limiter } from '../../models/limiter.ts'
import type { Model } from '../../models/model.ts'
import type { Network } from '../../models/network/network.ts'
import {
  isOpenAIReference,
  type OpenAIReference,
  parseOpenAIReference,
} from '../../models/openai-reference.ts'
import { findPrice } from '../../models/prices.ts'
import { createScriptedModel } from '../../models/scripted.ts'
import type { SharedPermits } from '../../models/shared-permits.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import type { ConnectorConfig } from '../config-schema.ts'
import type { Project } from '../project.ts'
import { findAppFiles } from './app-files.ts'
import { checkConnectorOptions, createConnection, providers } from './connector-options.ts'
import { findRoles } from './connector-roles.ts'
import { readConnector } from './read-connector.ts'
import { unknownIdError } from './unknown-id.ts'

/** The configured models of a project, each created on first use. */
export interface Connectors {
  ids(): string[]
  /** Why it cannot be used, or undefined. */
  problem(id: string): string | undefined
  /** The id for the value of `-c`, which may be an endpoint without a file: `openai:URL#model` or `openai-responses:URL#model`. */
  named(flag: string): string
  /** Accepts an id, `$ENV.NAME`, or `use::role`. */
  model(id: string): Model
  /** The id for an id, `$ENV.NAME`, or `use::role`. Throws `ConfigError` for a role without a connector. */
  idOf(written: string): string
  /** The type of a connector that is there and can be read. */
  typeOf(id: string): ConnectorConfig['type'] | undefined
  /** What is written of a connector, and the folder to which its paths are relative. Throws like `model`. */
  written(id: string): { connector: ConnectorConfig; folder: string }
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

export function findConnectors(
  project: Project,
  scripts: ScriptHost,
  network: Network,
  permits?: SharedPermits,
): Connectors {
  const found = new Map<string, ConnectorSource>([...appConnectors(project), ...configConnectors(project)])
  const models = new Map<string, Model>()
  const addresses = new Map<string, string>()
  const secrets = new Set<string>()
  const roles = findRoles(project)

  const make = (id: string, connector: ConnectorSource): Model => {
    const { type, options = {}, limits = {} } = connector.read()
    const { concurrency, requests_per_minute: requestsPerMinute } = limits
    const allowed = defined({ concurrency, requestsPerMinute })
    const isLimited = permits !== undefined && Object.keys(allowed).length > 0
    const limiter = new Limiter(allowed, isLimited ? (stop) => permits.take(id, allowed, stop) : undefined)
    const { folder } = connector
    const price = findPrice(project.config.prices, id, String(options.model ?? ''))
    if (type === 'scripted') return createScriptedModel(id, options, { folder, scripts, price, limiter })
    checkConnectorOptions(id, type, options, connector.strict)
    const connection = createConnection(id, type, options, { secrets, env: project.env })
    addresses.set(id, connection.baseURL)
    return providers[type].create({ ...connection, network, limiter, ...defined({ price }) })
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
    typeOf(id) {
      try {
        return found.get(roles.idOf(id))?.read().type
      } catch (error) {
        if (error instanceof ConfigError) return undefined
        throw error
      }
    },
    written(id) {
      connectors.model(id)
      const source = found.get(roles.idOf(id))
      if (source === undefined) throw unknownIdError('connector', 'unknown_connector', id, found.keys())
      return { connector: source.read(), folder: source.folder }
    },
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
function referencedConnector(
  { type, base, model }: OpenAIReference,
  { root, env }: Project,
): ConnectorSource {
  const key = env.OPENAI_API_KEY ? { key: '$ENV.OPENAI_API_KEY' } : {}
  const options = { host: `${base}/`, model, ...key }
  return { folder: root, file: '-c', strict: true, read: () => ({ type, options }) }
}
