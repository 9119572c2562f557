import { createNetwork } from '../../models/network/network.ts'
import { readProxies } from '../../models/network/proxies.ts'
import { findToolServers } from '../../project/app/mcps.ts'
import { locateProject, type Project } from '../../project/project.ts'
import { waitOutsideCase } from '../../tools/tool.ts'
import type { Folder } from './folder.ts'
import type { McpFileServers } from './mcp-file.ts'

/** A tool that a server offers. */
export interface McpTool {
  name: string
  /** As the model sees it. */
  fullName: string
  description?: string
  inputSchema: Record<string, unknown>
}

/** Starts the servers, asks them for their tools, and stops them. */
export async function listMcpTools(
  { written, values }: McpFileServers,
  folder: Folder,
  signal: AbortSignal,
): Promise<McpTool[]> {
  const project: Project = {
    ...locateProject(folder.path, folder.path, folder.env),
    env: { ...values, ...folder.env },
    config: { agents: { assistant: { connector: 'main', mcp: written } } },
  }
  const network = createNetwork({ connections: 1, proxies: readProxies({}, project.env), env: project.env })
  const servers = findToolServers(project, network, () => Promise.reject(new Error('there are no processes')))
  try {
    const lists = await Promise.all(
      Object.keys(written).map((id) => servers.server(id).tools(waitOutsideCase(signal))),
    )
    return lists.flat().map(({ name, description, inputSchema }) => ({
      name: name.slice(name.indexOf('__') + 2),
      fullName: name,
      inputSchema,
      ...(description === undefined ? {} : { description }),
    }))
  } finally {
    await servers.close()
    await network.close()
  }
}
