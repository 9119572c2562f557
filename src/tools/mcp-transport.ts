import type { Transport } from '@modelcontextprotocol/client'
import { shortenStart } from '../shorten.ts'
import type { McpCommand, McpEndpoint, McpSettings } from './mcp-settings.ts'

const longestTail = 2000

export interface OpenedTransport {
  transport: Transport
  /** The end of what a command wrote to its stderr so far. */
  stderr(): string
  /** Ends a command that is not worth waiting for. */
  kill(): void
}

export async function openTransport(settings: McpSettings): Promise<OpenedTransport> {
  return settings.transport === 'stdio' ? openCommand(settings) : openEndpoint(settings)
}

async function openCommand({ command, args, env, cwd }: McpCommand): Promise<OpenedTransport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const transport = new StdioClientTransport({
    command,
    args,
    // As an engine would start it: with all of the environment, not only with what the client thinks is safe.
    env: { ...inheritedEnv(), ...env },
    cwd,
    stderr: 'pipe',
  })
  let tail = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    tail = shortenStart(`${tail}${chunk}`, longestTail)
  })
  const kill = () => {
    try {
      if (transport.pid !== null) process.kill(transport.pid)
    } catch {
      // It ended by itself meanwhile.
    }
  }
  return { transport, stderr: () => tail.trim(), kill }
}

function inheritedEnv(): Record<string, string> {
  const set = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(set)
}

async function openEndpoint({
  transport: kind,
  url,
  headers,
  network,
}: McpEndpoint): Promise<OpenedTransport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const options = { requestInit: { headers }, fetch: network.fetch }
  const transport =
    kind === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
  return { transport, stderr: () => '', kill() {} }
}
