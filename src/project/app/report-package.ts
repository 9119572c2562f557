import { ConfigError, messageOf, type Problem } from '../../errors.ts'
import { findNearest } from '../../text/nearest.ts'
import { canonicalProcessName } from '../../text/process-name.ts'
import { type ToolServer, toolName } from '../../tools/tool.ts'
import type { Project } from '../project.ts'
import type { Connectors } from './connectors.ts'
import type { HookName } from './hook-file.ts'
import type { ToolServers } from './mcps.ts'
import { loadPackage, locatePackage, type Package, usesModel } from './package.ts'
import { maxTools, type ServerChoice } from './package-tools.ts'
import { classifyProcess, processProblem } from './processes.ts'
import type { AppScripts } from './script-files.ts'

/** An agent of the app with its errors and warnings. */
export interface PackageReport {
  id: string
  name?: string
  /** Absent if it does not use a model. */
  connector?: string
  /** By server; the names are unknown if the server would have to be started. */
  tools: { server: string; names?: string[] }[]
  hooks: HookName[]
  /** Why viva cannot run it. */
  unplayable?: string
  errors: Problem[]
  warnings: Problem[]
}

export interface AppParts {
  project: Project
  connectors: Connectors
  toolServers: ToolServers
  files: AppScripts
  /** Processes that the config stubs. */
  processes: Readonly<Record<string, unknown>>
}

/** Checks a package and everything it names, without starting servers or running code. */
export function reportPackage(id: string, parts: AppParts): PackageReport {
  const errors: Problem[] = []
  const warnings: Problem[] = []
  const bare = { id, tools: [], hooks: [], errors, warnings }
  const folder = locatePackage(parts.project, id)
  const pack = folder && collectProblems(errors, () => loadPackage(parts.project, folder))
  if (!pack) return bare
  warnings.push(...pack.warnings, ...engineServiceWarnings(pack))
  const connector = usesModel(pack) ? checkConnector(pack, parts.connectors, errors, warnings) : undefined
  const tools: PackageReport['tools'] = []
  for (const choice of pack.tools.servers) tools.push(checkTools(pack, choice, parts, errors, warnings))
  warnings.push(...findSameNames(pack, tools))
  const count = tools.reduce((sum, { names = [] }) => sum + names.length, 0)
  if (count > maxTools)
    warnings.push({
      code: 'many_tools',
      message: `it has ${count} tools: Yao shows a model the first ${maxTools}`,
      file: pack.file,
    })
  return {
    ...bare,
    tools,
    hooks: pack.hooks?.names ?? [],
    ...(pack.name !== undefined && { name: pack.translate(pack.name, 'en-us') ?? pack.name }),
    ...(connector !== undefined && { connector }),
    ...(pack.unplayable !== undefined && { unplayable: pack.unplayable }),
  }
}

/** Keys for services of the Yao engine that viva does not have. */
const engineServices: Record<string, string> = {
  search: 'Yao may search before it asks the model',
  kb: 'Yao may look into the knowledge base before it asks the model',
  db: 'Yao may query the database before it asks the model',
  workflow: 'Yao runs the workflow',
}

function engineServiceWarnings({ engineKeys, file }: Package): Problem[] {
  return Object.entries(engineServices)
    .filter(([key]) => engineKeys.includes(key))
    .map(([key, does]) => ({
      code: 'engine_service',
      message: `"${key}": ${does}; viva does not`,
      file,
      key,
    }))
}

function checkConnector(
  pack: Package,
  connectors: Connectors,
  errors: Problem[],
  warnings: Problem[],
): string | undefined {
  const id = pack.connector ?? connectors.standard()
  if (id === undefined) {
    const hint = 'add "connector", or give viva one with -c'
    if (pack.hooks === undefined)
      errors.push({ code: 'no_connector', message: 'it has no connector', file: pack.file, hint })
    return undefined
  }
  const found: Problem[] = []
  collectProblems(found, () => connectors.model(id))
  for (const problem of found) {
    const located = { ...problem, file: problem.file ?? pack.file }
    // The connector exists and works where the variable is set.
    if (problem.code === 'missing_env') warnings.push(located)
    else errors.push(located)
  }
  return collectProblems([], () => connectors.idOf(id)) ?? id
}

function checkTools(
  pack: Package,
  { id, tools }: ServerChoice,
  parts: AppParts,
  errors: Problem[],
  warnings: Problem[],
): PackageReport['tools'][number] {
  const found: Problem[] = []
  const server = collectProblems(found, () => parts.toolServers.server(id))
  for (const problem of found) {
    const located = { ...problem, file: problem.file ?? pack.file }
    if (problem.code === 'missing_env') warnings.push(located)
    else errors.push(located)
  }
  const offered = server?.atRest?.tools
  if (server === undefined || offered === undefined) return { server: id, ...(tools && { names: tools }) }
  for (const problem of processProblems(server, parts))
    (problem.isError ? errors : warnings).push(problem.problem)
  for (const name of tools ?? []) {
    if (offered.includes(name)) continue
    const guess = findNearest(name, offered)
    errors.push({
      code: 'unknown_tool',
      message: `MCP server ${id} has no tool "${name}"`,
      file: pack.file,
      hint: guess === undefined ? `it has: ${offered.join(', ')}` : `did you mean "${guess}"?`,
    })
  }
  return { server: id, names: [...(tools ?? offered)] }
}

/** The servers `a.b` and `a_b` have the same name for the model. */
function findSameNames({ file }: Package, tools: PackageReport['tools']): Problem[] {
  const names = tools.flatMap(({ server, names: own = [] }) => own.map((name) => toolName(server, name)))
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...twice].map((name) => ({
    code: 'same_tool',
    message: `two of its tools are named ${name} for the model`,
    file,
  }))
}

/** Checks all servers of the app, used or not. */
export function reportServers(parts: AppParts): { errors: Problem[]; warnings: Problem[] } {
  const errors: Problem[] = []
  const warnings: Problem[] = []
  for (const id of parts.toolServers.ids()) {
    const found: Problem[] = []
    const server = collectProblems(found, () => parts.toolServers.server(id))
    for (const problem of found) (problem.code === 'missing_env' ? warnings : errors).push(problem)
    for (const problem of server === undefined ? [] : processProblems(server, parts))
      (problem.isError ? errors : warnings).push(problem.problem)
  }
  return { errors, warnings }
}

/** A process of the Yao engine may be stubbed by the cases; any other unknown process is an error. */
function processProblems(server: ToolServer, parts: AppParts): { problem: Problem; isError: boolean }[] {
  return (server.atRest?.processes ?? []).flatMap(({ caller, process }) => {
    const place = `MCP server ${server.id}: ${caller}`
    const problem = processProblem(process, parts)
    if (problem !== undefined)
      return { problem: { code: 'unknown_process', message: `${place}: ${problem}` }, isError: true }
    if (classifyProcess(canonicalProcessName(process), parts).kind !== 'engine') return []
    const message = `${place}: ${process} is a service of the Yao engine, which viva does not have`
    const hint = `stub it: "stubs": { ${JSON.stringify(process)}: { "result": … } } in a case, or processes in viva.config.*`
    return { problem: { code: 'engine_service', message, hint }, isError: false }
  })
}

/** Collects the problems of `work` instead of throwing them. */
function collectProblems<T>(problems: Problem[], work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    // An unreadable file must not hide the problems of others.
    problems.push(
      ...(error instanceof ConfigError
        ? error.problems
        : [{ code: 'unreadable', message: messageOf(error) }]),
    )
    return undefined
  }
}
