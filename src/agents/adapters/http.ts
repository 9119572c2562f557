import { ConfigError } from '../../errors.ts'
import { fillTemplate, fillText, placeholdersIn, textOrNothing } from '../../json/template.ts'
import { type HttpRequest, sendRequest } from '../../models/http-client.ts'
import { inlineFiles } from '../../models/media.ts'
import { buildBasicAuth, findSecrets, redactUrl } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import { awaitedConnection } from '../../models/network/proxy-errors.ts'
import type { Faults } from '../../project/config-schema.ts'
import { type HttpAgentConfig, isHttpUrl } from '../../project/http-agent-schema.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Input, View } from '../../results/transcript/turn.ts'
import type { Context } from '../../scope/context.ts'
import type { Environment } from '../../system/environment.ts'
import { type Agent, plainSession } from '../agent.ts'
import { addFiles, historyMessage, historyMessages } from '../history.ts'
import type { AgentSources } from '../resolved.ts'
import { readEnvironment } from './environment.ts'
import { createReadAnswer } from './http-answer.ts'
import { mapAnswer } from './http-mapping.ts'
import { classifyStatusError } from './status-fault.ts'
import { retryIfUndelivered } from './unless-heard.ts'

export interface AgentSurroundings {
  network: Network
  env: Environment
  faults?: Faults | undefined
}

export function agentSurroundings({
  network,
  project,
}: Pick<AgentSources, 'network' | 'project'>): AgentSurroundings {
  return { network, env: project.env, faults: project.config.faults }
}

/** The request to a URL that is not in the config. */
const defaultRequest = { input: '{{input}}', session_id: '{{sessionId}}', history: '{{history}}' }

/** `-n http://…` or an entry of the config: an HTTP agent whose requests and answers follow a mapping. */
export function httpAgent(
  id: string,
  config: HttpAgentConfig,
  { network, env, faults }: AgentSurroundings,
): { agent: Agent; secrets: string[] } {
  const environment = readEnvironment(id, placeholdersIn([config.url, config.headers, config.request]), env)
  const mapping: HttpAgentConfig = {
    ...config,
    url: fillAddress(id, config.url, environment),
    ...(config.request === undefined && config.method !== 'GET' ? { request: defaultRequest } : {}),
  }
  const fillRequest = (values: Data) => {
    const lookUp = (name: string) =>
      name.startsWith('env.') ? environment.get(name.slice(4)) : valueAtPath(values, name)
    return createRequest(mapping, lookUp, network)
  }
  const sent = placeholdersIn([mapping.url, mapping.headers, mapping.request])
  const agent: Agent = {
    id,
    input: 'any',
    history: sent.includes('history') || sent.includes('messages') ? 'given' : 'kept',
    tools: toolVisibility(mapping),
    async open({ context }) {
      let session: unknown
      return plainSession(async ({ input, view, options }, scope) => {
        const values = templateValues({ input, view, options, context, session })
        const request = fillRequest(addFilesToValues(values))
        const from = redactUrl(request.url)
        return scope.exchange({
          target: from,
          endpoint: id,
          request: { method: request.method, url: from, body: fillRequest(values).body },
          async perform({ signal }) {
            const sent = sendRequest(request, signal, readAnswer(request, mapping))
            const answer = await sent.catch((error: unknown) => {
              const blamed = classifyStatusError(error, faults)
              throw agent.history === 'kept' ? retryIfUndelivered(blamed) : blamed
            })
            const mapped = mapAnswer(mapping, answer)
            session = mapped.session ?? session
            return mapped.reply
          },
          usage: (reply) => reply.usage,
          heldUpBy: () => awaitedConnection(request),
        })
      })
    },
  }
  return { agent, secrets: [...environment.values(), ...listUrlSecrets(mapping.url)] }
}

function readAnswer({ url, headers }: HttpRequest, { event, response }: HttpAgentConfig) {
  const keySent = headers.authorization !== undefined
  return createReadAnswer({ url, from: redactUrl(url), keySent, event, mapped: response !== undefined })
}

/** Environment variables are filled in now, values of the conversation with each request. */
function fillAddress(id: string, url: string, environment: Map<string, string>): string {
  const address = url.replace(
    /\{\{\s*env\.([^{}]*?)\s*\}\}/g,
    (_, name: string) => environment.get(name) ?? '',
  )
  if (isHttpUrl(address)) return address
  const message = `agent ${id}: url must be an http:// or https:// URL`
  const hint = `with the current environment variables, ${url} is not one`
  throw new ConfigError({ code: 'bad_agent', message, hint })
}

/** Without a mapping an answer may report tool calls; with one, only if it maps them. */
function toolVisibility({ response, stream }: HttpAgentConfig): Agent['tools'] {
  if (response === undefined) return stream === undefined ? 'reported' : 'hidden'
  return response.tool_calls === undefined ? 'hidden' : 'reported'
}

/** Placeholders that are filled in later come from the conversation and are not secret. */
function listUrlSecrets(address: string): string[] {
  if (!URL.canParse(address)) return []
  return findSecrets(new URL(address)).filter((secret) => placeholdersIn(secret).length === 0)
}

interface TemplateSource {
  input: Input
  view: View
  options: Data
  context: Context
  session: unknown
}

function templateValues({ input, view, options, context, session }: TemplateSource) {
  const history = historyMessages(view)
  return {
    input: input.value,
    sessionId: context.sessionId,
    session,
    turn: view.turns.length + 1,
    history,
    messages: [...history, historyMessage(input.message)],
    userId: context.userId,
    teamId: context.teamId,
    locale: context.locale,
    metadata: options.metadata ?? {},
    options,
  }
}

/** Adds the contents of files for sending; events and reports only show their names. */
function addFilesToValues(values: ReturnType<typeof templateValues>): Data {
  const { input, history, messages } = values
  return {
    ...values,
    input: inlineFiles(input),
    history: addFiles(history),
    messages: addFiles(messages),
  }
}

/** The value at a dotted path such as `metadata.order.id`, or undefined. */
function valueAtPath(values: Data, name: string): unknown {
  let value: unknown = values
  for (const step of name.split('.')) {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    value = isObject ? (value as Data)[step] : undefined
  }
  return value
}

function createRequest(
  { url: address, method = 'POST', headers = {}, request, stream }: HttpAgentConfig,
  lookUp: (name: string) => unknown,
  network: Network,
): HttpRequest {
  const url = new URL(
    fillText(address, lookUp, { write: (value) => encodeURIComponent(textOrNothing(value)) }),
  )
  const body = request === undefined ? undefined : fillTemplate(request, lookUp)
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fillText(value, lookUp)])
  const sent: Record<string, string> = {
    ...network.headers,
    accept: stream === undefined ? 'application/json, text/plain' : 'text/event-stream, application/json',
    ...(body === undefined
      ? {}
      : { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }),
    ...buildBasicAuth(url),
    ...Object.fromEntries(own),
  }
  const asText = typeof body === 'string' && !sent['content-type']?.includes('json')
  return {
    url,
    method,
    headers: sent,
    network,
    ...(body === undefined ? {} : { body: asText ? body : JSON.stringify(body) }),
  }
}
