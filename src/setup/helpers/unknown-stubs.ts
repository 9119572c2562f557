import type { ResolvedAgent } from '../../agents/resolved.ts'
import type { CaseEntry } from '../../cases/entry.ts'
import { ConfigError, InfrastructureError, type Problem } from '../../errors.ts'
import { findNearest } from '../../text/nearest.ts'
import { isToolName } from '../../text/tool-name.ts'

/** `stubbing` are the cases with stubs. A stub for a tool that nobody has replaces nothing: what it was meant for would be called for real. */
export async function refuseUnknownStubs(
  stubbing: readonly CaseEntry[],
  variants: readonly ResolvedAgent[],
  isProcess: (name: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  if (stubbing.length === 0) return
  const wanted = new Set(stubbing.flatMap(({ stubs = [] }) => stubs).filter((name) => !isProcess(name)))
  for (const { agent } of variants) {
    const tools = await toolsUntilFound(agent, wanted, signal)
    if (tools === undefined) continue
    const problems = stubbing.flatMap((entry) => unknownStubs(entry, agent.id, tools, isProcess))
    if (problems.length > 0) throw new ConfigError(problems)
  }
}

/** No more than it takes to find all of them. Undefined when its servers do not run: the cases will say so. */
async function toolsUntilFound(
  agent: ResolvedAgent['agent'],
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (agent.toolNames === undefined) return undefined
  const tools: string[] = []
  const missing = new Set(wanted)
  try {
    for await (const tool of agent.toolNames(signal)) {
      tools.push(tool)
      for (const name of missing) if (isToolName(tool, name)) missing.delete(name)
      if (missing.size === 0) break
    }
    return tools
  } catch (error) {
    if (error instanceof InfrastructureError) return undefined
    throw error
  }
}

function unknownStubs(
  { file, line, id, stubs = [] }: CaseEntry,
  agentId: string,
  tools: string[],
  isProcess: (name: string) => boolean,
): Problem[] {
  return stubs
    .filter((name) => !tools.some((tool) => isToolName(tool, name)) && !isProcess(name))
    .map((name) => {
      const guess = findNearest(
        name,
        tools.flatMap((tool) => [tool, tool.replace(/^.*?__/, '')]),
      )
      const hint = guess === undefined ? `it has: ${tools.join(', ') || 'none'}` : `did you mean "${guess}"?`
      return {
        code: 'unknown_stub',
        message: `stub of "${name}": ${agentId} has no such tool`,
        file,
        line,
        id,
        key: name,
        hint,
      }
    })
}
