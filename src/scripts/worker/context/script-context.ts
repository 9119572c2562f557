import { defined } from '../../../json/defined.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { memoryNamespaces } from '../../../scope/context.ts'
import type { BridgeEnd } from '../../protocol/asking.ts'
import {
  type ContextData,
  type ContextOnWire,
  contextMark,
  isContextOnWire,
} from '../../protocol/context-data.ts'
import { currentCall } from '../running-call.ts'
import { createAgentCalls, createModelCalls, createToolCalls } from './calling.ts'
import { createMemory, entriesIn } from './memory.ts'
import { createMessaging, createTrace, type Send } from './messaging.ts'
import { createSearch } from './search.ts'
import { createMissingServices } from './services.ts'

/** The arguments of a function: a `ctx` that was passed on becomes one again. */
export function withContexts(
  args: unknown[],
  bridge: BridgeEnd,
  print: (line: string) => void,
  send?: Send,
): unknown[] {
  return args.map((arg) => (isContextOnWire(arg) ? createContext(arg, bridge, print, send) : arg))
}

/** Creates the `ctx` of a script, in both spellings: `ctx.User.ID` is `ctx.authorized.user_id`. */
export function createContext(
  data: ContextData,
  bridge: BridgeEnd,
  print: (line: string) => void,
  send?: Send,
): object {
  const { userId, teamId, locale, client, metadata, sessionId, assistantId, authorized } = data
  const shared = currentCall()?.state?.data ?? {}
  const original = { ...client }
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
    ...defined({ options: data.options }),
    variables: shared.variables ?? {},
  }
  const memory = Object.fromEntries(
    memoryNamespaces.map((name) => [name, createMemory(entriesIn(shared[name] ?? {}, shared.ends, name))]),
  )
  const methods = {
    memory,
    trace: createTrace(print),
    agent: createAgentCalls(bridge),
    llm: createModelCalls(bridge),
    mcp: createToolCalls(bridge),
    search: createSearch(bridge),
    // Its contents are released with the call.
    Release: () => {},
    ...createMessaging(print, send, data.sent),
    ...(data.inTest && createMissingServices(bridge)),
    toJSON: () => onWire(fields, { ...data, client: original }),
  }
  const context: Record<string, unknown> = fields
  // Methods are not enumerable: a script that prints or compares its `ctx` sees only data.
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(context, name, { value, writable: true, configurable: true, enumerable: false })
  return context
}

type Fields = Pick<ContextData, 'locale' | 'referer' | 'accept' | 'metadata' | 'authorized' | 'client'> & {
  User: { ID: string } | null
  Team: { ID: string } | null
  Locale: string
  Client: { Type?: unknown; IP?: unknown; UserAgent?: unknown } | null
  Metadata: Data
  ChatID: string
  AssistantID: string
  chat_id: string
  assistant_id: string
}

/** Includes what the script has changed in either spelling. */
function onWire(fields: Fields, data: ContextData): ContextOnWire {
  const { metadata, authorized, referer, accept } = fields
  const userId = textOf(data.userId, authorized?.user_id, fields.User?.ID ?? '')
  const teamId = textOf(data.teamId, authorized?.team_id, fields.Team?.ID ?? '')
  return {
    [contextMark]: true,
    sessionId: textOf(data.sessionId, fields.chat_id, fields.ChatID),
    assistantId: textOf(data.assistantId, fields.assistant_id, fields.AssistantID),
    userId,
    teamId,
    locale: textOf(data.locale, fields.locale, fields.Locale),
    referer,
    accept,
    client: clientOf(fields, data.client),
    authorized: { ...authorized, user_id: userId, team_id: teamId },
    metadata: { ...either(data.metadata, metadata, fields.Metadata) },
    ...defined({ options: data.options }),
    sent: data.sent,
    ...defined({ inTest: data.inTest }),
  }
}

function clientOf({ client, Client }: Fields, original: Data): Data {
  return {
    ...client,
    ...defined({
      type: either(original.type, client?.type, Client?.Type),
      ip: either(original.ip, client?.ip, Client?.IP),
      user_agent: either(original.user_agent, client?.user_agent, Client?.UserAgent),
    }),
  }
}

function textOf(original: string, ...spellings: unknown[]): string {
  return String(either<unknown>(original, ...spellings) ?? '')
}

/** The spelling that was changed, if one was. */
function either<T>(original: T, ...spellings: T[]): T | undefined {
  const given = spellings.filter((value) => value !== undefined && value !== null)
  return given.find((value) => value !== original) ?? given[0]
}
