import { isAbsolute, resolve } from 'node:path'
import type { AgentOrigin, AgentSources, ResolvedAgent } from '../../agents/resolved.ts'
import { redactAgentName } from '../../models/network/address.ts'
import type { Identity } from '../../run/identity.ts'
import { splitCommand } from '../../system/split-command.ts'
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
}

/** What decides how each agent under test answers, as it is now. By variant. */
export function fingerprintAgents(needs: FingerprintNeeds): ReadonlyMap<string, AgentFingerprint> {
  const code = new CodeReader()
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
  const { processes, roles, awaiting, faults, isolate, services } = sources.project.config
  parts.data('settings of the config', { processes, roles, awaiting, faults, isolate, services })
  const app = new AgentParts(sources, code, parts, names)
  if (origin?.kind === 'package') app.package(origin.pack, connector)
  else if (origin?.kind === 'module') app.code(origin.file)
  else if (origin !== undefined) addOutside(parts, origin, names, sources.project.root)
  else parts.unseen(names, 'viva does not know what it is made of')
  for (const name of new Set(names)) parts.named(name)
  return parts.fingerprint()
}

/** What is given on the command line for every case. */
function addFlags(
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

const why = {
  model: 'a model behind a server may change',
  http: 'viva does not see the code of an HTTP agent',
  a2a: 'viva does not see the code of an A2A agent',
  exec: 'viva does not see all that a command runs',
}

/** An agent that is reached by its address, or run as a command. */
function addOutside(
  parts: FingerprintParts,
  { kind, reference, entry }: Exclude<AgentOrigin, { kind: 'package' | 'module' }>,
  names: readonly string[],
  root: string,
): void {
  parts.data('agent', { reference: redactAgentName(reference), entry })
  const words = kind === 'exec' ? splitCommand(reference.slice('exec:'.length)) : []
  for (const word of words) if (/[./]/.test(word) && !isAbsolute(word)) parts.file(resolve(root, word))
  parts.unseen(names, why[kind])
}
