import { InfrastructureError } from '../../errors.ts'
import { addReportedUsage } from '../../models/reported-usage.ts'
import type { Data, ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Context, StandIn, WrappedCalls } from '../../scope/context.ts'
import { isUsedTokens } from '../../scripts/protocol/used-tokens.ts'
import { isOfferedTools } from '../../scripts/protocol/wrap-tools.ts'
import { isToolName } from '../../text/tool-name.ts'
import { createStandIn, type StubLayers, StubPlayer } from '../../tools/stubs.ts'
import { unknownToolHint } from '../../tools/unknown-tool.ts'

/** The line that makes the tools of a module visible. */
export const toolsHint = 'wrap them where the agent begins: const tools = ctx.tools({ lookUp, createOrder })'

/** One attempt at a turn. */
export interface ToolTurn {
  context: Context
  /** Receives the events of the call. */
  onEvent(event: unknown): void
  /** Adds what viva has seen of the tools, and what the agent has reported as used, to the reply. Throws an error that the agent has caught although it is not its own. */
  complete(reply: Reply): Reply
}

interface AgentTools {
  agentId: string
  /** `--stub-all` */
  stubAll: boolean
  /** The line that makes its tools visible. */
  hint: string
}

/** The tools of a module agent in one session, which it has wrapped or viva has. */
export class SessionTools {
  readonly #agent: AgentTools
  readonly #player = new StubPlayer()
  readonly #offered = new Set<string>()
  readonly #stubbed = new Set<string>()
  /** The agent itself has answered, not a recording. */
  #wasCalled = false

  constructor(agent: AgentTools) {
    this.#agent = agent
  }

  beginTurn(stubs: StubLayers = [], around: Context): ToolTurn {
    for (const name of stubs.flatMap((layer) => Object.keys(layer))) this.#stubbed.add(name)
    const { stubAll } = this.#agent
    const hasStubs = stubAll || listStubs(stubs).length > 0
    const standIn = hasStubs ? createStandIn(stubs, this.#player, stubAll) : around.standIn
    const wrapped: WrappedCalls = { calls: [] }
    const used: object[] = []
    let offers = false
    this.#wasCalled = true
    return {
      context: { ...around, wrapped, ...(standIn && { standIn }) },
      onEvent: (event) => {
        if (isUsedTokens(event)) used.push(event.usage)
        if (!isOfferedTools(event)) return
        offers = true
        for (const name of event.names) this.#offered.add(name)
      },
      complete: (answer) => {
        if (wrapped.failure !== undefined) throw wrapped.failure
        const reply = addReportedUsage(answer, used)
        const { toolCalls } = reply
        if (toolCalls === 'hidden') return offers ? { ...reply, toolCalls: wrapped.calls } : reply
        const complete = toolCalls.map((call) => this.#completeCall(call, wrapped.calls, standIn))
        return { ...reply, toolCalls: complete }
      },
    }
  }

  #completeCall(call: ToolCall, seen: readonly ToolCall[], standIn: StandIn | undefined): ToolCall {
    const same = seen.find(({ id }) => id === call.id) ?? seen.find(({ name }) => name === call.name)
    if (same !== undefined) return same.stubbed ? { ...call, stubbed: true } : call
    if (call.result === undefined || standIn?.sparesOwnCalls || !standIn?.replaces(call.name)) return call
    const message = `${this.#agent.agentId} called ${call.name} itself, so that it could not be stubbed`
    throw new InfrastructureError('stub', `${message}: ${this.#agent.hint}`)
  }

  /** At the end of a conversation: a stub of a tool that was never there has replaced nothing. */
  checkStubs(): void {
    if (!this.#wasCalled) return
    const { stubAll } = this.#agent
    const offered = [...this.#offered]
    const unknown = [...this.#stubbed].find((name) => !offered.some((tool) => isToolName(tool, name)))
    if (unknown !== undefined)
      throw new InfrastructureError(
        'stub',
        `stub of "${unknown}": ${describeUnknown(unknown, this.#agent, offered)}`,
      )
    if (stubAll && offered.length === 0)
      throw new InfrastructureError('stub', `--stub-all: ${describeHidden(this.#agent)}`)
  }
}

/** The error of a stub, or of a recording, if there was one: the agent may have caught it, and thrown one of its own. */
export function findCause(error: unknown, { wrapped }: Context): unknown {
  return wrapped?.failure ?? error
}

/** The stubs as they are written, so that a recording with other ones is not taken for the same call. */
export function listStubs(stubs: StubLayers = []): Data[] {
  return stubs
    .filter((layer) => Object.keys(layer).length > 0)
    .map((layer) =>
      Object.fromEntries(
        Object.entries(layer).map(([name, rules]) => [name, rules.map(({ written }) => written)]),
      ),
    )
}

function describeUnknown(name: string, agent: AgentTools, offered: readonly string[]): string {
  if (offered.length === 0) return describeHidden(agent)
  return `${agent.agentId} has no such tool (${unknownToolHint(name, offered)})`
}

function describeHidden({ agentId, hint }: AgentTools): string {
  return `viva cannot see the tools of ${agentId}; ${hint}`
}
