import { ConfigError, errorMessage, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { findNearest } from '../../text/nearest.ts'
import { canonicalProcessName } from '../../text/process-name.ts'
import { type ToolServer, toolName } from '../../tools/tool.ts'
import type { ModelAgentConfig } from '../model-agent-schema.ts'
import type { Project } from '../project.ts'
import type { Connectors } from './connectors.ts'
import type { HookName } from './hook-file.ts'
import type { ToolServers } from './mcps.ts'
import { findModules, loadModelAgent } from './model-agent.ts'
import { loadPackage, locatePackage, type Package, usesModel } from './package.ts'
import type { ServerChoice } from './package-tools.ts'
import { classifyProcess, processProblem } from './processes.ts'
import type { AppScripts } from './script-files.ts'

/** An agent of the app with its errors and warnings. */
export interface PackageReport {
  id: string
  name?: string
  /** Absent if it does not use a model. */
  connector?: string
  /** By MCP server or module; the names are unknown if the server would have to be started. */
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
  const folder = locatePackage(parts.project, id)
  return reportAgent(id, parts, () => folder && loadPackage(parts.project, folder))
}

/** Checks an agent of the config that is a model with a prompt and tools. */
export function reportModelAgent(id: string, agent: ModelAgentConfig, parts: AppParts): PackageReport {
  const report = reportAgent(id, parts, () => loadModelAgent(id, agent, parts))
  const modules = findModules(parts.project, agent).map((path) => ({
    server: parts.toolServers.module(path).id,
  }))
  return { connector: agent.connector, ...report, tools: [...report.tools, ...modules] }
}

function reportAgent(id: string, parts: AppParts, load: () => Package | undefined | ''): PackageReport {
  const errors: Problem[] = []
  const warnings: Problem[] = []
  const bare = { id, tools: [], hooks: [], errors, warnings }
  const pack = collectProblems(errors, load)
  if (!pack) return bare
  warnings.push(...pack.warnings, ...engineServiceWarnings(pack))
  const connector = usesModel(pack) ? checkConnector(pack, parts.connectors, bare) : undefined
  const tools = pack.tools.servers.map((choice) => checkTools(pack, choice, parts, bare))
  warnings.push(...findSameNames(pack, tools))
  const count = tools.reduce((sum, { names = [] }) => sum + names.length, 0)
  const message = `it has ${count} tools: Yao shows a model the first ${pack.tools.most}`
  if (count > pack.tools.most) warnings.push({ code: 'many_tools', message, file: pack.file })
  return {
    ...bare,
    tools,
    hooks: pack.hooks?.names ?? [],
    ...defined({
      name: pack.translate(pack.name, 'en-us') ?? pack.name,
      connector,
      unplayable: pack.unplayable,
    }),
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

type Findings = Pick<PackageReport, 'errors' | 'warnings'>

function checkConnector(pack: Package, connectors: Connectors, findings: Findings): string | undefined {
  const id = pack.connector ?? connectors.standard()
  if (id === undefined) {
    const hint = 'add "connector", or give viva one with -c'
    if (pack.hooks === undefined)
      findings.errors.push({ code: 'no_connector', message: 'it has no connector', file: pack.file, hint })
    return undefined
  }
  tryToUse(pack.file, findings, () => connectors.model(id))
  return collectProblems([], () => connectors.idOf(id)) ?? id
}

function checkTools(
  pack: Package,
  { id, tools }: ServerChoice,
  parts: AppParts,
  findings: Findings,
): PackageReport['tools'][number] {
  const server = tryToUse(pack.file, findings, () => parts.toolServers.server(id))
  const offered = server?.atRest?.tools
  if (server === undefined || offered === undefined) return { server: id, ...(tools && { names: tools }) }
  checkProcesses(server, parts, findings)
  for (const name of tools ?? []) {
    if (offered.includes(name)) continue
    const guess = findNearest(name, offered)
    findings.errors.push({
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
export function reportServers(parts: AppParts): Findings {
  const findings: Findings = { errors: [], warnings: [] }
  for (const id of parts.toolServers.ids()) {
    const server = tryToUse(undefined, findings, () => parts.toolServers.server(id))
    if (server !== undefined) checkProcesses(server, parts, findings)
  }
  return findings
}

/** A process of the Yao engine may be stubbed by the cases; any other unknown process is an error. */
function checkProcesses(server: ToolServer, parts: AppParts, { errors, warnings }: Findings): void {
  for (const { caller, process } of server.atRest?.processes ?? []) {
    const place = `MCP server ${server.id}: ${caller}`
    const problem = processProblem(process, parts)
    if (problem !== undefined) errors.push({ code: 'unknown_process', message: `${place}: ${problem}` })
    else if (classifyProcess(canonicalProcessName(process), parts).kind === 'engine') {
      const message = `${place}: ${process} is a service of the Yao engine, which viva does not have`
      const hint = `stub it: "stubs": { ${JSON.stringify(process)}: { "result": … } } in a case, or processes in viva.config.*`
      warnings.push({ code: 'engine_service', message, hint })
    }
  }
}

/** What is there and only lacks a variable of the environment works where that is set. */
function tryToUse<T>(file: string | undefined, { errors, warnings }: Findings, work: () => T): T | undefined {
  const found: Problem[] = []
  const value = collectProblems(found, work)
  for (const problem of found)
    (problem.code === 'missing_env' ? warnings : errors).push({
      ...problem,
      ...defined({ file: problem.file ?? file }),
    })
  return value
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
        : [{ code: 'unreadable', message: errorMessage(error) }]),
    )
    return undefined
  }
}
