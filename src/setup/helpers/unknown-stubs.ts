import type { Agent } from '../../agents/agent.ts'
import type { CaseEntry } from '../../cases/entry.ts'
import { ConfigError, InfrastructureError, type Problem } from '../../errors.ts'
import { isToolName } from '../../text/tool-name.ts'
import { unknownToolHint } from '../../tools/unknown-tool.ts'

/** Cases with stubs for the tools of an agent, or of a simulated user. */
export interface Stubbing {
  entries: readonly CaseEntry[]
  /** The names of the tools that a case stubs. */
  stubs(entry: CaseEntry): readonly string[]
  /** Whose tools they are: each of them must have all that are stubbed. */
  owners: readonly ToolOwner[]
  /** A simulated user, whose tools may also be its own affair. */
  isUser?: true
}

export type ToolOwner = Pick<Agent, 'id' | 'toolNames'>

/** A stub for a tool that nobody has replaces nothing: what it was meant for would be called for real. */
export async function refuseUnknownStubs(
  stubbing: Stubbing,
  isProcess: (name: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { entries, stubs, owners, isUser } = stubbing
  if (entries.length === 0) return
  const wanted = new Set(entries.flatMap(stubs).filter((name) => !isProcess(name)))
  for (const owner of owners) {
    const tools = await toolsUntilFound(owner, wanted, signal)
    if (tools === undefined && (owner.toolNames !== undefined || !isUser)) continue
    const problems = entries.flatMap((entry) => {
      const unknown = stubs(entry).filter(
        (name) => !isProcess(name) && !tools?.some((tool) => isToolName(tool, name)),
      )
      return unknown.map((name) => toProblem(name, owner.id, tools, entry))
    })
    if (problems.length > 0) throw new ConfigError(problems)
  }
}

/** No more than it takes to find all of them. Undefined when its servers do not run: the cases will say so. */
async function toolsUntilFound(
  { toolNames }: ToolOwner,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (toolNames === undefined) return undefined
  const tools: string[] = []
  const missing = new Set(wanted)
  try {
    for await (const tool of toolNames(signal)) {
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

function toProblem(
  name: string,
  owner: string,
  tools: readonly string[] | undefined,
  { file, line, id }: CaseEntry,
): Problem {
  const place = { code: 'unknown_stub', file, line, id, key: name }
  if (tools === undefined)
    return {
      ...place,
      message: `stub of "${name}": ${owner} has no tools that viva runs, so none can be stubbed`,
    }
  const hint = unknownToolHint(name, tools)
  return { ...place, message: `stub of "${name}": ${owner} has no such tool`, hint }
}
