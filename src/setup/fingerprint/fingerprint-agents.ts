import type { AgentSources, ResolvedAgent } from '../../agents/resolved.ts'
import type { Project } from '../../project/project.ts'
import type { Identity } from '../../run/identity.ts'
import { version } from '../../version.ts'
import type { Settings } from '../phases/settings.ts'
import { AgentParts } from './agent-parts.ts'
import { CodeReader } from './code.ts'
import { type AgentFingerprint, FingerprintParts, type FingerprintSurroundings } from './parts.ts'

interface FingerprintNeeds {
  /** By variant. */
  variants: ReadonlyMap<string, ResolvedAgent>
  sources: Pick<AgentSources, 'project' | 'connectors' | 'toolServers'>
  settings: Pick<Settings, 'seed' | 'stubAll' | 'interactive'>
  /** With the file of `--ctx`. */
  identity: Identity
  surroundings: FingerprintSurroundings
  code?: CodeReader
}

/** What decides how each agent under test answers, as it is now. By variant. */
export function fingerprintAgents(needs: FingerprintNeeds): ReadonlyMap<string, AgentFingerprint> {
  const { code = new CodeReader() } = needs
  return new Map(
    [...needs.variants].map(([variant, resolved]) => [variant, fingerprintAgent(resolved, code, needs)]),
  )
}

function fingerprintAgent(
  resolved: ResolvedAgent,
  code: CodeReader,
  { sources, settings, identity, surroundings }: FingerprintNeeds,
): AgentFingerprint {
  const parts = new FingerprintParts(surroundings)
  const { origin, configured, agent, connector } = resolved
  const names = [...(configured === undefined ? [] : [configured]), agent.id]
  addFlags(parts, settings, identity)
  addSettings(parts, sources.project)
  const app = new AgentParts(sources, code, parts, names)
  if (origin === undefined) parts.unseen(names, 'viva does not know what it is made of')
  else app.origin(origin, connector)
  return parts.fingerprint()
}

/** What the config says of all agents. */
export function addSettings(parts: FingerprintParts, { config }: Pick<Project, 'config'>): void {
  const { processes, roles, awaiting, faults, isolate, services, prices, secrets, network } = config
  const { retries: _, backoff: __, ...connections } = network ?? {}
  const all = { roles, awaiting, faults, isolate, services, prices, secrets, connections }
  parts.settings('settings of the config', all)
  if (processes !== undefined) parts.data('processes of the config', processes)
}

/** What the environment changes in every process, though no code names it. */
export function addProcessSettings(parts: FingerprintParts, { env }: Pick<Project, 'env'>): void {
  parts.variables(['NODE_OPTIONS', 'TZ'].filter((name) => env[name]))
  if (/(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/.test(env.NODE_OPTIONS ?? ''))
    parts.unseen([], 'viva does not see the code that NODE_OPTIONS loads')
}

/** What is given on the command line for every case. */
export function addFlags(
  parts: FingerprintParts,
  { seed, stubAll, interactive }: FingerprintNeeds['settings'],
  { file, user, team, locale }: Identity,
): void {
  parts.data('version of viva', version)
  const flags = { '-u': user, '-t': team, '--locale': locale, '--seed': seed }
  for (const [flag, value] of Object.entries(flags)) if (value !== undefined) parts.data(flag, value)
  if (stubAll) parts.data('--stub-all', true)
  if (interactive) parts.data('--interactive', true)
  if (Object.keys(file).length > 0) parts.data('--ctx', file)
}
