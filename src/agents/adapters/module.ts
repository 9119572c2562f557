import { AgentError, ConfigError, InfrastructureError, messageOf } from '../../errors.ts'
import { withFiles } from '../../models/media.ts'
import { type Project, pathInProject } from '../../project/project.ts'
import type { Data } from '../../results/transcript/message.ts'
import { messagesOf } from '../../results/transcript/turn.ts'
import type { Context } from '../../scope/context.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Inspection } from '../../scripts/protocol/script-call.ts'
import { runScript } from '../../scripts/runner/run-script.ts'
import { hostThreads, type ScriptCall, type ScriptHost } from '../../scripts/runner/script-host.ts'
import type { Agent, TurnRequest } from '../agent.ts'
import { historyMessages, messagesWithFiles } from '../history.ts'
import { seedOf } from '../seed.ts'
import { aiSdkMessages } from './ai-sdk-messages.ts'
import { toReply } from './module-reply.ts'
import { providerError } from './provider-error.ts'

/**
 * `./agent.ts#name`: an async function `(input, ctx) => reply`, an object with `execute(input, ctx)`, or an agent
 * or a model of the AI SDK.
 */
export async function moduleAgent(
  file: string,
  exportName: string,
  { scripts, project, loading }: { scripts: ScriptHost; project: Project; loading: AbortSignal },
): Promise<Agent> {
  const id = pathInProject(project, file) + (exportName === 'default' ? '' : `#${exportName}`)
  const found = await scripts
    // A script may be the one that needs it, and have a permit.
    .call({ kind: 'inspect', file, export: exportName }, { signal: loading, nested: true })
    .catch((error: unknown) => {
      throw new ConfigError({ code: 'bad_agent', message: `agent ${id}: ${messageOf(error)}` })
    })
  const { callable } = found as Inspection
  const where = { file, export: exportName }
  return {
    id,
    input: callable === 'ai_sdk' ? 'messages' : 'any',
    // More at once would only wait there, on their cases' time.
    concurrency: hostThreads,
    history: 'given',
    tools: 'reported',
    async open({ context }) {
      return {
        async send(turn, scope) {
          const { request, call } = callable === 'ai_sdk' ? aiSdkCall(turn) : ownCall(turn, context)
          return scope.exchange({
            target: `module:${id}`,
            endpoint: `module:${id}`,
            request,
            perform: async (signal) =>
              toReply(await ask({ ...where, ...call }, { scripts, id, scope, signal })),
            usage: (reply) => reply.usage,
          })
        },
        async close() {},
      }
    },
  }
}

/** What is asked, and the call that asks it. */
interface Asking {
  request: unknown
  call:
    | { kind: 'agent'; input: unknown; context: Data }
    | { kind: 'ai_sdk'; messages: Data[]; options: Data; settings: Data }
}

function ownCall({ input, view, options }: TurnRequest, context: Context): Asking {
  const { sessionId, userId, teamId, locale, referer, accept, client, authorized, variables } = context
  const who = { userId, teamId, locale, referer, accept, client, authorized, variables }
  const history = historyMessages(view)
  const told = {
    ...who,
    turn: view.turns.length + 1,
    history,
    options,
    metadata: options.metadata ?? {},
  }
  return {
    request: { input: input.value, context: told },
    call: {
      kind: 'agent',
      input: withFiles(input.value),
      context: { sessionId, ...told, history: messagesWithFiles(history) },
    },
  }
}

/** Of the options, the seed is for the model and the metadata are the agent's own affair; the rest is for packages. */
function aiSdkCall({ input, view, options }: TurnRequest): Asking {
  const messages = [...messagesOf(view), input.message]
  const metadata = (options.metadata ?? {}) as Data
  const settings = seedOf(options)
  return {
    request: { messages, metadata, settings },
    call: { kind: 'ai_sdk', messages: aiSdkMessages(messages), options: metadata, settings },
  }
}

/** What its code throws is the agent's failure, unless the AI SDK says that its provider's is to blame. */
async function ask(
  call: ScriptCall,
  { scripts, id, scope, signal }: { scripts: ScriptHost; id: string; scope: Scope; signal: AbortSignal },
): Promise<unknown> {
  try {
    return await runScript(scripts, call, { name: id, scope, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof InfrastructureError) throw error
    throw providerError(error) ?? new AgentError(messageOf(error), { cause: error })
  }
}
