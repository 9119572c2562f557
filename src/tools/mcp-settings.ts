import type { Network } from '../models/network/network.ts'
import type { Environment } from '../system/environment.ts'

/** How to reach an MCP server. */
export type McpSettings = McpCommand | McpEndpoint

interface McpLimits {
  /** For the start and for each call. Default 30 s and 60 s. */
  timeoutMs?: number
  /** The tool that restores the state of a fresh server. */
  reset?: string
}

export interface McpCommand extends McpLimits {
  transport: 'stdio'
  /** Use one process for all cases instead of one per case. */
  shared?: boolean
  command: string
  args: string[]
  env: Environment
  cwd: string
}

export interface McpEndpoint extends McpLimits {
  transport: 'http' | 'sse'
  url: URL
  headers: Record<string, string>
  network: Network
}
