import { memoryNamespaces } from '../../scope/context.ts'
import type { Data } from '../../transcript/message.ts'
import { currentCall } from '../running-call.ts'
import { type Asking, createAgentCalls, createModelCalls, createToolCalls } from './calling.ts'
import { type ContextData, type ContextOnWire, contextMark } from './context-data.ts'
import { createMemory } from './memory.ts'
import { createMessaging, createTrace } from './messaging.ts'

/** The `ctx` of a script, in both spellings: `ctx.User.ID` is `ctx.authorized.user_id`. */
export function createContext(data: ContextData, bridge: Asking, print: (line: string) => void): object {
  const { userId, teamId, locale, client, metadata, sessionId, assistantId, authorized } = data
  const shared = currentCall()?.state?.data ?? {}
  const fields = {
    User: { ID: userId },
    Team: { ID: teamId },
    Locale: locale,
    Client: {
      Type: client.type,
      IP: client.ip,
      ...(client.user_agent === undefined ? {} : { UserAgent: client.user_agent }),
    },
    Metadata: metadata,
    ChatID: sessionId,
    AssistantID: assistantId,
    chat_id: sessionId,
    assistant_id: assistantId,
    locale,
    theme: '',
    route: '',
    referer: data.referer,
    accept: data.accept,
    client,
    metadata,
    authorized,
    variables: shared.variables ?? {},
  }
  const memory = Object.fromEntries(memoryNamespaces.map((name) => [name, createMemory(shared[name] ?? {})]))
  const methods = {
    memory,
    trace: createTrace(print),
    agent: createAgentCalls(bridge),
    llm: createModelCalls(bridge),
    mcp: createToolCalls(bridge),
    ...createMessaging(print),
    toJSON: () => onWire(fields, data),
  }
  const context: Record<string, unknown> = fields
  // What it can do is not data: a script that prints or compares its `ctx` sees who it works for.
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(context, name, { value, writable: true, configurable: true, enumerable: false })
  return context
}

type Fields = Pick<ContextData, 'locale' | 'referer' | 'accept'> & {
  User: { ID: string } | null
  Team: { ID: string } | null
  Locale: string
  metadata: Data
  authorized: Data
  client: Data
  chat_id: string
  assistant_id: string
}

/** With what the script has changed in either spelling. */
function onWire(fields: Fields, data: ContextData): ContextOnWire {
  const { metadata, authorized, client, referer, accept } = fields
  const either = (original: string, ...spellings: unknown[]) =>
    String(spellings.find((value) => value !== original) ?? (spellings.includes(original) ? original : ''))
  return {
    [contextMark]: true,
    sessionId: fields.chat_id,
    assistantId: fields.assistant_id,
    userId: either(data.userId, authorized?.user_id, fields.User?.ID ?? ''),
    teamId: either(data.teamId, authorized?.team_id, fields.Team?.ID ?? ''),
    locale: either(data.locale, fields.locale, fields.Locale),
    referer,
    accept,
    client,
    authorized,
    metadata,
  }
}
