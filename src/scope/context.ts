import type { InfrastructureError } from '../errors.ts'
import type { Data, ToolCall } from '../results/transcript/message.ts'
import type { Play } from './play.ts'

/** How to make visible what an agent does not show, one line each. */
export interface Disclosure {
  tools?: string
  usage?: string
}

/** What an agent learns about the user of a conversation: who they are, and where the request comes from. */
export interface Context {
  sessionId: string
  userId: string
  teamId: string
  locale: string
  referer: string
  accept: string
  client: { type: string; ip: string; user_agent?: string }
  /** The agent under test, or the one that a script belongs to; empty where there is none. */
  agentId: string
  /** Of the agent under test. */
  disclosure?: Disclosure
  /** The metadata of the case, complete. */
  metadata: Data
  /** `authorized` of a `--ctx` file, with the user and team that take effect. */
  authorized: Data
  /** Set by scripts; visible to scripts, simulators and final checks. */
  variables: Data
  /**
   * `ctx.memory` of scripts by namespace; `stores` holds the contents of each `Store`. `unrecorded` is there for recorded
   * conversations: what scripts read and nobody knows.
   */
  memory: Record<string, Data>
  /** The conversation is a recorded one: neither what its tools hold nor what its scripts have set is known. */
  isRecorded?: true
  /** The play of a case that this belongs to; absent outside cases. */
  play?: Play
  /** The session of the conversation that a helper works for: tools keep what belongs to a case under it. */
  caseSessionId?: string
  /** Answers in place of tools, whoever calls them on this side of the conversation. */
  standIn?: StandIn
  /** Texts for `{{name}}` in the prompts of an agent that works for the test. */
  placeholders?: Readonly<Record<string, string>>
  /** Collects the calls of tools that viva has wrapped, during one turn of a module agent. */
  wrapped?: WrappedCalls
  /** The calls look at what was done in the conversation, and change nothing. */
  observes?: true
  /** Collects what scripts send with `ctx.Send`, where somebody asks for it. */
  sent?: SentMessage[]
  /** The first service that scripts of this play needed and that nobody provides, even if they caught the error. */
  missing?: InfrastructureError[]
  /** The agents that delegated this turn to one another, the first one first. */
  delegatedBy?: readonly string[]
}

/** The context of an agent that another agent calls: it shares the stubs, but nothing of the turn under way. */
export function createDelegateContext(context: Context, own: Partial<Context>): Context {
  const { sent: _sent, delegatedBy: _delegatedBy, placeholders: _placeholders, ...shared } = context
  // What the agent notes for its own hooks is private; the rest of the memory is shared.
  return { ...shared, ...own, memory: { ...context.memory, context: {} } }
}

/** The context of an agent that works for the test: it shares neither memory nor stubs with the agent under test. */
export function createHelperContext(
  { standIn: _standIn, ...context }: Context,
  own: Pick<Context, 'sessionId' | 'referer' | 'placeholders' | 'standIn'>,
): Context {
  const shared = createDelegateContext(context, own)
  const caseSessionId = context.caseSessionId ?? context.sessionId
  return { ...shared, caseSessionId, memory: emptyMemory(), missing: [] }
}

/** The context of a check that looks at what was done. */
export function createObserverContext(context: Context): Context {
  return { ...context, observes: true }
}

/** Stubs, as seen by whoever calls tools. */
export interface StandIn {
  replaces(tool: string): boolean
  /** Answers for a tool that it replaces. */
  answer(tool: string, args: unknown, signal: AbortSignal): Promise<unknown>
  replacesProcess(name: string): boolean
  /** Answers for a process that it replaces. */
  answerProcess(name: string, args: readonly unknown[], signal: AbortSignal): Promise<unknown>
  /** Tools that an agent calls by itself, where nobody can replace them, are no error. */
  sparesOwnCalls?: boolean
  /** Throws for a call that leaves the app and has no stub. */
  refuse(what: string): void
}

/** The calls of a module agent's tools, as viva has seen them. */
export interface WrappedCalls {
  calls: ToolCall[]
  /** The first error that says nothing about the agent, though it may have caught it. */
  failure?: InfrastructureError
}

/** A message that a script sends to the user, as far as it has arrived: it may be sent in pieces. */
export interface SentMessage {
  id: string
  text: string
}

/** The namespaces of `ctx.memory`. */
export const memoryNamespaces = ['user', 'team', 'chat', 'context'] as const

type Memory = Record<(typeof memoryNamespaces)[number] | 'ends' | 'stores', Data>

/** The memory at the start of every play, so that nothing leaks. `ends` holds when entries of the namespaces expire. */
export function emptyMemory(): Memory {
  return { user: {}, team: {}, chat: {}, context: {}, ends: {}, stores: {} }
}
