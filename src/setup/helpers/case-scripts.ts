import { join } from 'node:path'
import type { CheckHelpers } from '../../checks/check-helpers.ts'
import { ConfigError, errorMessage, type Problem } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { findScript, type ScriptFunction, scriptProblem } from '../../project/app/script-files.ts'
import type { Project } from '../../project/project.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Stop } from '../../scope/stop.ts'
import { toWireContext } from '../../scripts/protocol/context-data.ts'
import { contextEffects, visibleContext } from '../../scripts/runner/context-effects.ts'
import { runScript } from '../../scripts/runner/run-script.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'

export type ScriptCalls = Pick<CheckHelpers, 'scriptProblem' | 'callScript'>

/** Functions of the user's that cases name: found when they are read, loaded before anything is played. */
export interface CaseScripts {
  /** For references in this folder. */
  in(folder: string): ScriptCalls
  /** The function that a reference in this folder means. */
  find(reference: string, folder: string): ScriptFunction | undefined
  /** All that were looked for so far. Throws `ConfigError` for those that cannot be loaded. */
  load(signal: AbortSignal): Promise<void>
}

/** What differs from run to run in a result: a recorded call finds its like without it. */
const variableFields = new Set([
  'line',
  'started_at',
  'duration_ms',
  'reply_ms',
  'session_id',
  'usage',
  'logs',
  'origin',
])

/** `after` and `--after-all` are given results. */
function withoutVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVariables)
  return isRecord(value) && value.type === 'result' ? dropVariables(value) : value
}

function dropVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropVariables)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([name]) => !variableFields.has(name))
  return Object.fromEntries(kept.map(([name, part]) => [name, dropVariables(part)]))
}

/** Where the scripts of cases in a folder are looked up: that folder comes last. */
export function scriptFolders(
  folder: string,
  agentFolder: string | undefined,
  { appRoot, packageFolder }: Project,
): string[] {
  const packaged = agentFolder ?? packageFolder
  return [
    ...new Set([
      ...(appRoot === undefined ? [] : [join(appRoot, 'scripts')]),
      ...(packaged === undefined ? [] : [join(packaged, 'src')]),
      folder,
    ]),
  ]
}

/** `agentFolder`: of the agent under test, where it has one. */
export function createCaseScripts(
  project: Project,
  agentFolder: string | undefined,
  { scripts }: { scripts: ScriptHost },
): CaseScripts {
  const { root } = project
  const wanted = new Map<string, { reference: string; found: ScriptFunction }>()
  const foldersFor = (folder: string) => scriptFolders(folder, agentFolder, project)
  return {
    find: (reference, folder) => findScript(reference, foldersFor(folder)),
    in(folder) {
      const folders = foldersFor(folder)
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
          const context = {
            ...scope.context,
            metadata: { ...scope.context.metadata, test_id: scope.key.id },
          }
          const perform = ({ signal }: Stop, own: Scope) => {
            const call = { kind: 'script' as const, ...found, args: args(toWireContext(context, options)) }
            return runScript(scripts, call, { name: reference, scope: own, signal })
          }
          return scope.exchange({
            target: reference,
            part: 'script',
            request: args(null).map(withoutVariables),
            perform,
            code: found.file,
            sees: () => visibleContext(context, options),
            effects: contextEffects(scope.context),
          })
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
