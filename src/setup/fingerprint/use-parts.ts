import { join } from 'node:path'
import { findAgentOrigin } from '../../agents/find-origin.ts'
import { vivaSimulator } from '../../agents/helpers/viva-simulator.ts'
import type { AgentSources } from '../../agents/resolved.ts'
import type { CaseUse } from '../../cases/case-use.ts'
import { errorMessage } from '../../errors.ts'
import { loadSimulatorTools } from '../../project/app/model-agent.ts'
import type { CaseScripts } from '../helpers/case-scripts.ts'
import type { HelperAgents } from '../helpers/helper-agents.ts'
import { AgentParts } from './agent-parts.ts'
import type { CodeReader } from './code.ts'
import { type AgentFingerprint, FingerprintParts, type FingerprintSurroundings } from './parts.ts'

export interface UseNeeds {
  sources: Pick<AgentSources, 'project' | 'connectors' | 'toolServers'>
  helpers: { scripts: Pick<CaseScripts, 'find'>; agents: Pick<HelperAgents, 'reference'> }
  surroundings: FingerprintSurroundings
  code: CodeReader
  /** The modules with tools of the agents under test. */
  toolModules: readonly string[]
  /** Somebody sits at the terminal, and may be asked. */
  isPersonThere: boolean
}

/** What a case uses besides its agent, or the file with the code of a script test or a suite. */
export type FingerprintedUse = CaseUse | { kind: 'code'; name: string }

/** What decides how one thing that cases use behaves. */
export function fingerprintUse(use: FingerprintedUse, needs: UseNeeds): AgentFingerprint {
  const parts = new FingerprintParts(needs.surroundings)
  try {
    addUse(use, needs, parts)
  } catch (error) {
    // What cannot be opened is reported where it is used.
    parts.unseen([], `${use.name ?? use.kind} cannot be read: ${errorMessage(error)}`)
  }
  return parts.fingerprint()
}

const useNames: Partial<Record<FingerprintedUse['kind'], string>> = { user: 'simulated user', code: 'code' }

function addUse(use: FingerprintedUse, needs: UseNeeds, parts: FingerprintParts): void {
  const { kind, name = '' } = use
  // Two of them may consist of the same parts, which are in the fingerprint anyway.
  if (use.name !== undefined) parts.data(`${useNames[kind] ?? kind} of the case`, name)
  const app = new AgentParts(needs.sources, needs.code, parts, [name])
  if (kind === 'code') app.code(join(needs.sources.project.root, name))
  else if (kind === 'script') addScript(use, needs, parts)
  else if (kind === 'judge' || kind === 'user') addHelper(use, needs, parts)
  else if (kind === 'connector') app.connector(name)
  else if (kind === 'tools') app.tools(needs.toolModules)
  else if (kind === 'url') parts.unseen([name], `what is at ${name} may change`)
  else if (kind === 'person' && needs.isPersonThere) parts.unseen([], 'a person may be asked')
  // The snapshots of each case are its own.
}

function addScript({ name = '', folder = '' }: CaseUse, needs: UseNeeds, parts: FingerprintParts): void {
  const { project } = needs.sources
  const found = needs.helpers.scripts.find(name, join(project.root, folder))
  if (found === undefined) throw new Error('there is no such script')
  const shown = parts.nameOf(found.file)
  new AgentParts(needs.sources, needs.code, parts, [shown]).code(found.file)
  parts.named(shown)
}

/** A judge or a simulated user. */
function addHelper(use: CaseUse, needs: UseNeeds, parts: FingerprintParts): void {
  const { name = '', folder = '' } = use
  const { project, connectors } = needs.sources
  if (name.startsWith('scripts:')) {
    addScript(use, needs, parts)
    return
  }
  const app = new AgentParts(needs.sources, needs.code, parts, [name])
  if (name.startsWith('viva.')) {
    const connector = use.connector ?? project.config.helpers?.connector ?? ''
    parts.data(`connector of ${name}`, connector)
    app.connector(connector)
    const tools = name === vivaSimulator ? loadSimulatorTools(project)?.tools : undefined
    if (tools === undefined) return
    parts.data('tools of viva.simulator', tools)
    for (const { id } of tools.servers) app.server(id)
    for (const path of tools.modules) app.code(path)
    return
  }
  const reference = needs.helpers.agents.reference(name, join(project.root, folder))
  const origin = findAgentOrigin(reference, needs.sources)
  if (origin === undefined) throw new Error('there is no such agent')
  const own = origin.kind === 'package' ? (origin.pack.connector ?? connectors.standard()) : undefined
  const connector = use.connector ?? own
  if (connector !== undefined) parts.data(`connector of ${name}`, connector)
  app.origin(origin, connector)
}
