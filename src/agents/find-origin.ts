import { loadModelAgent } from '../project/app/model-agent.ts'
import { loadPackage } from '../project/app/package.ts'
import { agentFolder, configuredAgent } from './agent-names.ts'
import { originOfReference } from './resolve-reference.ts'
import type { AgentOrigin, AgentSources } from './resolved.ts'

/** What an agent is made of, by all that `-n` takes. Nothing of it is loaded. Undefined if there is no such agent. */
export function findAgentOrigin(
  name: string,
  { project, connectors }: Pick<AgentSources, 'project' | 'connectors'>,
): AgentOrigin | undefined {
  const { id = name, entry } = configuredAgent(name, project) ?? {}
  if (typeof entry === 'object') {
    if ('connector' in entry)
      return { kind: 'package', pack: loadModelAgent(id, entry, { project, connectors }) }
    return 'a2a' in entry
      ? { kind: 'a2a', reference: entry.a2a, entry }
      : { kind: 'http', reference: entry.url, entry }
  }
  const reference = entry ?? name
  const outside = originOfReference(reference, entry === undefined ? project.cwd : project.root)
  if (outside !== undefined) return outside
  const folder = agentFolder(reference, project)
  return folder === undefined ? undefined : { kind: 'package', pack: loadPackage(project, folder) }
}
