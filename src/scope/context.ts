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
  /** `authorized` of a `--ctx` file, with the user and team that won. */
  authorized: Data
  /** Set by scripts, seen by scripts, simulators and final checks. */
  variables: Data
}
