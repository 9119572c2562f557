import type { InfrastructureError } from '../errors.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Play } from './play.ts'

/** Who is asking, and from where: what an agent is told about the user of a conversation. */
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
  /** Of the case, whole. */
  metadata: Data
  /** `authorized` of a `--ctx` file, with the user and team that won. */
  authorized: Data
  /** Set by scripts, seen by scripts, simulators and final checks. */
  variables: Data
  /** `ctx.memory` of scripts by namespace, and under `stores` what is in a `Store`. */
  memory: Record<string, Data>
  /** The play of a case that this belongs to; absent outside of cases. */
  play?: Play
  /** Answers in place of tools, whoever calls them in this play of the case. */
  standIn?: StandIn
  /** Texts for `{{name}}` in the prompts of an agent that works for the test. */
  placeholders?: Readonly<Record<string, string>>
  /** What scripts send with `ctx.Send` is put here, where somebody asks for it. */
  sent?: SentMessage[]
  /** The first thing that scripts of this play asked for which nobody has or stands in for, though they caught the error. */
  missing?: InfrastructureError[]
  /** The agents that handed this turn on to one another, the first one first. */
  delegatedBy?: readonly string[]
}

/** For an agent that another one asks: nothing of the turn under way is its business but what stands in for tools. */
export function contextOfAsked(context: Context, own: Partial<Context>): Context {
  const { sent: _sent, delegatedBy: _delegatedBy, placeholders: _placeholders, ...shared } = context
  // What it notes for its own hooks is its own; the rest of the memory is shared.
  return { ...shared, ...own, memory: { ...context.memory, context: {} } }
}

/** For an agent that works for the test: it remembers nothing of the one that is tested, nor that one of it. */
export function contextOfHelper(
  context: Context,
  own: Pick<Context, 'sessionId' | 'referer' | 'placeholders'>,
): Context {
  const { standIn: _standIn, ...shared } = contextOfAsked(context, own)
  return { ...shared, memory: emptyMemory(), missing: [] }
}

/** Stubs, as those who call tools see them. */
export interface StandIn {
  replaces(tool: string): boolean
  /** Of a tool that it replaces. */
  answer(tool: string, args: unknown, signal: AbortSignal): Promise<unknown>
  replacesProcess(name: string): boolean
  /** Of a process that it replaces. */
  answerProcess(name: string, args: readonly unknown[], signal: AbortSignal): Promise<unknown>
  /** Refuses what reaches out of the app and nobody stands in for. */
  refuse(what: string): void
}

/** What a script says to the user, as far as it has come: it may be sent in pieces. */
export interface SentMessage {
  id: string
  text: string
}

/** The namespaces of `ctx.memory`. */
export const memoryNamespaces = ['user', 'team', 'chat', 'context'] as const

/** As every play of a case begins: nothing leaks. `ends` is when entries of the namespaces are over. */
export function emptyMemory(): Record<string, Data> {
  return Object.fromEntries([...memoryNamespaces, 'ends', 'stores'].map((name) => [name, {}]))
}
