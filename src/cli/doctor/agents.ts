import { resolveAgent } from '../../agents/resolve.ts'
import { formatProblem } from '../../errors.ts'
import { redactAgentName } from '../../models/network/address.ts'
import { listModelAgents } from '../../project/app/model-agent.ts'
import { packageIds } from '../../project/app/package.ts'
import { type PackageReport, reportModelAgent, reportPackage } from '../../project/app/report-package.ts'
import { createAppScripts } from '../../project/app/script-files.ts'
import type { OpenedBy } from '../../setup/phase.ts'
import type { projectAppSetup } from '../../setup/phase-lists.ts'
import { type DoctorFinding, describeErrors, findingsOf } from './finding.ts'

const { ok, warning, error } = findingsOf('Agents')

export type OpenApp = OpenedBy<typeof projectAppSetup>

/** The packages of the app with all that they name. No server is started. */
export function reportPackages({ project, app }: OpenApp): PackageReport[] {
  const parts = {
    ...app.sources,
    files: createAppScripts(project),
    processes: project.config.processes ?? {},
  }
  return [
    ...packageIds(project).map((id) => reportPackage(id, parts)),
    ...listModelAgents(project).map(([id, agent]) => reportModelAgent(id, agent, parts)),
  ]
}

/** Whether the agents of the app and the config can be loaded. They are not called. */
export async function agentFindings(
  opened: OpenApp,
  reports: readonly PackageReport[],
): Promise<DoctorFinding[]> {
  const { project, app } = opened
  const { agents = {}, agent: standard } = project.config
  const findings = reports.flatMap(packageFindings)
  for (const [name, entry] of Object.entries(agents)) {
    if (typeof entry === 'object' && 'connector' in entry) continue
    const shown = typeof entry === 'string' ? entry : 'a2a' in entry ? `a2a:${entry.a2a}` : entry.url
    findings.push(...(await tryAgent(`${name} (${redactAgentName(shown)})`, () => app.agentPool.agent(name))))
  }
  if (standard !== undefined && !Object.hasOwn(agents, standard)) {
    const { packageFolder: _, ...withoutPackage } = project
    const sources = { ...app.sources, project: withoutPackage }
    findings.push(
      ...(await tryAgent(`agent of the config: ${redactAgentName(standard)}`, () =>
        resolveAgent(undefined, sources),
      )),
    )
  }
  if (findings.length > 0) return findings
  return [warning('the project names no agents', 'name one with -n: viva help agents')]
}

function packageFindings({
  id,
  name,
  connector,
  errors,
  warnings,
  unplayable,
}: PackageReport): DoctorFinding[] {
  const about = [name, connector ?? 'no model'].filter((part) => part !== undefined).join(' · ')
  // The variables of connectors are reported with the connectors.
  const reported = warnings.filter(({ code }) => code !== 'missing_env')
  return [
    ...errors.map((problem) => error(`${id}: ${formatProblem(problem)}`)),
    ...reported.map((problem) => warning(`${id}: ${formatProblem(problem)}`)),
    ...(unplayable === undefined ? [] : [warning(`${id} cannot be tested: ${unplayable}`)]),
    ...(errors.length === 0 && unplayable === undefined ? [ok(`${id} (${about})`)] : []),
  ]
}

async function tryAgent(shown: string, load: () => Promise<unknown>): Promise<DoctorFinding[]> {
  try {
    await load()
    return [ok(shown)]
  } catch (problem) {
    return describeErrors(problem).map((text) => error(`${shown}: ${text}`))
  }
}
