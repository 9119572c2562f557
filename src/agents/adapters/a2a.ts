import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { SendMessageRequest } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { ConfigError } from '../../errors.ts'
import { fillText, placeholdersIn } from '../../json/template.ts'
import { buildBasicAuth, findSecrets, redactUrl, withoutCredentials } from '../../models/network/address.ts'
import { awaitedConnection } from '../../models/network/proxy-errors.ts'
import type { A2AAgentConfig } from '../../project/a2a-agent-schema.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Input } from '../../results/transcript/turn.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Agent, Session, TurnRequest } from '../agent.ts'
import { type A2AConnection, a2aError, createA2AFetch } from './a2a-fetch.ts'
import { toA2AParts } from './a2a-parts.ts'
import { type A2aAnswer, addEvent, addTask, awaitedTask, isInProgress, toA2AReply } from './a2a-reply.ts'
import { readEnvironment } from './environment.ts'
import type { AgentSurroundings } from './http.ts'
import { retryIfUndelivered } from './unless-heard.ts'

const pollEveryMs = 500
/** How long the request to cancel a task may take. */
const cancelMs = 1000

const a2aDisclosure = {
  tools:
    'reach the agent as a module, a command or over HTTP: A2A has no tool calls. What it did, a `state` check with a script can find out',
  usage: 'reach the agent as a module, a command or over HTTP: A2A has no token counts',
}

/** `a2a:https://…`: an agent that speaks the Agent2Agent protocol, found by its card. */
export function a2aAgent(
  id: string,
  config: A2AAgentConfig,
  { network, env, faults }: AgentSurroundings,
): { agent: Agent; secrets: string[] } {
  const address = new URL(config.a2a)
  const environment = readEnvironment(id, placeholdersIn(config.headers), env)
  const own = Object.entries(config.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    fillText(value, (placeholder) => environment.get(placeholder.slice('env.'.length))),
  ])
  const headers: Record<string, string> = {
    ...network.headers,
    ...buildBasicAuth(address),
    ...Object.fromEntries(own),
  }
  let found: Client | undefined
  // The card is fetched by the call of the first message, which has a deadline and is retried.
  const connect = async (signal: AbortSignal) => {
    found ??= await createClient(address, { headers, network }, signal)
    return found
  }
  const agent: Agent = {
    id,
    input: 'messages',
    history: 'kept',
    tools: 'hidden',
    disclosure: a2aDisclosure,
    open: async () => new A2ASession({ id, from: redactUrl(address), faults, connect }),
  }
  return { agent, secrets: [...environment.values(), ...findSecrets(address)] }
}

/** The SDK is large and rarely needed, so users install it themselves. */
export async function requireA2A(): Promise<void> {
  try {
    await import('@a2a-js/sdk/client')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const message = 'a2a agents need a package that is not installed'
    throw new ConfigError({ code: 'missing_package', message, hint: 'npm install @a2a-js/sdk@1.3.0' })
  }
}

async function createClient(address: URL, way: A2AConnection, signal: AbortSignal): Promise<Client> {
  const { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } =
    await import('@a2a-js/sdk/client')
  // Many agents still use the last draft of the protocol.
  const legacyCompat = { enabled: true }
  const fetchImpl = createA2AFetch(way)
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
    ],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: createA2AFetch(way, signal), legacyCompat }),
  })
  return factory.createFromUrl(cardUrl(address).href, '')
}

/** The address of a card is used as it is; the card of an agent is at a well-known path below its address. */
function cardUrl(address: URL): URL {
  const card = withoutCredentials(address)
  if (!card.pathname.endsWith('.json'))
    card.pathname = `${card.pathname.replace(/\/$/, '')}/.well-known/agent-card.json`
  return card
}

interface A2ATarget {
  id: string
  /** Its address in messages. */
  from: string
  faults: AgentSurroundings['faults']
  connect(signal: AbortSignal): Promise<Client>
}

/** A task that is still running when the stream of the agent has ended. */
interface RunningTask {
  workingOn: string
}

class A2ASession implements Session {
  readonly #agent: A2ATarget
  #last: A2aAnswer = { contextId: '' }
  #client: Client | undefined

  constructor(agent: A2ATarget) {
    this.#agent = agent
  }

  async send({ input, options }: TurnRequest, scope: Scope): Promise<Reply> {
    const { id, connect } = this.#agent
    const request = createRequest(input, options, this.#last)
    // Events and reports only show the names of files, and no ids, which differ from run to run.
    const shown = { parts: input.message.content, metadata: request.metadata }
    const called = {
      target: id,
      endpoint: id,
      heldUpBy: () => awaitedConnection(scope.signal),
      continues: id,
      effects: this.#effects(),
    }
    const said = await scope.exchange({
      ...called,
      request: shown,
      perform: ({ signal }) => this.#say(request, signal),
      usage: (reply) => ('workingOn' in reply ? undefined : reply.usage),
    })
    if (!('workingOn' in said)) return said
    return scope.exchange({
      ...called,
      request: { task: 'the one it is working on' },
      perform: async ({ signal }) => this.#awaitTask(await connect(signal), said.workingOn, signal),
    })
  }

  async close(): Promise<void> {
    const { task } = this.#last
    if (this.#client === undefined || task === undefined || !isInProgress(this.#last)) return
    const signal = AbortSignal.timeout(cancelMs)
    // A failure does not matter any more: the conversation is over.
    await this.#client
      .cancelTask({ tenant: '', id: task.id, metadata: undefined }, { signal })
      .catch(() => {})
  }

  /** What the agent has answered so far is where the conversation stands. */
  #effects() {
    return {
      begin: () => () => {
        const { contextId, task } = this.#last
        return { contextId, ...(task && { task: { ...task, artifacts: [] } }) }
      },
      restore: (recorded: unknown) => {
        const { contextId, task } = recorded as A2aAnswer
        this.#last = { contextId, ...(task && { task: { ...task, artifacts: new Map() } }) }
      },
    }
  }

  async #say(request: SendMessageRequest, signal: AbortSignal): Promise<Reply | RunningTask> {
    const answer: A2aAnswer = { contextId: this.#last.contextId }
    this.#last = answer
    const client = await this.#inOurWords(this.#agent.connect(signal), signal)
    this.#client = client
    const hear = async () => {
      for await (const event of client.sendMessageStream(request, { signal })) addEvent(answer, event)
    }
    await this.#inOurWords(hear(), signal).catch((error: unknown) => {
      throw retryIfUndelivered(error)
    })
    return isInProgress(answer) ? { workingOn: answer.task?.id ?? '' } : toA2AReply(answer, this.#agent.from)
  }

  /** May be retried after a failed poll: the task is still running. */
  async #awaitTask(client: Client, id: string, signal: AbortSignal): Promise<Reply> {
    while (isInProgress(this.#last)) {
      await wait(pollEveryMs, undefined, { signal })
      addTask(this.#last, await this.#inOurWords(client.getTask({ tenant: '', id }, { signal }), signal))
    }
    return toA2AReply(this.#last, this.#agent.from)
  }

  async #inOurWords<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await work
    } catch (error) {
      signal.throwIfAborted()
      throw a2aError(error, this.#agent.from, this.#agent.faults)
    }
  }
}

/** The context is the session; the agent gives it a name with its first answer. */
function createRequest(input: Input, options: Data, last: A2aAnswer): SendMessageRequest {
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: last.contextId,
      taskId: awaitedTask(last) ?? '',
      role: 1,
      parts: toA2AParts(input.message.content),
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: (options.metadata ?? {}) as Data,
  }
}
