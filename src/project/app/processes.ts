import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseTopLevel } from '../../scripts/compile/top-level.ts'
import { findNearest } from '../../text/nearest.ts'
import { canonicalProcessName } from '../../text/process-name.ts'
import { isEngineService } from './engine-services.ts'
import type { AppScripts, ScriptFunction } from './script-files.ts'

/** How a process is run, by its name. */
export type ProcessKind =
  /** The config has a stub for it. */
  | { kind: 'configured' }
  | { kind: 'http' }
  | { kind: 'agent' }
  | { kind: 'script'; script: ScriptFunction }
  /** A process of the Yao engine that viva does not have. */
  | { kind: 'engine' }
  | { kind: 'unknown' }

const httpMethods = ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Send']

/** The single place that classifies processes, for calls, stubs and checks alike. */
export function classifyProcess(
  name: string,
  { files, processes }: { files: AppScripts; processes: Readonly<Record<string, unknown>> },
): ProcessKind {
  if (Object.hasOwn(processes, name)) return { kind: 'configured' }
  if (httpMethods.some((method) => name === `http.${method}`)) return { kind: 'http' }
  if (name === 'agent.Call' || /^agents\..+\.Stream$/.test(name)) return { kind: 'agent' }
  const script = files.ofProcess(name)
  if (script !== undefined) return { kind: 'script', script }
  return isEngineService(name) ? { kind: 'engine' } : { kind: 'unknown' }
}

/**
 * Why a process cannot be called, found without running anything: the name is unknown, or its file has no such
 * function. A module with `export *` may have any function.
 */
export function processProblem(
  name: string,
  parts: Parameters<typeof classifyProcess>[1],
): string | undefined {
  const found = classifyProcess(canonicalProcessName(name), parts)
  if (found.kind === 'unknown') return `there is no process ${name}`
  return found.kind === 'script' ? functionProblem(found.script) : undefined
}

function functionProblem({ file, function: name }: ScriptFunction): string | undefined {
  if (name === undefined) return undefined
  const { declared, exports, passesOn } = parseTopLevel(file, readFileSync(file, 'utf8'))
  const known = [...declared, ...exports].map((each) => each.name)
  if (passesOn || known.includes(name)) return undefined
  const guess = findNearest(name, known)
  return `${basename(file)} has no function ${name}${guess === undefined ? '' : ` (did you mean "${guess}"?)`}`
}
