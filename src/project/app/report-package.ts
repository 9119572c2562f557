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

/** An agent of the app, and what is wrong with it. */
export interface PackageReport {
  id: string
  name?: string
  /** Absent where no model is asked. */
  connector?: string
  /** By server; of one that would have to be started for it, nothing is known. */
  tools: { server: string; names?: string[] }[]
  hooks: HookName[]
  /** Why it cannot be played here. */
  unplayable?: string
  errors: Problem[]
  warnings: Problem[]
}

export interface AppParts {
  project: Project
  connectors: Connectors
  toolServers: ToolServers
  files: AppScripts
  /** Of the config: those that are stubbed. */
  processes: Readonly<Record<string, unknown>>
}

/** Reads all of a package, and whatever it names. Nothing is started and no code is run. */
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

/** What the engine would do with it, and nothing does here. */
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
    const told = { ...problem, file: problem.file ?? pack.file }
    // It is there, and may be asked where the variable is set.
    if (problem.code === 'missing_env') warnings.push(told)
    else errors.push(told)
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
    const told = { ...problem, file: problem.file ?? pack.file }
    if (problem.code === 'missing_env') warnings.push(told)
    else errors.push(told)
  }
  const offered = server?.atRest?.tools
  if (server === undefined || offered === undefined) return { server: id, ...(tools && { names: tools }) }
  for (const problem of processProblems(server, parts))
    (problem.isError ? errors : warnings).push(problem.told)
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

/** Two servers may be one to the model: `a.b` and `a_b`. */
function sameNames({ file }: Package, tools: PackageReport['tools']): Problem[] {
  const names = tools.flatMap(({ server, names: own = [] }) => own.map((name) => toolName(server, name)))
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...twice].map((name) => ({
    code: 'same_tool',
    message: `two of its tools are ${name} to the model`,
    file,
  }))
}

/** What is wrong with the servers of the app, used or not. */
export function reportServers(parts: AppParts): { errors: Problem[]; warnings: Problem[] } {
  const errors: Problem[] = []
  const warnings: Problem[] = []
  for (const id of parts.toolServers.ids()) {
    const found: Problem[] = []
    const server = noting(found, () => parts.toolServers.server(id))
    for (const problem of found) (problem.code === 'missing_env' ? warnings : errors).push(problem)
    for (const problem of server === undefined ? [] : processProblems(server, parts))
      (problem.isError ? errors : warnings).push(problem.told)
  }
  return { errors, warnings }
}

/** A process of the engine may be stubbed by the cases; any other that is not there is a mistake. */
function processProblems(server: ToolServer, parts: AppParts): { told: Problem; isError: boolean }[] {
  return (server.atRest?.processes ?? []).flatMap(({ caller, process }) => {
    const place = `MCP server ${server.id}: ${caller}`
    const problem = processProblem(process, parts)
    if (problem !== undefined)
      return { told: { code: 'unknown_process', message: `${place}: ${problem}` }, isError: true }
    if (processKind(canonicalProcess(process), parts).kind !== 'engine') return []
    const message = `${place}: ${process} is a service of the Yao engine, which viva does not have`
    const hint = `stub it: "stubs": { ${JSON.stringify(process)}: { "result": … } } in a case, or processes in viva.config.*`
    return { told: { code: 'engine_service', message, hint }, isError: false }
  })
}

/** Notes the mistakes that are found on the way. */
function noting<T>(problems: Problem[], work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    // One that cannot even be read must not hide the others.
    problems.push(
      ...(error instanceof ConfigError
        ? error.problems
        : [{ code: 'unreadable', message: messageOf(error) }]),
    )
    return undefined
  }
}
