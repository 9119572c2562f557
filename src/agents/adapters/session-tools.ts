import { AgentError, InfrastructureError } from '../../errors.ts'
import { addReportedUsage } from '../../models/reported-usage.ts'
import type { Data, ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { Context, StandIn, WrappedCalls } from '../../scope/context.ts'
import type { Scope } from '../../scope/scope.ts'
import { isPrintedError } from '../../scripts/protocol/provider-call.ts'
import { isUsedTokens } from '../../scripts/protocol/used-tokens.ts'
import { isBorrowedTool, isOfferedTools, isUnseenCalls } from '../../scripts/protocol/wrap-tools.ts'
import { ScriptThrew } from '../../scripts/runner/script-error.ts'
import { isToolName } from '../../text/tool-name.ts'
import { createStandIn, type StubLayers, StubPlayer } from '../../tools/stubs.ts'
import { unknownToolHint } from '../../tools/unknown-tool.ts'
import { providerCallError } from '../provider-calls.ts'
import { hasOnlyFailed, isOffered, matchCalls, mergeCalls } from './merge-calls.ts'
import { lacksStream, providerError } from './provider-error.ts'

/** The line that makes the tools of a module visible. */
export const toolsHint = 'wrap them where the agent begins: const tools = ctx.tools({ lookUp, createOrder })'

/** The tools of one turn. */
export interface ToolTurn {
  /** Has the stubs and the calls of the attempt that is under way. */
  context: Context
  /** Receives the events of the call. */
  onEvent(event: unknown): void
  /** Begins another attempt: what the agent has done so far is as if it had not happened. */
  restart(): void
  /** Adds what viva has seen of the tools, and what the agent has reported as used, to the reply. Throws an error that the agent has caught although it is not its own. */
  complete(reply: Reply): Reply
  /** The error that explains the one that the agent has thrown. */
  findCause(error: unknown): unknown
}

interface AgentTools {
  agentId: string
  /** `--stub-all` */
  stubAll: boolean
  /** The line that makes its tools visible. */
  hint: string
}

/** One attempt at a turn. It counts when the agent has answered. Until then, nothing else knows of it. */
interface TurnAttempt {
  player: StubPlayer
  /** Adds a line to the log of the case. */
  log(text: string): void
  wrapped: WrappedCalls
  used: object[]
  /** Absent when the agent has offered no tools. */
  offered?: string[]
  /** The tools without `execute`: the user's side runs them. */
  clientTools: Set<string>
  /** The last error of a stream that the AI SDK has printed. */
  printed?: ScriptThrew
  /** A tool for which it is not known whose call of it this was. */
  borrowed?: string
  /** The places of calls in the reply that were not executed. */
  unexecuted: Set<number>
  /** The places of those that the provider of the model has executed. */
  providerCalls: Set<number>
}

/** The tools of a module agent in one session, which it has wrapped or viva has. */
export class SessionTools {
  readonly #agent: AgentTools
  #player = new StubPlayer()
  readonly #offered = new Set<string>()
  readonly #stubbed = new Set<string>()
  /** The agent itself has answered, not a recording. */
  #hasAnswered = false

  constructor(agent: AgentTools) {
    this.#agent = agent
  }

  /** Called for each attempt: a call to the agent that failed may be made again. */
  beginTurn(stubs: StubLayers = [], around: Pick<Scope, 'context' | 'log'>): ToolTurn {
    for (const name of stubs.flatMap((layer) => Object.keys(layer))) this.#stubbed.add(name)
    const { stubAll } = this.#agent
    const hasStubs = stubAll || listStubs(stubs).length > 0
    const context: Context = { ...around.context }
    const begin = (): TurnAttempt => {
      const player = this.#player.fork()
      if (hasStubs) context.standIn = createStandIn(stubs, player, stubAll)
      context.wrapped = { calls: [] }
      const log = (text: string) => around.log(text)
      return {
        player,
        log,
        wrapped: context.wrapped,
        used: [],
        clientTools: new Set(),
        unexecuted: new Set(),
        providerCalls: new Set(),
      }
    }
    let attempt = begin()
    return {
      context,
      onEvent: (event) => note(event, attempt, context.standIn),
      restart: () => {
        attempt = begin()
      },
      complete: (answer) => this.#complete(answer, attempt, context.standIn),
      findCause: (error) => findCause(error, attempt),
    }
  }

  #complete(answer: Reply, attempt: TurnAttempt, standIn: StandIn | undefined): Reply {
    const { wrapped, used, offered, printed } = attempt
    if (wrapped.failure !== undefined) throw wrapped.failure
    const unanswered = isEmpty(answer) ? providerError(printed) : undefined
    if (unanswered !== undefined) throw unanswered
    const reply = addReportedUsage(answer, used)
    // A tool that the agent does not wait for may still change its call.
    const seen = wrapped.calls.map((call) => ({ ...call }))
    const toolCalls = this.#listCalls(reply.toolCalls, seen, attempt, standIn)
    this.#player = attempt.player
    for (const name of offered ?? []) this.#offered.add(name)
    this.#hasAnswered = true
    return { ...reply, toolCalls }
  }

  #listCalls(
    reported: Reply['toolCalls'],
    seen: ToolCall[],
    attempt: TurnAttempt,
    standIn: StandIn | undefined,
  ): Reply['toolCalls'] {
    if (attempt.borrowed !== undefined) {
      attempt.log(`${describeBorrowed(attempt.borrowed)}, so that the tool calls of this turn are unknown`)
      return 'hidden'
    }
    if (reported !== 'hidden') return this.#join(reported, seen, attempt, standIn)
    return attempt.offered === undefined ? 'hidden' : seen
  }

  #join(
    reported: readonly ToolCall[],
    seen: readonly ToolCall[],
    { clientTools, unexecuted, providerCalls, offered = [], log }: TurnAttempt,
    standIn: StandIn | undefined,
  ): Reply['toolCalls'] {
    const isOpen = ({ name, result, error }: ToolCall) =>
      clientTools.has(name) && result === undefined && error === undefined
    const executed = reported.filter((call, place) => !unexecuted.has(place) && !isOpen(call))
    const known = [...offered, ...clientTools]
    const matches = matchCalls(executed, seen, known)
    const unseen = executed.filter((call) => !matches.has(call))
    const own = unseen.find((call) => standIn?.replaces(call.name) && !mayNotHaveRun(call, seen))
    const isProviderCall = (call: ToolCall) => providerCalls.has(reported.indexOf(call))
    if (own !== undefined && !standIn?.sparesOwnCalls)
      throw isProviderCall(own) ? providerCallError(own.name) : this.#createOwnCallError(own.name, offered)
    const renamed = unseen.filter((call) => !isOffered(call.name, known) && !isProviderCall(call))
    const matched = new Set(matches.values())
    const unreported = seen.filter((call) => !matched.has(call))
    if (renamed.length === 0 || unreported.length === 0) return mergeCalls(reported, seen, matches)
    // Neither list is known to be whole.
    log(describeDifference(renamed, unreported))
    return 'hidden'
  }

  #createOwnCallError(name: string, offered: readonly string[]): InfrastructureError {
    const { agentId, hint } = this.#agent
    const remedy = isOffered(name, offered)
      ? 'It must call the wrapped tool, which ctx.tools returns and which an AI SDK agent is called with'
      : `To make its tools visible, ${hint}`
    const message = `${agentId} called ${name} itself, so that it could not be stubbed`
    return new InfrastructureError('stub', `${message}. ${remedy}`)
  }

  /** At the end of a conversation: a stub of a tool that was never there has replaced nothing. */
  checkStubs(): void {
    if (!this.#hasAnswered) return
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

/** Where the agent calls a tool through viva, a failed call that viva has not seen may have had invalid arguments. */
function mayNotHaveRun(call: ToolCall, seen: readonly ToolCall[]): boolean {
  const names = seen.map(({ name }) => name)
  return hasOnlyFailed(call) && isOffered(call.name, names)
}

function describeDifference(renamed: readonly ToolCall[], unreported: readonly ToolCall[]): string {
  const list = (calls: readonly ToolCall[]) => [...new Set(calls.map(({ name }) => name))].join(', ')
  const difference = `the agent reports calls of ${list(renamed)}, and viva has seen calls of ${list(unreported)}`
  return `${difference}: these may be the same calls under other names, so that the calls of this turn are unknown`
}

/** Adds what an event says to the attempt. */
function note(event: unknown, attempt: TurnAttempt, standIn: StandIn | undefined): void {
  if (isUsedTokens(event)) attempt.used.push(event.usage)
  if (isUnseenCalls(event)) {
    for (const place of event.unexecuted) attempt.unexecuted.add(place)
    for (const place of event.provider) attempt.providerCalls.add(place)
  }
  if (isPrintedError(event)) attempt.printed = new ScriptThrew(event.failure)
  if (isBorrowedTool(event)) {
    attempt.borrowed ??= event.tool
    // The agent may have been answered by stubs of another case, or by a tool that is stubbed in this one.
    if (event.misled || standIn !== undefined)
      attempt.wrapped.failure ??= new InfrastructureError('stub', describeBorrowed(event.tool))
  }
  if (!isOfferedTools(event)) return
  attempt.offered = [...(attempt.offered ?? []), ...event.names]
  for (const name of event.client) attempt.clientTools.add(name)
}

function describeBorrowed(tool: string): string {
  const remedy = 'call ctx.tools in every call of the agent, and build there what keeps its tools'
  return `code of one call of the agent used ${tool} as ctx.tools had returned it to another call (${remedy})`
}

/** The error of a stub, of a recording or of a stream, if there was one: the agent may have thrown one of its own. */
function findCause(error: unknown, { wrapped, printed }: TurnAttempt): unknown {
  if (wrapped.failure !== undefined) return wrapped.failure
  const { cause } = error instanceof InfrastructureError ? error : {}
  if (printed === undefined || !(cause instanceof ScriptThrew && lacksStream(cause))) return error
  return providerError(printed) ?? new AgentError(printed.message, { cause: printed })
}

/** Nothing of the model has reached the user. */
function isEmpty({ content, output }: Reply): boolean {
  return content.trim() === '' && (output === undefined || output === '')
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
