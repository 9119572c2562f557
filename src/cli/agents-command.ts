import { ConfigError, formatProblem, type Problem } from '../errors.ts'
import { agentToShow } from '../models/network/address.ts'
import type { Redact } from '../privacy/redact.ts'
import { createRedact } from '../privacy/secrets.ts'
import { packageIds } from '../project/app/package.ts'
import {
  type AppParts,
  type PackageReport,
  reportPackage,
  reportServers,
} from '../project/app/report-package.ts'
import { createAppScripts } from '../project/app/script-files.ts'
import { openProject, type Project } from '../project/project.ts'
import { createPen, type Inked, wantsColour } from '../reporters/pen.ts'
import { oneLine } from '../reporters/printable.ts'
import { createScriptHost } from '../scripts/runner/script-host.ts'
import { secretsAround } from '../setup/secrets.ts'
import { counted } from '../text/counted.ts'
import { openApp } from './open-app.ts'

export interface AgentsFlags {
  check?: boolean
  json?: boolean
}

/** `viva agents`: what agents there are, and with `--check` what is wrong with them. */
export async function agentsCommand({ check = false, json = false }: AgentsFlags): Promise<number> {
  const scripts = createScriptHost()
  try {
    const cwd = process.cwd()
    const { signal } = new AbortController()
    const project = await openProject(cwd, cwd, scripts, signal)
    const app = openApp(project, { scripts, signal }, 1)
    const files = createAppScripts(project)
    const found = findAgents({ ...app.sources, files, processes: project.config.processes ?? {} })
    await app.close()
    const hide = createRedact([...secretsAround(project), ...app.secrets()])
    if (json) process.stdout.write(`${JSON.stringify(hide(found), null, 2)}\n`)
    else print(found, check, hide)
    const errors = found.agents.flatMap((agent) => agent.errors).length + found.errors.length
    return check && errors > 0 ? 2 : 0
  } finally {
    await scripts.close()
  }
}

interface Found {
  agents: PackageReport[]
  /** Of the config: a name, and what it stands for. */
  configured: { name: string; agent: string }[]
  /** Of the app, not of one agent. */
  errors: Problem[]
  warnings: Problem[]
}

function findAgents(parts: AppParts): Found {
  const reports: PackageReport[] = []
  for (const id of packageIds(parts.project)) reports.push(reportPackage(id, parts))
  const configured = configuredAgents(parts.project)
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
    errors: [...report.errors, ...sameId(report.id, reports)],
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
    errors: untold(servers.errors),
    warnings: untold([...servers.warnings, ...unset]),
  }
}

/** `assistants/a.b` and `assistants/a/b` */
function sameId(id: string, reports: readonly PackageReport[]): Problem[] {
  if (reports.filter((report) => report.id === id).length < 2) return []
  return [
    { code: 'same_id', message: `two folders of assistants/ are both ${id}: only one of them can be meant` },
  ]
}

function configuredAgents({ config }: Project): Found['configured'] {
  return Object.entries(config.agents ?? {}).map(([name, entry]) => {
    const agent = typeof entry === 'string' ? entry : 'a2a' in entry ? `a2a:${entry.a2a}` : entry.url
    return { name, agent: agentToShow(agent) }
  })
}

function print(found: Found, check: boolean, hide: Redact): void {
  const pen = createPen(wantsColour(process.stdout, process.env))
  const line = (inked: Inked) => process.stdout.write(`${inked.text}\n`)
  const { agents, configured } = found
  const names = [...agents.map(({ id }) => id), ...configured.map(({ name }) => name)]
  const width = Math.max(...names.map((name) => name.length))
  const tell = (indent: string, { errors, warnings }: Pick<Found, 'errors' | 'warnings'>) => {
    for (const problem of errors) line(pen.line`${indent}${pen.red('✗')} ${hide(formatProblem(problem))}`)
    for (const problem of warnings)
      line(pen.line`${indent}${pen.yellow('⚠')} ${hide(formatProblem(problem))}`)
  }
  for (const agent of agents) {
    const about = oneLine(hide([...aboutOf(agent)].join(' · ')), 200)
    line(pen.line`${markOf(agent, pen)} ${agent.id.padEnd(width)}  ${pen.dim(about)}`)
    if (check) tell('    ', agent)
  }
  for (const { name, agent } of configured)
    line(pen.line`  ${name.padEnd(width)}  ${pen.dim(oneLine(hide(agent), 200))}`)
  if (check) tell('', found)
  line(pen.line`${summaryOf(found, check)}`)
}

function markOf({ errors, warnings, unplayable }: PackageReport, pen: ReturnType<typeof createPen>): Inked {
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

function summaryOf({ agents, configured, errors, warnings }: Found, check: boolean): string {
  const wrong = agents.reduce((sum, agent) => sum + agent.errors.length, errors.length)
  const warned = agents.reduce((sum, agent) => sum + agent.warnings.length, warnings.length)
  const troubles = [
    ...(wrong > 0 ? [counted(wrong, 'error')] : []),
    ...(warned > 0 ? [counted(warned, 'warning')] : []),
  ]
  const agentCount = counted(agents.length + configured.length, 'agent')
  if (troubles.length === 0) return check ? `${agentCount}, nothing wrong` : agentCount
  return `${agentCount}, ${troubles.join(', ')}${check ? '' : ' (viva agents --check tells)'}`
}
