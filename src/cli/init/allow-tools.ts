import type { McpServerConfig } from '../../project/model-agent-schema.ts'
import type { McpTool } from './list-tools.ts'
import type { McpFileServers } from './mcp-file.ts'

/** The servers of the config, each with the names of the tools that may be called. */
export interface AllowedServers {
  mcp: Record<string, McpServerConfig>
  /** What is left out, and how to allow it. */
  notes: string[]
  /** Values of the variables that these servers use. */
  values: Record<string, string>
}

/** Without `tools`, a model may call everything. So each server names them, and one with none to name is left out. */
export function allowTools(
  { written, values }: McpFileServers,
  tools: readonly McpTool[],
  allowed: readonly McpTool[],
): AllowedServers {
  const mcp: Record<string, McpServerConfig> = {}
  const notes: string[] = []
  for (const [id, server] of Object.entries(written)) {
    const own = tools.filter(({ server: of }) => of === id)
    const names = own.filter((tool) => allowed.includes(tool)).map(({ name }) => name)
    const others = own.filter((tool) => !allowed.includes(tool)).map(({ name }) => name)
    if (names.length > 0) mcp[id] = { ...server, tools: names }
    if (others.length > 0) notes.push(describeOthers(id, server, others, names.length > 0))
  }
  const used = JSON.stringify(mcp)
  const isUsed = (name: string) => new RegExp(`\\$ENV\\.${name}(?!\\w)`).test(used)
  return {
    mcp,
    notes,
    values: Object.fromEntries(Object.entries(values).filter(([name]) => isUsed(name))),
  }
}

function describeOthers(
  id: string,
  server: McpServerConfig,
  others: readonly string[],
  isWritten: boolean,
): string {
  const list = others.join(', ')
  if (isWritten)
    return `Tools of ${id} that may change something are left out: ${list}. To allow one, add it to mcp.${id}.tools in the config.`
  const entry = `${JSON.stringify(id)}: ${JSON.stringify({ ...server, tools: others.slice(0, 1) })}`
  return `MCP server ${id} is left out, because all its tools may change something: ${list}. To allow one, add it to agents.assistant.mcp in the config: ${entry}`
}
