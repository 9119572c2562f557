import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { redactUrl } from '../../models/network/address.ts'
import { createNetwork } from '../../models/network/network.ts'
import { readProxies } from '../../models/network/proxies.ts'
import type { ConnectorConfig } from '../../project/config-schema.ts'
import type { Environment } from '../../system/environment.ts'
import type { Question } from './starting-point.ts'

/** A model that the environment gives access to. */
export interface ModelEndpoint {
  /** The variable that it was found by. */
  variable: string
  type: 'openai' | 'anthropic'
  /** Of the API, without a slash at its end. */
  url: string
  /** The variable with its key. */
  key: string | undefined
  /** Used unless somebody chooses another. */
  model: string | undefined
  /** Whether the server can be asked for its models, because it has few: one of the user's own. */
  listsModels: boolean
}

interface KnownProvider {
  key: string
  model: string
  url: string
  type?: 'anthropic'
}

/** Model names go out of date: each can be changed when `viva init` asks, by `<NAME>_MODEL`, or in the config. */
const providers: readonly KnownProvider[] = [
  { key: 'OPENAI_API_KEY', url: 'https://api.openai.com/v1', model: 'gpt-5-mini' },
  {
    key: 'ANTHROPIC_API_KEY',
    url: 'https://api.anthropic.com/v1',
    model: 'claude-haiku-4-5',
    type: 'anthropic',
  },
  { key: 'OPENROUTER_API_KEY', url: 'https://openrouter.ai/api/v1', model: 'openai/gpt-5-mini' },
  { key: 'GROQ_API_KEY', url: 'https://api.groq.com/openai/v1', model: 'llama-3.3-70b-versatile' },
  { key: 'MISTRAL_API_KEY', url: 'https://api.mistral.ai/v1', model: 'mistral-small-latest' },
  { key: 'DEEPSEEK_API_KEY', url: 'https://api.deepseek.com/v1', model: 'deepseek-chat' },
  {
    key: 'TOGETHER_API_KEY',
    url: 'https://api.together.xyz/v1',
    model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
  },
]

/** What is written must be an address, and hold no password. */
export function checkAddress(endpoint: ModelEndpoint): ModelEndpoint {
  const { variable, url } = endpoint
  const fault = (message: string, hint: string) =>
    new ConfigError({ code: 'bad_environment', message: `${variable}: ${message}`, hint })
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw fault('not a URL', 'write http://host:port/v1')
  const { username, password, search } = new URL(url)
  if (username === '' && password === '' && search === '') return endpoint
  throw fault(
    `the address ${redactUrl(new URL(url))} has credentials, which would be written into the config`,
    'name the key in OPENAI_API_KEY',
  )
}

/** All that the environment names, a server of the user's own first. */
export function findModelEndpoints(env: Environment): ModelEndpoint[] {
  return [...ownServers(env), ...knownProviders(env)]
}

function* ownServers(env: Environment): Generator<ModelEndpoint> {
  const variable = ['OPENAI_BASE_URL', 'OPENAI_API_BASE'].find((name) => isSet(env[name]))
  if (variable !== undefined)
    yield {
      variable,
      type: 'openai',
      url: (env[variable] ?? '').replace(/\/+$/, ''),
      key: isSet(env.OPENAI_API_KEY) ? 'OPENAI_API_KEY' : undefined,
      model: env.OPENAI_MODEL,
      listsModels: true,
    }
  if (isSet(env.OLLAMA_HOST))
    yield {
      variable: 'OLLAMA_HOST',
      type: 'openai',
      url: ollamaUrl(env.OLLAMA_HOST ?? ''),
      key: undefined,
      model: env.OLLAMA_MODEL,
      listsModels: true,
    }
}

function knownProviders(env: Environment): ModelEndpoint[] {
  return providers
    .filter(({ key }) => isSet(env[key]))
    .filter(
      ({ key }) => key !== 'OPENAI_API_KEY' || !(isSet(env.OPENAI_BASE_URL) || isSet(env.OPENAI_API_BASE)),
    )
    .map(
      ({ key, url, model, type }): ModelEndpoint => ({
        variable: key,
        type: type ?? 'openai',
        url,
        key,
        model: env[key.replace(/_API_KEY$/, '_MODEL')] ?? model,
        listsModels: false,
      }),
    )
}

/** `0.0.0.0` is where it listens; `:port` has no host; a host without a port is at Ollama's. */
function ollamaUrl(host: string): string {
  const [, scheme = 'http://', given = ''] = /^(https?:\/\/)?([^/]*)/.exec(host.trim()) ?? []
  const address = `${scheme}${given.replace(/^(?=:\d*$)/, '127.0.0.1')}`
  // What is no address is reported where it is used.
  if (!URL.canParse(address)) return host
  const url = new URL(address)
  const credentials = url.username === '' && url.password === '' ? '' : `${url.username}:${url.password}@`
  const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname
  // The port 80 is written out, because a URL leaves it away.
  const port = /:(\d+)$/.exec(given)?.[1] ?? (scheme === 'http://' ? '11434' : undefined)
  return `${scheme}${credentials}${name}${port === undefined ? '' : `:${port}`}/v1`
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== ''
}

/** Which of its models to use. */
export async function modelQuestion(
  endpoint: ModelEndpoint,
  env: Environment,
  signal: AbortSignal,
): Promise<Question> {
  const standard =
    endpoint.model ?? (endpoint.listsModels ? await firstModel(endpoint, env, signal) : undefined)
  const name = endpoint.variable.split('_')[0]
  return {
    text: 'Which model?',
    hint: `set ${name}_MODEL, or name the agent: viva init -n openai:${endpoint.url}#model`,
    ...(standard === undefined ? {} : { standard }),
    problem: (answer) => (/[\s#]/.test(answer) ? 'the name of a model has no blanks and no #' : undefined),
  }
}

const soonMs = 3000

/** The first model that the server lists; undefined if it lists none. */
async function firstModel(
  { url, key }: ModelEndpoint,
  env: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const network = createNetwork({ connections: 1, proxies: readProxies({}, env), env })
  try {
    const headers = key === undefined ? {} : { authorization: `Bearer ${env[key]}` }
    const soon = AbortSignal.any([signal, AbortSignal.timeout(soonMs)])
    const answer = await network.fetch(`${url}/models`, { headers, signal: soon })
    const body: unknown = answer.ok ? await answer.json() : undefined
    const models = isRecord(body) && Array.isArray(body.data) ? body.data : []
    const names = models.flatMap((model) => (isRecord(model) && typeof model.id === 'string' ? model.id : []))
    return names.find((name) => !/embed|whisper|tts|rerank/i.test(name))
  } catch {
    signal.throwIfAborted()
    return undefined
  } finally {
    await network.close()
  }
}

/** The endpoint as a connector, with its key by name. */
export function toConnector({ type, url, key }: ModelEndpoint, model: string): ConnectorConfig {
  const options = { model, ...(key === undefined ? {} : { key: `$ENV.${key}` }) }
  // A host with a slash at its end is the whole address.
  return type === 'anthropic' ? { type, options } : { type, options: { ...options, host: `${url}/` } }
}
