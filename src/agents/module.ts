import { AgentError, ConfigError, messageOf } from '../errors.ts'
import { type Project, pathInProject } from '../project/project.ts'
import { ScriptCrash } from '../scripts/script-error.ts'
import type { ScriptCall, ScriptHost } from '../scripts/script-host.ts'
import type { Agent } from './agent.ts'
import { historyOf } from './history.ts'
import { toReply } from './module-reply.ts'

/** `./agent.ts#name`: an async function `(input, ctx) => reply`, or an object with `execute(input, ctx)`. */
export async function moduleAgent(
  file: string,
  exportName: string,
  { scripts, project, loading }: { scripts: ScriptHost; project: Project; loading: AbortSignal },
): Promise<Agent> {
  const id = pathInProject(project, file) + (exportName === 'default' ? '' : `#${exportName}`)
  await scripts
    .call({ kind: 'inspect', file, export: exportName }, { signal: loading })
    .catch((error: unknown) => {
      throw new ConfigError({ code: 'bad_agent', message: `agent ${id}: ${messageOf(error)}` })
    })
  return {
    id,
    input: 'any',
    // As many as the script host has threads; more at once would only wait there, on their cases' time.
    concurrency: 16,
    history: 'given',
    tools: 'reported',
    async open({ context }) {
      const { sessionId, ...who } = context
      return {
        async send({ input, view, options }, scope) {
          const request = {
            ...who,
            turn: view.turns.length + 1,
            history: historyOf(view),
            options,
            metadata: options.metadata ?? {},
          }
          const call = {
            kind: 'agent',
            file,
            export: exportName,
            input: input.value,
            context: { sessionId, ...request },
          } as const
          return scope.exchange({
            target: `module:${id}`,
            request: { input: input.value, context: request },
            perform: async (signal) => toReply(await ask(call, scripts, signal, (line) => scope.log(line))),
            usage: (reply) => reply.usage,
          })
        },
        async close() {},
      }
    },
  }
}

/**
 * A process that dies takes all calls with it that were under way. Each is made once more, alone: the one that
 * dies again is the culprit.
 */
async function ask(
  call: ScriptCall,
  scripts: ScriptHost,
  signal: AbortSignal,
  onLog: (line: string) => void,
): Promise<unknown> {
  try {
    return await scripts.call(call, { signal, onLog }).catch((error: unknown) => {
      if (!(error instanceof ScriptCrash) || error.ended !== 'host' || signal.aborted) throw error
      return scripts.call(call, { signal, onLog, alone: true })
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new AgentError(messageOf(error), { cause: error })
  }
}
