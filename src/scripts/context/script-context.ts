import { memoryNamespaces } from '../../scope/context.ts'
import { type Data, textOf } from '../../transcript/message.ts'
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
  ChatID: string
  AssistantID: string
  Metadata: Data
  metadata: Data
  authorized: Data
  client: Data
  chat_id: string
  assistant_id: string
}

/** With what the script has changed in either spelling. */
function onWire(fields: Fields, data: ContextData): ContextOnWire {
  const { authorized, client, referer, accept } = fields
  const either = <Value>(original: Value, ...spellings: Value[]): Value =>
    spellings.find((value) => value !== original) ?? original
  const userId = either(data.userId, textOf(authorized?.user_id), textOf(fields.User?.ID))
  const teamId = either(data.teamId, textOf(authorized?.team_id), textOf(fields.Team?.ID))
  return {
    [contextMark]: true,
    sessionId: either(data.sessionId, fields.chat_id, fields.ChatID),
    assistantId: either(data.assistantId, fields.assistant_id, fields.AssistantID),
    userId,
    teamId,
    locale: either(data.locale, fields.locale, fields.Locale),
    referer,
    accept,
    client,
    authorized: { ...authorized, user_id: userId, team_id: teamId },
    metadata: either(data.metadata, fields.metadata, fields.Metadata),
  }
}
