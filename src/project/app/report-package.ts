import { ConfigError, messageOf, type Problem } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import { canonicalProcess } from '../../text/process-name.ts'
import { type ToolServer, toolName } from '../../tools/tool.ts'
import type { Project } from '../project.ts'
import type { Connectors } from './connectors.ts'
import type { HookName } from './hook-file.ts'
import type { ToolServers } from './mcps.ts'
import { asksModel, loadPackage, type Package, packageFolder } from './package.ts'
import { mostTools, type ServerChoice } from './package-tools.ts'
import { processKind, processProblem } from './processes.ts'
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
  const folder = packageFolder(parts.project, id)
  const pack = folder && noting(errors, () => loadPackage(parts.project, folder))
  if (!pack) return bare
  warnings.push(...pack.warnings, ...withoutEngine(pack))
  const connector = asksModel(pack) ? checkConnector(pack, parts.connectors, errors, warnings) : undefined
  const tools: PackageReport['tools'] = []
  for (const choice of pack.tools.servers) tools.push(checkTools(pack, choice, parts, errors, warnings))
  warnings.push(...sameNames(pack, tools))
  const count = tools.reduce((sum, { names = [] }) => sum + names.length, 0)
  if (count > mostTools)
    warnings.push({
      code: 'many_tools',
      message: `it has ${count} tools: Yao shows a model the first ${mostTools}`,
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

function withoutEngine({ engineKeys, file }: Package): Problem[] {
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
  noting(found, () => connectors.model(id))
  for (const problem of found) {
    const located = { ...problem, file: problem.file ?? pack.file }
    // The connector exists and works where the variable is set.
    if (problem.code === 'missing_env') warnings.push(located)
    else errors.push(located)
  }
  return noting([], () => connectors.idOf(id)) ?? id
}

function checkTools(
  pack: Package,
  { id, tools }: ServerChoice,
  parts: AppParts,
  errors: Problem[],
  warnings: Problem[],
): PackageReport['tools'][number] {
  const found: Problem[] = []
  const server = noting(found, () => parts.toolServers.server(id))
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
    const guess = nearest(name, offered)
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
function sameNames({ file }: Package, tools: PackageReport['tools']): Problem[] {
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
    const server = noting(found, () => parts.toolServers.server(id))
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
    if (processKind(canonicalProcess(process), parts).kind !== 'engine') return []
    const message = `${place}: ${process} is a service of the Yao engine, which viva does not have`
    const hint = `stub it: "stubs": { ${JSON.stringify(process)}: { "result": … } } in a case, or processes in viva.config.*`
    return { problem: { code: 'engine_service', message, hint }, isError: false }
  })
}

/** Collects the problems of `work` instead of throwing them. */
function noting<T>(problems: Problem[], work: () => T): T | undefined {
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
