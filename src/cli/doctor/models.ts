import { ConfigError, formatProblem } from '../../errors.ts'
import type { PackageReport } from '../../project/app/report-package.ts'
import type { OpenApp } from './agents.ts'
import { type DoctorFinding, findingsOf } from './finding.ts'
import { contactHost } from './online.ts'

const { ok, warning, error } = findingsOf('Models')

/** The connectors with their keys, that of the built-in agents, and the proxy. With `online`, whether they answer. */
export async function modelFindings(
  opened: OpenApp,
  reports: readonly PackageReport[],
  online: boolean,
): Promise<DoctorFinding[]> {
  const { project, app } = opened
  const { connectors } = app.sources
  const own = project.config.helpers?.connector
  const used = new Set([...reports.flatMap(({ connector }) => connector ?? []), ...(own ? [own] : [])])
  const findings: DoctorFinding[] = []
  for (const id of connectors.ids()) findings.push(...connectorFindings(id, used.has(id), opened))
  findings.push(...helperFindings(own, opened), ...proxyFindings(opened))
  if (online) findings.push(...(await contactAll(opened)))
  return findings
}

/** A variable that is missing stops only what uses the connector. */
function connectorFindings(id: string, isUsed: boolean, { app }: OpenApp): DoctorFinding[] {
  try {
    const address = app.sources.connectors.addressOf(id)
    return [ok(`connector ${id}${address === undefined ? '' : ` (${address.host})`}`)]
  } catch (problem) {
    if (!(problem instanceof ConfigError)) throw problem
    return problem.problems.map((each) => {
      const finding = each.code === 'missing_env' && !isUsed ? warning : error
      const hint = each.code === 'missing_env' ? 'set it in the environment or in .env' : undefined
      return finding(`connector ${id}: ${formatProblem(each)}`, hint)
    })
  }
}

function helperFindings(own: string | undefined, { app }: OpenApp): DoctorFinding[] {
  const { connectors } = app.sources
  if (own === undefined)
    return [
      warning(
        'no connector for the built-in judge, simulator and generator',
        'if cases use them, set `helpers: { connector: … }` in the config',
      ),
    ]
  // A problem of a known connector was reported above.
  const problem = connectors.ids().includes(own) ? undefined : connectors.problem(own)
  return problem === undefined
    ? [ok(`built-in judge, simulator and generator: connector ${own}`)]
    : [error(`helpers.connector: ${problem}`)]
}

function proxyFindings({ app }: OpenApp): DoctorFinding[] {
  return ['https', 'http'].flatMap((scheme) => {
    const proxy = app.sources.network.proxyTo(new URL(`${scheme}://example.invalid`))
    return proxy === undefined ? [] : [ok(`proxy for ${scheme}:// ${proxy}`)]
  })
}

/** Every server once, whoever uses it. */
async function contactAll({ project, app, signal }: OpenApp): Promise<DoctorFinding[]> {
  const { connectors, network } = app.sources
  const addresses = [
    ...connectors.ids().flatMap((id) => {
      const isUsable = connectors.problem(id) === undefined
      return (isUsable ? connectors.addressOf(id) : undefined) ?? []
    }),
    ...[project.config.agent ?? '', ...Object.values(project.config.agents ?? {})].flatMap((entry) => {
      // The connector of a model is in the list above.
      if (typeof entry === 'object' && 'connector' in entry) return []
      const text = typeof entry === 'string' ? entry : 'a2a' in entry ? entry.a2a : entry.url
      const url = text.replace(/^(?:openai(?:-responses)?|a2a):/, '')
      return /^https?:/.test(url) && URL.canParse(url) ? new URL(url) : []
    }),
  ]
  const origins = new Set(addresses.map(({ origin }) => origin))
  return Promise.all([...origins].map((origin) => contactHost(new URL(origin), network, signal)))
}
