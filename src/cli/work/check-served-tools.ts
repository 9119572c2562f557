import { existsSync } from 'node:fs'
import { loadModelAgentTools } from '../../agents/package/resolve-package.ts'
import { ConfigError, formatProblem, InfrastructureError, type Problem } from '../../errors.ts'
import { findModules, loadSimulatorTools } from '../../project/app/model-agent.ts'
import type { PackageReport } from '../../project/app/report-package.ts'
import type { ModelAgentConfig, SimulatorToolsConfig } from '../../project/model-agent-schema.ts'
import type { App } from '../../setup/phases/app.ts'
import { toolName, waitOutsideCase } from '../../tools/tool.ts'

/** The code of a server that could not be reached or started, which is no mistake in the config. */
export const unreachableCode = 'unreachable'

/** Starts the MCP servers of an agent of the config and loads its modules, and reports what they offer or what is wrong. */
export async function checkServedTools(
  agent: ModelAgentConfig,
  report: PackageReport,
  sources: App['sources'],
  signal: AbortSignal,
): Promise<PackageReport> {
  const load = () => loadModelAgentTools(report.id, agent, sources)
  const { tools, errors } = await checkToolsOf(agent, load, sources, signal)
  return {
    ...report,
    tools,
    errors: uniqueProblems([...report.errors, ...errors]),
    warnings: [...report.warnings, ...warnWithoutTools(tools)],
  }
}

function warnWithoutTools(tools: CheckedTools['tools']): Problem[] {
  return tools.flatMap(({ server, names }) => {
    if (names?.length !== 0) return []
    const message = `${server} offers no tools: the model cannot call anything of it`
    return { code: 'no_tools', message, hint: 'correct the server, or remove it from the agent' }
  })
}

/** The same for the tools of simulated users. */
export async function checkSimulatorTools(sources: App['sources'], signal: AbortSignal): Promise<Problem[]> {
  const { simulator } = sources.project.config.helpers ?? {}
  if (simulator === undefined) return []
  const load = async () => loadSimulatorTools(sources.project)
  const { errors } = await checkToolsOf(simulator, load, sources, signal)
  return uniqueProblems(errors)
}

interface CheckedTools {
  tools: PackageReport['tools']
  errors: Problem[]
}

async function checkToolsOf(
  owner: SimulatorToolsConfig,
  load: () => Promise<unknown>,
  sources: App['sources'],
  signal: AbortSignal,
): Promise<CheckedTools> {
  const errors: Problem[] = []
  const collect = async (work: () => Promise<string[]>) => {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      errors.push(...toProblems(error))
      return undefined
    }
  }
  const servers = Object.entries(owner.mcp ?? {}).map(async ([id, { tools }]) => {
    const names = await collect(() => listOffered(id, tools, sources, signal))
    return { server: id, ...(names && { names }) }
  })
  // The report has the modules that are not there.
  const there = findModules(sources.project, owner).filter((path) => existsSync(path))
  const modules = there.map(async (path) => {
    const server = sources.toolServers.module(path)
    const names = await collect(async () =>
      (await server.tools(waitOutsideCase(signal))).map(({ name }) => name),
    )
    return { server: server.id, ...(names && { names }) }
  })
  const tools = await Promise.all([...servers, ...modules])
  await collect(async () => {
    await load()
    return []
  })
  return { tools, errors }
}

/** The tools that the agent's model may call. */
async function listOffered(
  id: string,
  wanted: readonly string[] | undefined,
  { toolServers }: App['sources'],
  signal: AbortSignal,
): Promise<string[]> {
  const tools = await toolServers.server(id).tools(waitOutsideCase(signal))
  const names = tools
    .filter(({ forTests }) => !forTests)
    .map(({ name }) => name.slice(toolName(id, '').length))
  const missing = (wanted ?? []).filter((name) => !names.includes(name))
  if (missing.length === 0) return [...(wanted ?? names)]
  const hint = names.length === 0 ? 'it has none' : `it has: ${names.join(', ')}`
  throw new ConfigError(
    missing.map((name) => ({
      code: 'unknown_tool',
      message: `MCP server ${id} has no tool "${name}"`,
      hint,
    })),
  )
}

export function toProblems(error: unknown): readonly Problem[] {
  // An unset variable of the environment is a warning of the report: it may be set where the agent is tested.
  if (error instanceof ConfigError) return error.problems.filter(({ code }) => code !== 'missing_env')
  if (!(error instanceof InfrastructureError)) throw error
  return [{ code: unreachableCode, message: error.message }]
}

/** A missing file of an agent is found when the agent is read, and again when its tools are loaded. */
function uniqueProblems(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [formatProblem(problem), problem])).values()]
}
