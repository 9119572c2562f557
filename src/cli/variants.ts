import { resolveAgent } from '../agents/resolve.ts'
import type { AgentSources, Resolved } from '../agents/resolved.ts'
import type { AgentLimits } from '../cases/validate.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Connectors } from '../project/app/connectors.ts'
import type { Project } from '../project/project.ts'
import type { Loading } from '../scripts/runner/script-host.ts'
import { openApp } from './open-app.ts'
import type { Settings } from './settings.ts'

/** What is in a file can be listed without the agent it is for. */
export const anyAgent: AgentLimits = {
  agentId: '',
  anyInput: true,
  history: 'given',
  connectors: 'own',
  tools: 'served',
  connectorProblem: () => undefined,
  presetProblem: () => undefined,
}

/** Every agent with every connector. */
export async function resolveVariants(
  { names, connectors, stubAll }: Settings,
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll'>,
): Promise<Map<string, Resolved>> {
  const variants = new Map<string, Resolved>()
  for (const name of new Set(names)) {
    for (const flag of new Set(connectors)) {
      const connectorFlag = flag === undefined ? undefined : sources.connectors.named(flag)
      const resolved = await resolveAgent(name, { ...sources, stubAll, ...defined({ connectorFlag }) })
      const { agent, connector } = resolved
      const variant = connector === undefined ? agent.id : `${agent.id}@${connector}`
      if (variants.has(variant)) throw twice(variant)
      variants.set(variant, resolved)
    }
  }
  return variants
}

/** Where no agent is named or found, none. */
export const resolveIfFound: typeof resolveVariants = async (settings, sources) => {
  try {
    return await resolveVariants(settings, sources)
  } catch (error) {
    const isMissing = error instanceof ConfigError && error.problems.every(({ code }) => code === 'no_agent')
    if (isMissing && settings.connectors.every((connector) => connector === undefined)) return new Map()
    throw error
  }
}

/** Against whom a run would play the cases; undefined where no agent is named or found. */
export async function namesOfVariants(
  settings: Settings,
  project: Project,
  load: Loading,
): Promise<string[] | undefined> {
  const app = openApp(project, load, settings.parallel)
  const variants = await resolveIfFound(settings, app.sources).finally(app.close)
  return variants.size === 0 ? undefined : [...variants.keys()]
}

/** Two that differ in what is not shown of them, or one that was named in two ways. */
function twice(variant: string): ConfigError {
  return new ConfigError({
    code: 'same_variant',
    message: `-n: two agents are both ${variant}, so their results could not be told apart`,
    hint: 'name each under `agents` of viva.config.*, or leave one out',
  })
}

/** A case must suit all agents it is played with: the strictest is named. */
export function limitsOf(all: readonly Resolved[], connectors: Connectors): AgentLimits {
  const strictest = (is: (resolved: Resolved) => boolean) => all.find(is)
  const strict =
    strictest(({ agent }) => agent.input !== 'any') ??
    strictest(({ agent }) => agent.history === 'kept') ??
    all[0]
  const having = (kind: Resolved['connectors']) => all.some((resolved) => resolved.connectors === kind)
  return {
    agentId: strict?.agent.id ?? '',
    anyInput: all.every(({ agent }) => agent.input === 'any'),
    history: all.some(({ agent }) => agent.history === 'kept') ? 'kept' : 'given',
    connectors: having('none') ? 'none' : having('needed') ? 'needed' : 'own',
    tools: all.find(({ agent }) => agent.tools !== 'served')?.agent.tools ?? 'served',
    connectorProblem: (id) => connectors.problem(id),
    presetProblem: (preset) =>
      all.map((each) => each.presetProblem?.(preset)).find((problem) => problem !== undefined),
  }
}
