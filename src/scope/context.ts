import type { Data } from '../transcript/message.ts'

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
}

/** The namespaces of `ctx.memory`. */
export const memoryNamespaces = ['user', 'team', 'chat', 'context'] as const

/** As every play of a case begins: nothing leaks. */
export function emptyMemory(): Record<string, Data> {
  return Object.fromEntries([...memoryNamespaces, 'stores'].map((name) => [name, {}]))
}
