import { ConfigError, formatProblem, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { redactAgentName } from '../../models/network/address.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { listModelAgents } from '../../project/app/model-agent.ts'
import { packageIds } from '../../project/app/package.ts'
import {
  type AppParts,
  type PackageReport,
  reportModelAgent,
  reportPackage,
  reportServers,
} from '../../project/app/report-package.ts'
import { createAppScripts } from '../../project/app/script-files.ts'
import type { ModelAgentConfig } from '../../project/model-agent-schema.ts'
import type { Project } from '../../project/project.ts'
import { createPen, type Inked, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { appSetup } from '../../setup/phase-lists.ts'
import type { App } from '../../setup/phases/app.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { printWarning } from '../print-error.ts'
import { untilInterrupted } from '../signals.ts'
import { checkServedTools, checkSimulatorTools, toProblems, unreachableCode } from './check-served-tools.ts'

export interface AgentsFlags {
  check?: boolean
  json?: boolean
}

/** `viva agents`: what agents there are, and with `--check` what is wrong with them. */
export function agentsCommand({ check = false, json = false }: AgentsFlags, shell: Shell): Promise<number> {
  return untilInterrupted(shell, (signal) => {
    const warn = (text: string) => printWarning(shell, text)
    return appSetup.use(
      { signal, shell, warn, settings: { parallel: 1 }, named: [], inputs: [], variants: new Map() },
      async ({ project, app, secrets }) => {
        const files = createAppScripts(project)
        const parts = { ...app.sources, files, processes: project.config.processes ?? {} }
        const checkTools: CheckTools = async (agent, report) =>
          check ? checkServedTools(agent, report, app.sources, signal) : report
        const found = await findAgents(parts, checkTools, check ? await checkConfig(app, signal) : unchecked)
        const redact = secrets.redact()
        if (json) shell.stdout.write(`${JSON.stringify(redact(found), null, 2)}\n`)
        else print(found, check, redact, shell)
        const wrong = [...found.agents, ...found.configured, found].flatMap(({ errors = [] }) => errors)
        return check ? exitCode(wrong) : 0
      },
    )
  })
}

/** What else the config names. */
interface CheckedConfig {
  /** By the name of an agent that is neither a package nor a model. */
  agents: ReadonlyMap<string, readonly Problem[]>
  simulator: readonly Problem[]
}

const unchecked: CheckedConfig = { agents: new Map(), simulator: [] }

/** Loads the agents that are modules, and the tools of simulated users. No agent is called. */
async function checkConfig({ sources, agentPool }: App, signal: AbortSignal): Promise<CheckedConfig> {
  const agents = new Map<string, readonly Problem[]>()
  for (const { name } of configuredAgents(sources.project)) {
    try {
      await agentPool.agent(name)
      agents.set(name, [])
    } catch (error) {
      signal.throwIfAborted()
      agents.set(name, toProblems(error))
    }
  }
  return { agents, simulator: await checkSimulatorTools(sources, signal) }
}

/** A server that cannot be reached is no mistake of the user. */
function exitCode(errors: readonly Problem[]): number {
  if (errors.length === 0) return 0
  return errors.every(({ code }) => code === unreachableCode) ? 3 : 2
}

type CheckTools = (agent: ModelAgentConfig, report: PackageReport) => Promise<PackageReport>

interface Found {
  agents: PackageReport[]
  /** Of the config: a name, and what it stands for. */
  configured: { name: string; agent: string; errors?: readonly Problem[] }[]
  /** Of the app, not of one agent. */
  errors: Problem[]
  warnings: Problem[]
}

async function findAgents(
  parts: AppParts,
  checkTools: CheckTools,
  { agents: checked, simulator }: CheckedConfig,
): Promise<Found> {
  const packages = packageIds(parts.project)
  const modelAgents = listModelAgents(parts.project)
  const reports = [
    ...packages.map((id) => reportPackage(id, parts)),
    ...(await Promise.all(
      modelAgents.map(([id, agent]) => checkTools(agent, reportModelAgent(id, agent, parts))),
    )),
  ]
  const configured = configuredAgents(parts.project).map((each) => ({
    ...each,
    ...defined({ errors: checked.get(each.name) }),
  }))
  if (reports.length + configured.length === 0) {
    throw new ConfigError({
      code: 'no_agents',
      message: 'there are no agents here: neither assistants/**/package.yao nor `agents` in a viva.config',
      hint: 'run it in the folder of an app',
    })
  }
  const isUnset = ({ code }: Problem) => code === 'missing_env'
  // One variable may be all that half of the agents want: it is told once.
  const unset = reports.flatMap(({ warnings }) => warnings.filter(isUnset))
  const agents = reports.map((report) => ({
    ...report,
    warnings: report.warnings.filter((problem) => !isUnset(problem)),
    errors: [...report.errors, ...sameId(report.id, packages)],
  }))
  const told = new Set(agents.flatMap(({ errors, warnings }) => [...errors, ...warnings]).map(formatProblem))
  const untold = (problems: readonly Problem[]) => {
    const byText = new Map(problems.map((problem) => [formatProblem(problem), problem]))
    return [...byText].flatMap(([text, problem]) => (told.has(text) ? [] : problem))
  }
  const servers = reportServers(parts)
  return {
    agents,
    configured,
    errors: untold([...servers.errors, ...simulator]),
    warnings: untold([...servers.warnings, ...unset]),
  }
}

/** `assistants/a.b` and `assistants/a/b` */
function sameId(id: string, packages: readonly string[]): Problem[] {
  if (packages.filter((each) => each === id).length < 2) return []
  return [
    { code: 'same_id', message: `two folders of assistants/ are both ${id}: only one of them can be meant` },
  ]
}

function configuredAgents({ config }: Project): Found['configured'] {
  return Object.entries(config.agents ?? {}).flatMap(([name, entry]) => {
    if (typeof entry === 'object' && 'connector' in entry) return []
    const agent = typeof entry === 'string' ? entry : 'a2a' in entry ? `a2a:${entry.a2a}` : entry.url
    return { name, agent: redactAgentName(agent) }
  })
}

interface Troubles {
  errors: readonly Problem[]
  warnings: readonly Problem[]
}

function print(found: Found, check: boolean, hide: Redactor, { stdout, env }: Shell): void {
  const pen = createPen(wantsColour(stdout, env))
  const line = (inked: Inked) => stdout.write(`${inked.text}\n`)
  const { agents, configured } = found
  const names = [...agents.map(({ id }) => id), ...configured.map(({ name }) => name)]
  const width = Math.max(...names.map((name) => name.length))
  const tell = (indent: string, { errors, warnings }: Troubles) => {
    for (const problem of errors) line(pen.line`${indent}${pen.red('✗')} ${hide(formatProblem(problem))}`)
    for (const problem of warnings)
      line(pen.line`${indent}${pen.yellow('⚠')} ${hide(formatProblem(problem))}`)
  }
  for (const agent of agents) {
    const about = oneLine(hide([...aboutOf(agent)].join(' · ')), 200)
    line(pen.line`${agentMark(agent, pen)} ${agent.id.padEnd(width)}  ${pen.dim(about)}`)
    if (check) tell('    ', agent)
  }
  for (const { name, agent, errors } of configured) {
    const mark = errors === undefined ? ' ' : errors.length > 0 ? pen.red('✗') : pen.green('✓')
    line(pen.line`${mark} ${name.padEnd(width)}  ${pen.dim(oneLine(hide(agent), 200))}`)
    tell('    ', { errors: errors ?? [], warnings: [] })
  }
  if (check) tell('', found)
  line(pen.line`${summarizeAgents(found, check)}`)
}

function agentMark(
  { errors, warnings, unplayable }: PackageReport,
  pen: ReturnType<typeof createPen>,
): Inked {
  if (errors.length > 0) return pen.red('✗')
  if (unplayable !== undefined) return pen.dim('–')
  return warnings.length > 0 ? pen.yellow('⚠') : pen.green('✓')
}

function* aboutOf({ name, connector, tools, hooks, unplayable }: PackageReport): Generator<string> {
  if (name !== undefined) yield name
  yield connector === undefined ? 'no model' : connector
  for (const { server, names } of tools) yield names === undefined ? server : `${server}: ${names.join(', ')}`
  if (hooks.length > 0) yield hooks.join(', ')
  if (unplayable !== undefined) yield `cannot be played: ${unplayable}`
}

function summarizeAgents({ agents, configured, errors, warnings }: Found, check: boolean): string {
  const wrong = [...agents, ...configured].reduce(
    (sum, agent) => sum + (agent.errors?.length ?? 0),
    errors.length,
  )
  const warned = agents.reduce((sum, agent) => sum + agent.warnings.length, warnings.length)
  const troubles = [
    ...(wrong > 0 ? [pluralize(wrong, 'error')] : []),
    ...(warned > 0 ? [pluralize(warned, 'warning')] : []),
  ]
  const agentCount = pluralize(agents.length + configured.length, 'agent')
  if (troubles.length === 0) return check ? `${agentCount}, nothing wrong` : agentCount
  return `${agentCount}, ${troubles.join(', ')}${check ? '' : ' (viva agents --check tells)'}`
}
