import { isRecord } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Context } from '../../scope/context.ts'

/** The data that a script's `ctx` is made of. */
export interface ContextData {
  sessionId: string
  assistantId: string
  userId: string
  teamId: string
  locale: string
  referer: string
  accept: string
  client: Data
  authorized: Data
  metadata: Data
  /** The options of this call, if it has any. */
  options?: Data
  /** How many messages have been sent to the user in this turn. */
  sent: number
  /** Set in a script test, and in what it calls with its `ctx`. */
  inTest?: boolean
}

/** A `ctx` that a script passes to a process, in transit. */
export type WireContext = ContextData & { [contextMark]: true }

export const contextMark = '$viva_ctx'

export function isWireContext(value: unknown): value is WireContext {
  if (!isRecord(value) || value[contextMark] !== true || typeof value.sessionId !== 'string') return false
  return isRecord(value.client) && isRecord(value.authorized) && isRecord(value.metadata)
}

/** Builds the `ctx` of a script with the options of the call; their metadata overrides that of the context. */
export function toWireContext(context: Context, options?: Data): WireContext {
  const { sessionId, agentId, userId, teamId, locale, referer, accept, client, authorized, sent } = context
  return {
    [contextMark]: true,
    sessionId,
    assistantId: agentId,
    userId,
    teamId,
    locale,
    referer,
    accept,
    client,
    authorized,
    metadata: { ...context.metadata, ...(options?.metadata as Data | undefined) },
    ...(options && { options }),
    sent: sent?.length ?? 0,
  }
}
