import { relative } from 'node:path'
import { AgentError, ConfigError, messageOf } from '../errors.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import type { Agent } from './agent.ts'
import { historyOf } from './history.ts'
import { toReply } from './module-reply.ts'

/** A module must be there at once; one that takes longer to load waits for something that will not come. */
const loadTimeoutMs = 30_000

/** `./agent.ts#name`: an async function `(input, ctx) => reply`, or an object with `execute(input, ctx)`. */
export async function moduleAgent(
  file: string,
  exportName: string,
  { scripts, cwd }: { scripts: ScriptHost; cwd: string },
): Promise<Agent> {
  const id = relative(cwd, file) + (exportName === 'default' ? '' : `#${exportName}`)
  const signal = AbortSignal.timeout(loadTimeoutMs)
  await scripts.call({ kind: 'inspect', file, export: exportName }, { signal }).catch((error: unknown) => {
    throw new ConfigError({ code: 'bad_agent', message: `agent ${id}: ${messageOf(error)}` })
  })
  return {
    id,
    input: 'any',
    history: 'given',
    tools: 'reported',
    async open(_scope, context) {
      return {
        async send(input, view, options, scope) {
          const request = {
            ...context,
            turn: view.turns.length + 1,
            history: historyOf(view),
            options,
            metadata: options.metadata ?? {},
          }
          return scope.exchange(`module:${id}`, { input: input.value, context: request }, async (signal) => {
            const call = {
              kind: 'agent',
              file,
              export: exportName,
              input: input.value,
              context: request,
            } as const
            const answer = await scripts
              .call(call, { signal, onLog: (line) => scope.log(line) })
              .catch((error: unknown) => {
                signal.throwIfAborted()
                throw new AgentError(messageOf(error), { cause: error })
              })
            return toReply(answer)
          })
        },
        async close() {},
      }
    },
  }
}
