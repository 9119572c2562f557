import { join } from 'node:path'
import type { CheckHelpers } from '../../checks/check-helpers.ts'
import { ConfigError, errorMessage, type Problem } from '../../errors.ts'
import { findScript, type ScriptFunction, scriptProblem } from '../../project/app/script-files.ts'
import type { Project } from '../../project/project.ts'
import type { Stop } from '../../scope/stop.ts'
import { toWireContext } from '../../scripts/protocol/context-data.ts'
import { runScript } from '../../scripts/runner/run-script.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'

export type ScriptCalls = Pick<CheckHelpers, 'scriptProblem' | 'callScript'>

/** Functions of the user's that cases name: found when they are read, loaded before anything is played. */
export interface CaseScripts {
  /** For references in this folder. */
  in(folder: string): ScriptCalls
  /** All that were looked for so far. Throws `ConfigError` for those that cannot be loaded. */
  load(signal: AbortSignal): Promise<void>
}

/** `agentFolder`: of the agent under test, where it has one. */
export function createCaseScripts(
  { appRoot, packageFolder, root }: Project,
  agentFolder: string | undefined,
  { scripts }: { scripts: ScriptHost },
): CaseScripts {
  const wanted = new Map<string, { reference: string; found: ScriptFunction }>()
  const common = [
    ...(appRoot === undefined ? [] : [join(appRoot, 'scripts')]),
    ...[agentFolder ?? packageFolder].flatMap((folder) =>
      folder === undefined ? [] : [join(folder, 'src')],
    ),
  ]
  return {
    in(folder) {
      const folders = [...new Set([...common, folder])]
      return {
        scriptProblem(reference) {
          const found = findScript(reference, folders)
          if (found === undefined) return scriptProblem(reference, folders, root)
          wanted.set(JSON.stringify(found), { reference, found })
          return undefined
        },
        async callScript(reference, args, scope, options) {
          const found = findScript(reference, folders)
          if (found === undefined) throw new Error(scriptProblem(reference, folders, root))
          const perform = ({ signal }: Stop) => {
            const metadata = { ...scope.context.metadata, test_id: scope.key.id }
            const given = args(toWireContext({ ...scope.context, metadata }, options))
            const call = { kind: 'script' as const, ...found, args: given }
            return runScript(scripts, call, { name: reference, scope, signal })
          }
          return scope.exchange({ target: reference, request: args(null), perform })
        },
      }
    },
    async load(signal) {
      const problems: Problem[] = []
      for (const [key, { reference, found }] of wanted) {
        wanted.delete(key)
        await scripts.call({ kind: 'find_function', ...found }, { signal }).catch((error: unknown) => {
          signal.throwIfAborted()
          problems.push({ code: 'bad_script', message: `script ${reference}: ${errorMessage(error)}` })
        })
      }
      if (problems.length > 0) throw new ConfigError(problems)
    },
  }
}
