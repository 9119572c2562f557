import { setMaxListeners } from 'node:events'
import { ConfigError, errorMessage, InfrastructureError, InterruptedError } from '../errors.ts'
import type { Data } from '../results/transcript/message.ts'
import { pause, untilAborted } from '../scope/deadline.ts'
import type { Play } from '../scope/play.ts'
import { defaultRetryPolicy, retryDelay } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'
import { shortTime } from '../text/duration.ts'
import { ConnectionPerPlay } from './connection-per-play.ts'
import { type ConnectOptions, connectMcp, type McpConnection, type OfferedTool } from './mcp-connection.ts'
import { type Connect, type McpConnections, sharedConnection } from './mcp-connections.ts'
import { createMcpExtras, mcpSide } from './mcp-extras.ts'
import type { McpSettings } from './mcp-settings.ts'
import { type ResetLane, resetBeforePlays } from './reset-lane.ts'
import { type StartWait, type Tool, ToolError, type ToolServer, toolName } from './tool.ts'

/** The tools of servers as a recording has them: then a server need not be started to list its tools. */
export interface ToolLists {
  find(server: string): readonly OfferedTool[] | undefined
  keep(server: string, tools: readonly OfferedTool[]): void
  /** Whether no server is called at all. */
  answersCalls: boolean
}

/**
 * An MCP server. A command is started for each play of a case, unless it is shared or can be reset. An endpoint is shared;
 * cases that use one that is reset run one after the other (`lane`).
 */
export function createMcpServer(
  id: string,
  settings: McpSettings,
  lane: ResetLane,
  lists?: ToolLists,
): ToolServer {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const notices: Notices = new Map()
  const connections = createConnections({ id, settings, signal: closing.signal }, lane, notices)
  const perPlay = connections instanceof ConnectionPerPlay ? connections : undefined

  const connection = (scope: Scope) => waitForStart(scope, () => connections.lease(scope.context.play))

  async function call(tool: string, args: unknown, scope: Scope): Promise<unknown> {
    const toolScope = scope.child('tool')
    const outcome = await toolScope.exchange({
      target: toolName(id, tool),
      request: args,
      continues: mcpSide(id),
      async perform({ signal }) {
        const server = await connection(toolScope)
        return server.call(tool, (args ?? {}) as Data, signal, playToShow(toolScope))
      },
    })
    if (outcome.error !== undefined) throw new ToolError(outcome.error)
    return outcome.result
  }

  /** A process used by one case only need not know which. */
  const playToShow = ({ context }: Scope): Play | undefined => (perPlay ? undefined : context.play)

  const toTool = ({ name, ...offered }: OfferedTool): Tool => ({
    ...offered,
    name: toolName(id, name),
    ...(name === settings.reset && { forTests: true }),
    call: (args, scope) => call(name, args, scope),
  })

  return {
    id,
    async tools(scope) {
      const listed = lists?.find(id)
      if (listed !== undefined) return listed.map(toTool)
      const { tools } = await waitForStart(scope, () => connections.any())
      lists?.keep(id, tools)
      return tools.map(toTool)
    },
    extras: createMcpExtras(id, async (scope) => (await connection(scope)).reader),
    expect(plays) {
      if (lists?.answersCalls !== true) perPlay?.expect(plays)
    },
    notices: () => [...notices.values()],
    async close() {
      closing.abort(new InterruptedError('the run is over'))
      await connections.close()
    },
  }
}

/** The start does not count as time of the cases: it has its own limit. */
function waitForStart<T>(scope: StartWait, open: () => Promise<T>): Promise<T> {
  return scope.standStill((signal) => untilAborted(open(), signal))
}

/** The first notice of each kind is enough. */
type Notices = Map<'slow start' | 'reset', string>

type Reset = (connection: McpConnection) => Promise<void>

type Place = Omit<ConnectOptions, 'onClose'>

function createConnections(place: Place, lane: ResetLane, notices: Notices): McpConnections {
  const { id, settings } = place
  const connect: Connect = async (onClose) => {
    const begun = performance.now()
    const connection = await connectWithRetries({ ...place, onClose })
    const tookMs = performance.now() - begun
    if (isSlow(settings, tookMs) && !notices.has('slow start'))
      notices.set('slow start', describeSlowStart(id, tookMs))
    return refuseUnknownReset(connection, id, settings.reset)
  }
  const reset = settings.reset === undefined ? undefined : createReset(place, settings.reset, notices)
  if (settings.transport === 'stdio' && !settings.shared) return new ConnectionPerPlay({ id, connect, reset })
  const shared = sharedConnection(connect)
  return reset === undefined || settings.transport === 'stdio'
    ? shared
    : resetBeforePlays(shared, lane, reset)
}

function createReset({ id, signal }: Place, tool: string, notices: Notices): Reset {
  return async (connection) => {
    try {
      const { error } = await connection.call(tool, {}, signal)
      if (error !== undefined) throw new Error(error)
    } catch (error) {
      const message = `MCP server ${id} could not be reset by its tool ${tool}: ${errorMessage(error)}`
      if (!signal.aborted) notices.set('reset', message)
      throw new InfrastructureError('connection', message, { cause: error })
    }
  }
}

function refuseUnknownReset(connection: McpConnection, id: string, reset: string | undefined): McpConnection {
  const names = connection.tools.map(({ name }) => name)
  if (reset === undefined || names.includes(reset)) return connection
  void connection.close()
  const message = `MCP server ${id}: "reset" names the tool "${reset}", which it does not have`
  throw new ConfigError({ code: 'unknown_tool', message, hint: `it has: ${names.join(', ') || 'none'}` })
}

/** With one start per case, a longer start is felt. */
const slowStartMs = 1000

function isSlow(settings: McpSettings, tookMs: number): boolean {
  return (
    settings.transport === 'stdio' && !settings.shared && settings.reset === undefined && tookMs > slowStartMs
  )
}

function describeSlowStart(id: string, tookMs: number): string {
  return (
    `MCP server ${id} takes ${shortTime(tookMs)} to start, and is started for every case. In its file, "reset" may name a ` +
    'tool that resets it, or "shared": true lets cases share one process if they cannot affect each other.'
  )
}

async function connectWithRetries(options: ConnectOptions): Promise<McpConnection> {
  for (let retries = 0; ; retries++) {
    try {
      return await connectMcp(options)
    } catch (error) {
      const delay = retryDelay(error, retries, defaultRetryPolicy, Number.POSITIVE_INFINITY)
      if (delay === undefined || options.signal.aborted) throw error
      await pause(delay, options.signal)
    }
  }
}
