import { basename } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { resolveAgent } from '../../agents/resolve.ts'
import type { AgentSources, ResolvedAgent } from '../../agents/resolved.ts'
import { type DetectedInput, isSuiteFile } from '../../cases/sources/detect.ts'
import { listCaseFiles } from '../../cases/sources/folder.ts'
import { inputFolder } from '../../cases/sources/open.ts'
import type { AgentLimits } from '../../cases/validate.ts'
import { ConfigError, formatProblem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Connectors } from '../../project/app/connectors.ts'
import { findPackage, type Project } from '../../project/project.ts'
import { oneLine } from '../../reporters/printable.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import type { CommandStart } from '../command-start.ts'
import { phases } from '../phase.ts'
import { type App, appPhase } from './app.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** What is in a file can be listed, and graded, without the agent it is for. */
export const anyAgent: AgentLimits = {
  agentId: '',
  anyInput: true,
  history: 'given',
  connectors: 'own',
  tools: 'served',
  toolsOf: '',
  connectorProblem: () => undefined,
  presetProblem: () => undefined,
}

/** Every agent with every connector. */
async function resolveVariants(
  { names, connectors, stubAll }: Settings,
  sources: Omit<AgentSources, 'connectorFlag' | 'stubAll'>,
): Promise<Map<string, ResolvedAgent>> {
  const variants = new Map<string, ResolvedAgent>()
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
const resolveIfFound: typeof resolveVariants = async (settings, sources) => {
  try {
    return await resolveVariants(settings, sources)
  } catch (error) {
    const isMissing = error instanceof ConfigError && error.problems.every(({ code }) => code === 'no_agent')
    if (isMissing && settings.connectors.every((connector) => connector === undefined)) return new Map()
    throw error
  }
}

/** The agents under test, by variant. Script tests and suites have none. */
export type Variants = ReadonlyMap<string, ResolvedAgent>

interface VariantsNeeds extends Pick<CommandStart, 'warn'> {
  inputs: readonly DetectedInput[]
  settings: Settings
  app: App
  secrets: Secrets
}

export const variantsPhase = {
  name: 'variants',
  open: (needs: VariantsNeeds) => openVariants(needs, resolveVariants),
} as const

/** For commands that can do without an agent. */
export const variantsIfFoundPhase = {
  name: 'variants',
  open: (needs: VariantsNeeds) => openVariants(needs, resolveIfFound),
} as const

async function openVariants(
  { inputs, settings, app, secrets, warn }: VariantsNeeds,
  resolve: typeof resolveVariants,
): Promise<Variants> {
  if (settings.names.includes(undefined)) refuseSeveralPackages(inputs)
  // A worker may have no inputs of its own.
  const variants =
    inputs.length > 0 && inputs.every(bringsItsAgent)
      ? withoutAgent(settings)
      : await resolve(settings, app.sources)
  const known = [...variants.values()].flatMap((resolved) => resolved.secrets)
  secrets.add(() => known)
  // The rest is in `viva agents --check`.
  for (const problem of [...variants.values()].flatMap(({ warnings = [] }) => warnings))
    if (problem.hint !== undefined) warn(oneLine(secrets.redact()(formatProblem(problem))))
  return variants
}

interface ListNeeds extends CommandStart {
  inputs: readonly DetectedInput[]
  settings: Settings
  project: Project
  scriptHost: ScriptHost
  secrets: Secrets
}

/** Whose last results `--last-failed` looks at. Undefined for all that were ever tested. */
export async function variantsIfFound(needs: ListNeeds): Promise<Variants | undefined> {
  const { inputs, settings } = needs
  if (!settings.lastFailed || inputs.every(bringsItsAgent)) return undefined
  const list = phases<ListNeeds>().with(appPhase).with(variantsIfFoundPhase)
  const variants = await list.use(needs, async ({ variants }) => variants)
  return variants.size === 0 ? undefined : variants
}

/** A folder of suites is one that needs no other agent. */
export function bringsItsAgent(input: DetectedInput): boolean {
  if (input.kind !== 'folder') return input.kind === 'tests' || input.kind === 'suite'
  const files = listCaseFiles(input.path)
  return files.length > 0 && files.every(isSuiteFile)
}

/** The cases of one package must not be run against the agent of another. */
function refuseSeveralPackages(inputs: readonly DetectedInput[]): void {
  const folders = inputs.flatMap((input) =>
    bringsItsAgent(input) || !('path' in input) ? [] : (findPackage(inputFolder([input], '')) ?? []),
  )
  const names = [...new Set(folders)].map((folder) => basename(folder))
  if (names.length < 2) return
  throw new ConfigError({
    code: 'several_agents',
    message: `the inputs belong to different agents: ${names.join(', ')}`,
    hint: 'name the one to test with -n, or run the inputs one by one',
  })
}

/** Script tests call what they test themselves, and suites bring their agent: a flag that would change nothing is refused. */
function withoutAgent({ names, connectors }: Settings): Variants {
  const given = [['-n', names] as const, ['-c', connectors] as const].find(
    ([, [value]]) => value !== undefined,
  )
  if (given === undefined) return new Map()
  const message = `${given[0]} ${given[1][0]}: script tests and suites have no agent but their own`
  throw new ConfigError({ code: 'bad_flag', message })
}

/** Two that differ in what is not shown of them, or one that was named in two ways. */
function twice(variant: string): ConfigError {
  return new ConfigError({
    code: 'same_variant',
    message: `-n: two agents are both ${variant}, so their results could not be told apart`,
    hint: 'name each under `agents` of viva.config.*, or leave one out',
  })
}

/** How little viva can do about the tools, the least first. */
const visibility = ['hidden', 'reported', 'wrapped', 'served'] as const

function leastVisible(all: readonly Agent[]): Agent | undefined {
  return visibility.flatMap((each) => all.filter(({ tools }) => tools === each))[0]
}

/** A case must suit all agents it is played with: the strictest is named. */
export function combineLimits(all: readonly ResolvedAgent[], connectors: Connectors): AgentLimits {
  const strictest = (is: (resolved: ResolvedAgent) => boolean) => all.find(is)
  const strict =
    strictest(({ agent }) => agent.input !== 'any') ??
    strictest(({ agent }) => agent.history === 'kept') ??
    all[0]
  const hiding = leastVisible(all.map(({ agent }) => agent))
  const having = (kind: ResolvedAgent['connectors']) => all.some((resolved) => resolved.connectors === kind)
  return {
    agentId: strict?.agent.id ?? '',
    anyInput: all.every(({ agent }) => agent.input === 'any'),
    history: all.some(({ agent }) => agent.history === 'kept') ? 'kept' : 'given',
    connectors: having('none') ? 'none' : having('needed') ? 'needed' : 'own',
    tools: hiding?.tools ?? 'served',
    toolsOf: hiding?.id ?? '',
    connectorProblem: (id) => connectors.problem(id),
    presetProblem: (preset) =>
      all.map((each) => each.presetProblem?.(preset)).find((problem) => problem !== undefined),
  }
}
