import { fillTemplate, fillText, type LookUp, textOrNothing } from '../../json/template.ts'
import type { HttpRequest } from '../../models/http-client.ts'
import { inlineFiles } from '../../models/media.ts'
import { buildBasicAuth } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import type { HttpAgentConfig } from '../../project/http-agent-schema.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Context, Disclosure } from '../../scope/context.ts'
import type { Exchange, Scope } from '../../scope/scope.ts'
import type { AbortState } from '../../scope/stop.ts'
import { isChangingName } from '../../text/changing-names.ts'
import type { Agent, TurnRequest } from '../agent.ts'
import { addFiles, historyMessage, historyMessages } from '../history.ts'

/** What an HTTP agent needs to build its requests: the config, with its environment variables, and the network. */
export interface HttpEndpoint {
  config: HttpAgentConfig
  environment: ReadonlyMap<string, string>
  network: Network
}

/** A turn that is ready to be sent. */
export interface PreparedTurn {
  request: HttpRequest
  /** For events, reports and recordings: without sessions, and with files by their names only. */
  shown: { url: URL; body: unknown }
  send(signal: AbortState, scope: Scope): Promise<Reply>
  /** What does not fit in what came so far, if the answer has a format. */
  misfit?(): Misfit | undefined
}

/** Why what came so far is no answer in the expected format. */
export interface Misfit {
  problem: string
  /** Nothing that follows can make it one: waiting for the rest is not the agent's fault. */
  isFinal: boolean
}

export interface HttpConversation {
  prepare(turn: TurnRequest): PreparedTurn
  /** What an answer leaves for later turns besides the reply. Absent if that is nothing. */
  effects?: NonNullable<Exchange<Reply>['effects']>
}

/** How an HTTP agent is talked to: with a mapping of the config, or in a format. */
export interface HttpProtocol extends Pick<Agent, 'history' | 'tools'> {
  disclosure: Disclosure
  open(context: Context): HttpConversation
}

/** The values of `{{placeholders}}`. */
export function templateValues({ input, view, options }: TurnRequest, context: Context, session?: unknown) {
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

/** Sessions differ from run to run, and reports need not show them. */
export function withoutSessions({ session, ...values }: ReturnType<typeof templateValues>): Data {
  return { ...values, sessionId: '[session]', ...(session !== undefined && { session: '[session]' }) }
}

/** Adds the contents of files for sending; events and reports only show their names. */
export function addFilesToValues(values: ReturnType<typeof templateValues>): Data {
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

/** The template with the values of the conversation and the environment. */
export function fillBody({ environment }: HttpEndpoint, template: unknown, values: Data): unknown {
  return template === undefined ? undefined : fillTemplate(template, createLookUp(environment, values))
}

export function createRequest(endpoint: HttpEndpoint, values: Data, body: unknown): HttpRequest {
  const { config, environment, network } = endpoint
  const { url: address, method = 'POST', headers = {}, stream, format } = config
  const lookUp = createLookUp(environment, values)
  const url = new URL(
    fillText(address, lookUp, { write: (value) => encodeURIComponent(textOrNothing(value)) }),
  )
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fillText(value, lookUp)])
  const mayStream = stream !== undefined || format !== undefined
  const sent: Record<string, string> = {
    ...network.headers,
    accept: mayStream ? 'text/event-stream, application/json' : 'application/json, text/plain',
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

/**
 * The address and the headers of a request. Sessions, the environment and keys of the config are left out: they are others
 * where a recording is replayed.
 */
export function visibleToServer(config: HttpAgentConfig, turn: TurnRequest, context: Context) {
  const { url } = config
  const headers = Object.fromEntries(
    Object.entries(config.headers ?? {}).filter(
      ([name, text]) => text.includes('{{') || !isChangingName(name),
    ),
  )
  const values = withoutSessions(templateValues(turn, context))
  const lookUp: LookUp = (name) => (name.startsWith('env.') ? `{{${name}}}` : valueAtPath(values, name))
  return fillTemplate({ url, headers }, lookUp)
}

function createLookUp(environment: ReadonlyMap<string, string>, values: Data): LookUp {
  return (name) => (name.startsWith('env.') ? environment.get(name.slice(4)) : valueAtPath(values, name))
}
