import { AgentError, ConfigError, errorMessage, InfrastructureError, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { toOpenAIMessage } from '../../models/openai-messages.ts'
import type { HookFile, HookName } from '../../project/app/hook-file.ts'
import type { Data, Message } from '../../results/transcript/message.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Stop } from '../../scope/stop.ts'
import { toWireContext } from '../../scripts/protocol/context-data.ts'
import { contextEffects, visibleContext } from '../../scripts/runner/context-effects.ts'
import { runScript } from '../../scripts/runner/run-script.ts'
import { ScriptLoadError } from '../../scripts/runner/script-error.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import { type CreateResult, type NextResult, parseCreateResult, parseNextResult } from './hook-returns.ts'

/** The functions that an agent runs before and after its model. Both may change nothing. */
export interface Hooks {
  create(messages: readonly Message[], options: Data, scope: Scope): Promise<CreateResult | undefined>
  next(payload: Data, options: Data, scope: Scope): Promise<NextResult | undefined>
}

export function createHooks(agentId: string, hookFile: HookFile, scripts: ScriptHost): Hooks {
  async function call(hook: HookName, given: unknown, options: Data, scope: Scope): Promise<unknown> {
    if (!hookFile.names.includes(hook)) return undefined
    const name = `${hook} of ${agentId}`
    const request = { [hook === 'Create' ? 'messages' : 'payload']: given, options }
    const args = [toWireContext(scope.context), given, options]
    const perform = ({ signal }: Stop, own: Scope) =>
      runScript(
        scripts,
        { kind: 'script', file: hookFile.path, function: hook, args, optional: hookFile.open },
        { name, scope: own, signal },
      )
    return scope
      .exchange({
        target: name,
        part: 'script',
        request,
        perform,
        code: hookFile.path,
        sees: () => visibleContext(scope.context),
        effects: contextEffects(scope.context),
        counted: false,
        overdue: () => `in ${name}`,
      })
      .catch((error: unknown) => {
        scope.stop.throwIfAborted()
        if (error instanceof InfrastructureError) throw error
        throw new AgentError(`${name}: ${errorMessage(error)}`, { cause: error })
      })
  }
  return {
    async create(messages, options, scope) {
      const returned = await call('Create', messages.map(toOpenAIMessage), options, scope)
      return logNotes(parseCreateResult(returned, `Create of ${agentId}`), scope)
    },
    async next(payload, options, scope) {
      const returned = await call('Next', payload, options, scope)
      return logNotes(parseNextResult(returned, `Next of ${agentId}`), scope)
    },
  }
}

function logNotes<T>({ result, notes }: { result?: T; notes: string[] }, scope: Scope): T | undefined {
  for (const note of notes) scope.log(note)
  return result
}

/** The error may be in a file that the hooks import. */
function loadProblem(error: unknown, path: string, file: string): Problem {
  if (!(error instanceof ScriptLoadError)) return { code: 'bad_script', message: errorMessage(error), file }
  const { fault: message, line, column } = error
  const place = error.file === path ? file : error.file
  return { code: 'bad_script', message, file: place, ...defined({ line, column }) }
}

/** Loads the hooks early, so that load errors are reported before any case is played. */
export async function loadHooks(
  { path, file, names, open }: HookFile,
  scripts: ScriptHost,
  signal: AbortSignal,
): Promise<void> {
  for (const name of names) {
    await scripts
      // Nested, because the caller may be a script that already holds a permit.
      .call({ kind: 'find_function', file: path, function: name, optional: open }, { signal, nested: true })
      .catch((error: unknown) => {
        throw new ConfigError(loadProblem(error, path, file))
      })
  }
}
