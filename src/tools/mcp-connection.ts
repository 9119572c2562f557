import type { Client } from '@modelcontextprotocol/client'
import { TimeoutError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { startDeadline, untilAborted } from '../scope/deadline.ts'
import type { Play } from '../scope/play.ts'
import { shortDuration } from '../text/duration.ts'
import { version } from '../version.ts'
import { callWithCaseId } from './case-header.ts'
import { createStartError, isOldProtocolRefusal, type McpPlace, readCallError } from './mcp-errors.ts'
import { type McpAsk, type McpReader, offers } from './mcp-extras.ts'
import { refuseForeignResult, type ToolOutcome, toolOutcome } from './mcp-result.ts'
import type { McpSettings } from './mcp-settings.ts'
import { openTransport } from './mcp-transport.ts'

const startTimeoutMs = 30_000
const callTimeoutMs = 60_000
/** The protocol revision in which a connection no longer begins with `initialize`. */
const newProtocol = '2026-07-28'

export interface OfferedTool {
  name: string
  description?: string
  inputSchema: Data
}

/** A connected server. */
export interface McpConnection {
  tools: OfferedTool[]
  /** Makes one attempt. A failure that the tool reports itself is an outcome, not an exception. */
  call(tool: string, args: Data, signal: AbortSignal, play?: Play): Promise<ToolOutcome>
  reader: McpReader
  /** The server is gone. */
  isClosed(): boolean
  /** A call was abandoned; the server may still be working on it. */
  wasInterrupted(): boolean
  close(): Promise<void>
}

export interface ConnectOptions {
  id: string
  settings: McpSettings
  signal: AbortSignal
  /** Called when the server is gone and the connection cannot be used any more. */
  onClose(): void
}

/** Starts or reaches the server and lists its tools. Throws `InfrastructureError`. */
export async function connectMcp(options: ConnectOptions): Promise<McpConnection> {
  let isAgreed = false
  try {
    return await connect(options, 'legacy', () => {
      isAgreed = true
    })
  } catch (error) {
    // Nearly all servers speak the older protocols, and asking first would start every command twice.
    if (isAgreed || !(await isOldProtocolRefusal(error))) throw error
    return connect(options, { pin: newProtocol })
  }
}

async function connect(
  { id, settings, signal, onClose }: ConnectOptions,
  mode: 'legacy' | { pin: string },
  onAgreed = () => {},
): Promise<McpConnection> {
  const { Client } = await import('@modelcontextprotocol/client')
  const limit = settings.timeoutMs ?? startTimeoutMs
  const opened = await openTransport(settings)
  const deadline = startDeadline(limit, signal)
  const place: McpPlace = { id, settings, stderr: opened.stderr }
  const client = new Client({ name: 'viva', version }, { versionNegotiation: { mode } })
  try {
    const requestOptions = { signal: deadline.stop.signal, timeout: limit * 2 }
    await untilAborted(client.connect(opened.transport, requestOptions), deadline.stop)
    onAgreed()
    const { tools } = offers(client.getServerCapabilities(), 'tools')
      ? await untilAborted(client.listTools(undefined, requestOptions), deadline.stop)
      : { tools: [] }
    const own = tools.map(({ name, description, inputSchema }) => ({
      name,
      ...defined({ description }),
      inputSchema,
    }))
    return createConnection(client, place, own, onClose)
  } catch (error) {
    const late = deadline.stop.reason instanceof TimeoutError
    opened.kill()
    // A client that never connected does not close its transport.
    for (const part of [client, opened.transport]) part.close().catch(() => {})
    throw await createStartError(
      late ? new Error(`it was not ready within ${shortDuration(limit)}`) : error,
      place,
    )
  } finally {
    deadline.release()
  }
}

function createConnection(
  client: Client,
  place: McpPlace,
  tools: OfferedTool[],
  onClose: () => void,
): McpConnection {
  let closed = false
  let interrupted = false
  const lost = () => {
    closed = true
    onClose()
  }
  client.onclose = lost
  const ask = createMcpAsk(client, place, lost)
  return {
    tools,
    call: (tool, args, signal, play) =>
      callMcpTool(ask, tool, args, signal, play).catch((error: unknown) => {
        interrupted = true
        throw error
      }),
    reader: { ask, offered: client.getServerCapabilities() },
    isClosed: () => closed,
    wasInterrupted: () => interrupted,
    close: () => client.close(),
  }
}

function createMcpAsk(client: Client, place: McpPlace, onClose: () => void): McpAsk {
  const timeoutMs = place.settings.timeoutMs ?? callTimeoutMs
  return async (call, signal, perform) => {
    try {
      return { answer: await perform(client, { signal, timeout: timeoutMs }) }
    } catch (error) {
      signal.throwIfAborted()
      return readCallError(error, place, { ...call, timeoutMs }, onClose)
    }
  }
}

async function callMcpTool(
  ask: McpAsk,
  tool: string,
  args: Data,
  signal: AbortSignal,
  play: Play | undefined,
): Promise<ToolOutcome> {
  const call = { subject: `tool ${tool}`, activity: `calling ${tool}`, harmless: false }
  const outcome = await ask(call, signal, (client, options) =>
    callWithCaseId(play, async (meta) =>
      refuseForeignResult(await client.callTool({ name: tool, arguments: args, ...meta }, options)),
    ),
  )
  return 'error' in outcome ? outcome : toolOutcome(outcome.answer)
}
