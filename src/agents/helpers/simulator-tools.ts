import { loadSimulatorTools } from '../../project/app/model-agent.ts'
import { waitOutsideCase } from '../../tools/tool.ts'
import { loadModuleTools, loadOwnTools } from '../package/package-servers.ts'
import type { AgentSources } from '../resolved.ts'
import type { HelperTools } from './model-helper.ts'

/** The tools that the config gives to `viva.simulator`. Their modules are loaded now, so that broken ones are found early. */
export async function openSimulatorTools({
  project,
  toolServers,
  loading,
}: Pick<AgentSources, 'project' | 'toolServers' | 'loading'>): Promise<HelperTools | undefined> {
  const owner = loadSimulatorTools(project)
  if (owner === undefined) return undefined
  await loadModuleTools(owner, toolServers, waitOutsideCase(loading))
  return { load: (scope) => loadOwnTools(owner, toolServers, scope), limits: owner.tools }
}
