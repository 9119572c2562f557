import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ConfigError, type Problem } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { Project } from '../project/project.ts'
import { topLevelOf } from '../scripts/top-level.ts'
import { type ToolServer, toolName, type Waiting } from '../tools/tool.ts'
import type { Connectors } from './connectors.ts'
import type { HookName } from './hook-file.ts'
import type { ToolServers } from './mcps.ts'
import { asksModel, loadPackage, type Package, packageFolder } from './package.ts'
import { mostTools, type ServerChoice } from './package-tools.ts'
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
export async function reportPackage(id: string, parts: AppParts): Promise<PackageReport> {
  const errors: Problem[] = []
  const warnings: Problem[] = []
  const bare = { id, tools: [], hooks: [], errors, warnings }
  const folder = packageFolder(parts.project, id)
  const pack = folder && noting(errors, () => loadPackage(parts.project, folder))
  if (!pack) return bare
  warnings.push(...pack.warnings, ...withoutEngine(pack))
  const connector = asksModel(pack) ? checkConnector(pack, parts.connectors, errors, warnings) : undefined
  const tools: PackageReport['tools'] = []
  for (const choice of pack.tools.servers)
    tools.push(await checkTools(pack, choice, parts.toolServers, errors))
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

async function checkTools(
  pack: Package,
  { id, tools }: ServerChoice,
  toolServers: ToolServers,
  errors: Problem[],
): Promise<PackageReport['tools'][number]> {
  const found: Problem[] = []
  const server = noting(found, () => toolServers.server(id))
  errors.push(...found.map((problem) => ({ file: pack.file, ...problem })))
  const offered = server && (await toolsAtRest(server))
  if (offered === undefined) return { server: id, ...(tools && { names: tools }) }
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
  return { server: id, names: tools ?? offered }
}

/** Names of the tools of a server that need not be started. */
async function toolsAtRest(server: ToolServer): Promise<string[] | undefined> {
  if (server.processes === undefined) return undefined
  const waiting: Waiting = {
    signal: new AbortController().signal,
    standStill: (work) => work(waiting.signal),
  }
  const tools = await server.tools(waiting)
  return tools.map(({ name }) => name.slice(toolName(server.id, '').length))
}

/** What is wrong with the servers of the app, used or not. */
export function reportServers(parts: AppParts): Problem[] {
  return parts.toolServers.ids().flatMap((id) => {
    const found: Problem[] = []
    const server = noting(found, () => parts.toolServers.server(id))
    const missing = (server?.processes ?? []).flatMap(({ caller, process }) => {
      const problem = processProblem(process, parts)
      return problem === undefined
        ? []
        : { code: 'unknown_process', message: `MCP server ${id}: ${caller}: ${problem}` }
    })
    return [...found.filter(({ code }) => code !== 'missing_env'), ...missing]
  })
}

function processProblem(name: string, { files, processes, project }: AppParts): string | undefined {
  if (Object.hasOwn(processes, name)) return undefined
  const script = files.ofProcess(name)
  if (script === undefined) {
    const hint = `stub it with processes: { ${JSON.stringify(name)}: { result: … } } in viva.config.*`
    return `viva has no process ${name} (${hint})`
  }
  if (script.function === undefined) return undefined
  const { declared, exports } = topLevelOf(script.file, readFileSync(script.file, 'utf8'))
  const known = [...declared, ...exports].map((each) => each.name)
  if (known.includes(script.function)) return undefined
  const guess = nearest(script.function, known)
  const meant = guess === undefined ? '' : ` (did you mean "${guess}"?)`
  return `${relative(project.cwd, script.file)} has no function ${script.function}${meant}`
}

/** Notes the mistakes that are found on the way. */
function noting<T>(problems: Problem[], work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}
