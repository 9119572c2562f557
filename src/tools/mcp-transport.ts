import type { Transport } from '@modelcontextprotocol/client'
import { endedWithin, type ProcessGroup, startProcess } from '../system/process-group.ts'
import { shortenStart } from '../text/shorten.ts'
import { createFetchWithCaseId } from './case-header.ts'
import type { McpCommand, McpEndpoint, McpSettings } from './mcp-settings.ts'

const maxTailLength = 2000
/** How long a command may take to end when its input has ended, and again after SIGTERM. */
const endGraceMs = 1000

export interface OpenedTransport {
  transport: Transport
  /** The end of what a command has written to stderr so far. */
  stderr(): string
  /** Kills a command that is not worth waiting for, with everything it started. */
  kill(): void
}

export async function openTransport(settings: McpSettings): Promise<OpenedTransport> {
  return settings.transport === 'stdio' ? openCommand(settings) : openEndpoint(settings)
}

async function openCommand({ command, args, env, cwd }: McpCommand): Promise<OpenedTransport> {
  const { deserializeMessage, serializeMessage } = await import('@modelcontextprotocol/client')
  let group: ProcessGroup | undefined
  let tail = ''
  // Not the SDK's own transport: that one ends a single process, and waits for all that hold its pipes.
  const transport: Transport = {
    async start() {
      group = startProcess({
        words: [command, ...args],
        cwd,
        env,
        input: true,
        onOutput(line) {
          try {
            transport.onmessage?.(deserializeMessage(line))
          } catch (error) {
            // Lines that are not messages are ignored.
            transport.onerror?.(error as Error)
          }
        },
        onError(line) {
          tail = shortenStart(`${tail}${line}\n`, maxTailLength)
        },
      })
      await group.begun
      const end = group.end()
      if (end?.started === false) throw new Error(end.how)
      void group.ended.then(() => {
        // Its children must not outlive it.
        group?.kill()
        transport.onclose?.()
      })
    },
    async send(message) {
      group?.write(serializeMessage(message))
    },
    async close() {
      if (group === undefined) return
      group.endInput()
      await endedWithin(group.ended, endGraceMs)
      await group.stop(endGraceMs)
    },
  }
  return { transport, stderr: () => tail.trim(), kill: () => group?.kill() }
}

async function openEndpoint({
  transport: kind,
  url,
  headers,
  network,
}: McpEndpoint): Promise<OpenedTransport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const options = { requestInit: { headers }, fetch: createFetchWithCaseId(network.fetch) }
  const transport =
    kind === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
  return { transport, stderr: () => '', kill() {} }
}
