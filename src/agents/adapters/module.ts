import { isAbsolute } from 'node:path'
import { AgentError, ConfigError, errorMessage, InfrastructureError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { inlineFiles } from '../../models/media.ts'
import { priceReply } from '../../models/prices.ts'
import { type Project, projectPath } from '../../project/project.ts'
import type { Data } from '../../results/transcript/message.ts'
import { listMessages } from '../../results/transcript/turn.ts'
import type { Context } from '../../scope/context.ts'
import type { Play } from '../../scope/play.ts'
import { fingerprint } from '../../scope/recording/fingerprint.ts'
import type { Scope } from '../../scope/scope.ts'
import type { ThreadChoice } from '../../scripts/protocol/protocol.ts'
import type { Inspection } from '../../scripts/protocol/script-call.ts'
import { sharedThreads } from '../../scripts/protocol/shared-threads.ts'
import { findPlaceInFrames } from '../../scripts/protocol/thrown.ts'
import { runScript, type ScriptRun } from '../../scripts/runner/run-script.ts'
import { ScriptThrew } from '../../scripts/runner/script-error.ts'
import { hostThreads, type ScriptCall, type ScriptHost } from '../../scripts/runner/script-host.ts'
import { callToolCode } from '../../tools/tool-code.ts'
import type { Agent, TurnRequest } from '../agent.ts'
import { agentPrices } from '../agent-prices.ts'
import { addFiles, historyMessages } from '../history.ts'
import { seedSetting } from '../seed.ts'
import { aiSdkMessages } from './ai-sdk-messages.ts'
import { toReply } from './module-reply.ts'
import { providerError } from './provider-error.ts'
import { listStubs, SessionTools, toolsHint } from './session-tools.ts'

interface ModuleSurroundings {
  scripts: ScriptHost
  project: Project
  loading: AbortSignal
  /** `--stub-all` */
  stubAll?: boolean | undefined
  /** Its name in the config. */
  configured?: string | undefined
}

const moduleDisclosure = {
  tools: toolsHint,
  usage: "report them: ctx.usage({ model: 'NAME', ...result.usage })",
}

const aiSdkDisclosure = {
  usage: 'let its model report them; some providers do so only if asked (includeUsage: true)',
}

/**
 * `./agent.ts#name`: an async function `(input, ctx) => reply`, an object with `execute(input, ctx)`, or an agent
 * or a model of the AI SDK.
 */
export async function moduleAgent(
  file: string,
  exportName: string,
  { scripts, project, loading, stubAll = false, configured }: ModuleSurroundings,
): Promise<Agent> {
  const id = projectPath(project, file) + (exportName === 'default' ? '' : `#${exportName}`)
  const where = { file, export: exportName }
  const load = (signal: AbortSignal, thread: ThreadChoice) =>
    // Nested, because the caller may be a script that already holds a permit.
    scripts.call({ kind: 'inspect', ...where }, { signal, nested: true, thread }).catch((error: unknown) => {
      throw new ConfigError({ code: 'bad_agent', message: `agent ${id}: ${errorMessage(error)}` })
    })
  const isolated = project.config.isolate === 'case'
  const threads = new WeakMap<Play, ThreadChoice>()
  const found = await load(loading, isolated ? { kind: 'leased' } : { kind: 'shared' })
  const { callable, tools, ignoresContext, exports } = found as Inspection
  const prices = agentPrices(project, configured, id)
  const isAiSdk = callable === 'ai_sdk' || callable === 'ai_sdk_model'
  return {
    id,
    input: isAiSdk ? 'messages' : 'any',
    // More sessions at once would only wait for a thread.
    ...(isolated && { concurrency: hostThreads }),
    history: 'given',
    tools: callable === 'ai_sdk_model' || ignoresContext ? 'reported' : 'wrapped',
    ...(tools !== undefined && { toolNames: () => oneByOne(tools) }),
    disclosure: isAiSdk ? aiSdkDisclosure : moduleDisclosure,
    async prepare(sessions, signal) {
      const slots = isolated ? 0 : sharedThreads(sessions)
      await Promise.all(Array.from({ length: slots }, (_, slot) => load(signal, { kind: 'shared', slot })))
    },
    findTool(name, { context: { play, sessionId } }) {
      const isTool = tools?.includes(name)
      if (!isTool && (name === exportName || !exports.includes(name))) return undefined
      // In memory, it may have what the agent has done.
      const thread = play && threads.get(play)
      const run = (args: unknown) => (scope: Scope, signal: AbortSignal) => {
        const call = isTool
          ? { kind: 'ai_sdk_tool' as const, ...where, tool: name, args }
          : { kind: 'call' as const, file, export: name, args: [args, { sessionId }] }
        return runScript(scripts, call, { name: `tool ${name}`, scope, signal, ...defined({ thread }) })
      }
      return {
        name,
        call: (args, scope) => callToolCode({ target: name, request: args, run: run(args) }, scope),
      }
    },
    async open({ context }) {
      const session = crypto.randomUUID()
      const sessionTools = new SessionTools({ agentId: id, stubAll, hint: toolsHint })
      const thread: ThreadChoice = { kind: isolated ? 'kept' : 'shared', session }
      if (context.play !== undefined) threads.set(context.play, thread)
      return {
        async send(turn, scope) {
          const { request, call } = isAiSdk ? aiSdkCall(turn) : functionCall(turn, context)
          const stubs = listStubs(turn.stubs)
          const { describeBlocked, ...blocks } = watchBlocked((at) => projectPath(project, at))
          return scope.exchange({
            target: `module:${id}`,
            endpoint: `module:${id}`,
            request: stubs.length === 0 ? request : { ...request, stubs },
            sees: () => ({ code: fingerprint(file, undefined) }),
            perform: async ({ signal }, within) => {
              const onMoved = () =>
                turn.view.turns.length > 0 && scope.context.missing?.push(createLostState())
              const tools = sessionTools.beginTurn(turn.stubs, scope)
              const { context: own, onEvent, restart: onRunAgain, complete, findCause } = tools
              const attempt = within.child(within.role, undefined, own)
              const how = {
                name: id,
                scope: attempt,
                signal,
                thread,
                onEvent,
                onMoved,
                onRunAgain,
                ...blocks,
              }
              const answer = await callModule(scripts, { ...where, ...call }, how, project).catch((error) => {
                throw signal.aborted ? error : findCause(error)
              })
              return priceReply(complete(toReply(answer)), prices)
            },
            usage: (reply) => reply.usage,
            overdue: describeBlocked,
          })
        },
        checkStubs: () => sessionTools.checkStubs(),
        close: async () => scripts.release(session),
      }
    },
  }
}

async function* oneByOne(names: readonly string[]): AsyncGenerator<string> {
  yield* names
}

/** What the agent does wrong from then on may come of it, so that it is not held against the agent. */
function createLostState(): InfrastructureError {
  const lost = 'what the module had kept in memory of this conversation was lost'
  return new InfrastructureError('state_lost', `${lost}: another case has ended its thread`)
}

/** Says in the message of a timeout where the code blocks its thread. */
function watchBlocked(shorten: (place: string) => string) {
  let place: string | undefined
  return {
    onBlocked(at: string | undefined) {
      place = at
    },
    onUnblocked() {
      place = undefined
    },
    describeBlocked: () => place && `its code blocks its thread at ${shorten(place)}`,
  }
}

/** The request as it is reported, and the call that makes it. */
interface ModuleRequest {
  request: Data
  call:
    | { kind: 'agent'; input: unknown; context: Data }
    | { kind: 'ai_sdk'; messages: Data[]; options: Data; settings: Data }
}

function functionCall({ input, view, options }: TurnRequest, context: Context): ModuleRequest {
  const { sessionId, userId, teamId, locale, referer, accept, client, authorized, variables } = context
  const who = { userId, teamId, locale, referer, accept, client, authorized, variables }
  const history = historyMessages(view)
  const shown = {
    ...who,
    turn: view.turns.length + 1,
    history,
    options,
    metadata: options.metadata ?? {},
  }
  return {
    request: { input: input.value, context: shown },
    call: {
      kind: 'agent',
      input: inlineFiles(input.value),
      context: { sessionId, ...shown, history: addFiles(history) },
    },
  }
}

/** The seed goes to the model and the metadata to the agent; the other options only concern packages. */
function aiSdkCall({ input, view, options }: TurnRequest): ModuleRequest {
  const messages = [...listMessages(view), input.message]
  const metadata = (options.metadata ?? {}) as Data
  const settings = seedSetting(options)
  return {
    request: { messages, metadata, settings },
    call: { kind: 'ai_sdk', messages: aiSdkMessages(messages), options: metadata, settings },
  }
}

/** An exception is a failure of the agent, unless the AI SDK reports that the model provider failed. */
async function callModule(
  scripts: ScriptHost,
  call: ScriptCall,
  how: ScriptRun & { signal: AbortSignal },
  project: Project,
): Promise<unknown> {
  try {
    return await runScript(scripts, call, how)
  } catch (error) {
    how.signal.throwIfAborted()
    if (error instanceof InfrastructureError) throw error
    throw providerError(error) ?? new AgentError(describeThrow(error, project), { cause: error })
  }
}

/** `…/agent.ts:12`, as load errors and timeouts say it. */
const namesPlace = /\.[cm]?[jt]sx?:\d+/

/** The message of what a module threw, with the place in the user's code unless it names one. */
function describeThrow(error: unknown, project: Project): string {
  const message = errorMessage(error)
  const place = error instanceof ScriptThrew ? findPlaceInFrames(error.stack ?? '') : undefined
  if (place === undefined || !isAbsolute(place.file) || namesPlace.test(message)) return message
  return `${message} (${projectPath(project, place.file)}:${place.line}:${place.column})`
}
