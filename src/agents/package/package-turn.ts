import { AgentError, ConfigError, errorMessage } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import type { Model } from '../../models/model.ts'
import { type Package, usesModel } from '../../project/app/package.ts'
import { readServerChoice, type ServerChoice } from '../../project/app/package-tools.ts'
import type { Data, Message } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { readMessages } from '../../results/transcript/written-messages.ts'
import type { Context } from '../../scope/context.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Tool } from '../../tools/tool.ts'
import type { AgentQuestion } from '../ask-once.ts'
import { withProviderCalls } from '../provider-calls.ts'
import { seedSetting } from '../seed.ts'
import type { CreateResult, Delegate } from './hook-returns.ts'
import type { Hooks } from './hooks.ts'
import { nextPayload } from './next-payload.ts'
import { buildPrompts, promptChoice } from './package-prompts.ts'
import { delegatedReply, packageReply, sentReply } from './package-reply.ts'
import { samplesPrompt } from './samples-prompt.ts'
import { type Answered, answerWithTools } from './tool-loop.ts'

/** Everything a package needs to answer a turn. */
export interface PackageParts {
  pack: Package
  hooks?: Hooks
  /** The model and the id of its connector: the hook's choice before the turn's. */
  model(chosen: { hook: string | undefined; turn: unknown }): { connector: string; model: Model }
  /** The tools of the package itself. */
  tools: readonly Tool[]
  /** The tools of servers that a hook names instead. */
  hookTools(servers: readonly ServerChoice[], scope: Scope): Promise<Tool[]>
  delegate(to: { id: string; messages: readonly Message[]; options: Data }, scope: Scope): Promise<Reply>
}

/** Create, the model with its tools, Next. Either hook may hand the turn on to another agent. */
export async function takeTurn(parts: PackageParts, asked: AgentQuestion, scope: Scope): Promise<Reply> {
  const { hooks } = parts
  const created = await hooks?.create(asked.messages, asked.options, scope)
  const own = scope.child(scope.role, undefined, adjustContext(scope.context, created))
  if (created?.delegate)
    return orSentReply(await delegateByHook(parts, created.delegate, asked, 'Create', own), own)
  const answered = usesModel(parts.pack) ? await completeTurn(parts, asked, created, own) : undefined
  const payload = nextPayload(asked.messages, answered)
  const next = await hooks?.next(payload, hookOptions(asked.options, created), own)
  if (next?.delegate)
    return orSentReply(
      delegatedReply(answered, await delegateByHook(parts, next.delegate, asked, 'Next', own)),
      own,
    )
  return packageReply(answered, next?.data, own.context.sent ?? [])
}

/** If the delegate says nothing, the user reads what hooks sent before. */
function orSentReply(reply: Reply, { context }: Scope): Reply {
  return reply.content === '' ? sentReply(reply, context.sent ?? []) : reply
}

/** Changes that `Create` makes to locale and metadata apply to the rest of the turn. */
function adjustContext(context: Context, created: CreateResult | undefined): Context {
  const { locale, metadata } = created ?? {}
  return {
    ...context,
    ...(locale && { locale }),
    metadata: { ...context.metadata, ...metadata },
  }
}

function hookOptions(options: Data, created: CreateResult | undefined): Data {
  return created?.connector ? { ...options, connector: created.connector } : options
}

async function completeTurn(
  parts: PackageParts,
  asked: AgentQuestion,
  created: CreateResult | undefined,
  scope: Scope,
): Promise<Answered> {
  const { pack, hooks } = parts
  const { chosen, tools, prompts, messages } = await chooseModelRequest(parts, asked, created, scope)
  const { connector, model } = chosen
  const request = {
    messages: [...prompts, ...samplesPrompt(tools), ...messages],
    settings: { ...pack.options, ...modelSettings(created), ...seedSetting(asked.options) },
  }
  // A package without `mcp` reports the calls of its model as they are: nobody is there to run them.
  if (tools.length === 0 && !pack.tools.declared) {
    const completion = await model.generate({ ...request, tools: [] }, scope)
    return { reply: { ...withProviderCalls(completion, scope), connector }, completion, calls: [] }
  }
  const { maxTurn, maxTurnKey, loop } = pack.tools
  // With hooks there is only one round: `Next` decides what to do with its results.
  const toolLoop = { agentId: pack.id, tools, maxTurn, maxTurnKey, loop: loop && hooks === undefined }
  const answered = await answerWithTools(toolLoop, model, request, scope)
  return { ...answered, reply: { ...answered.reply, connector } }
}

/** Chooses the model, its tools and messages: the hook's choice before the turn's and the package's own. */
async function chooseModelRequest(
  { pack, model, tools, hookTools }: PackageParts,
  { messages, options }: AgentQuestion,
  created: CreateResult | undefined,
  scope: Scope,
) {
  const {
    prompt_preset: preset,
    disable_global_prompts: withoutGlobal,
    connector,
    mcp_servers,
  } = created ?? {}
  const standard = promptChoice(pack, options, scope.context.metadata)
  const choice = { preset: preset || standard.preset, withoutGlobal: withoutGlobal ?? standard.withoutGlobal }
  const hook = `Create of ${pack.id}`
  const named = scope.context.metadata.__prompt_preset !== metadataPreset(options)
  return {
    chosen: await blameHook(connector ? hook : undefined, () =>
      model({ hook: connector || undefined, turn: options.connector }),
    ),
    tools: mcp_servers?.length
      ? await blameHook(hook, () => hookTools(parseServerChoices(mcp_servers), scope))
      : tools,
    prompts: await blameHook(preset || named ? hook : undefined, () => buildPrompts(pack, choice, scope)),
    messages: created?.messages?.length ? readHookMessages(hook, created.messages) : messages,
  }
}

function metadataPreset({ metadata }: Data): unknown {
  return isRecord(metadata) ? metadata.__prompt_preset : undefined
}

/** A hook that chooses something unknown fails the agent; the user's own choices were checked before the run. */
async function blameHook<T>(hook: string | undefined, choose: () => T | Promise<T>): Promise<T> {
  try {
    return await choose()
  } catch (error) {
    if (hook === undefined || !(error instanceof ConfigError)) throw error
    throw new AgentError(`${hook}: ${error.message}`)
  }
}

function parseServerChoices(named: readonly unknown[]): ServerChoice[] {
  return named.map((server, index) => {
    const choice = readServerChoice(server)
    if ('id' in choice) return choice
    throw new ConfigError({ code: 'bad_hook', message: `mcp_servers[${index}] ${choice.fault}` })
  })
}

const settingNames = ['temperature', 'max_tokens', 'max_completion_tokens', 'audio'] as const

function modelSettings(created: CreateResult | undefined): Data {
  return Object.fromEntries(
    settingNames.flatMap((name) => (created?.[name] == null ? [] : [[name, created[name]]])),
  )
}

function delegateByHook(
  { pack, delegate: handOn }: PackageParts,
  { agent_id: id, messages, options }: Delegate,
  asked: AgentQuestion,
  hook: string,
  scope: Scope,
): Promise<Reply> {
  const metadata = { ...scope.context.metadata, ...(isRecord(options?.metadata) ? options.metadata : {}) }
  const given = {
    id,
    messages: readHookMessages(`${hook} of ${pack.id}`, messages),
    options: { ...seedSetting(asked.options), ...options, metadata },
  }
  return handOn(given, scope)
}

function readHookMessages(hook: string, messages: unknown): Message[] {
  try {
    return readMessages(messages)
  } catch (error) {
    throw new AgentError(`${hook}: ${errorMessage(error)}`)
  }
}
