import { defined } from '../../../json/defined.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { memoryNamespaces } from '../../../scope/context.ts'
import type { BridgeEnd } from '../../protocol/asking.ts'
import {
  type ContextData,
  contextMark,
  isWireContext,
  type WireContext,
} from '../../protocol/context-data.ts'
import { defineMethods } from '../globals/with-methods.ts'
import { owningCall } from '../running-call.ts'
import { createAgentCalls, createModelCalls, createToolCalls } from './calling.ts'
import { createEntries, createMemory } from './memory.ts'
import { createMessaging, createTrace, type Send } from './messaging.ts'
import { createSearch } from './search.ts'
import { createMissingServices } from './services.ts'
import { watchEntries, watchVariables } from './unrecorded.ts'

/** The arguments of a function: a `ctx` that was passed on becomes one again. */
export function restoreContexts(
  args: unknown[],
  bridge: BridgeEnd,
  print: (line: string) => void,
  send?: Send,
): unknown[] {
  return args.map((arg) => (isWireContext(arg) ? createContext(arg, bridge, print, send) : arg))
}

/** Creates the `ctx` of a script, in both spellings: `ctx.User.ID` is `ctx.authorized.user_id`. */
export function createContext(
  data: ContextData,
  bridge: BridgeEnd,
  print: (line: string) => void,
  send?: Send,
): object {
  const shared = owningCall()?.state?.data ?? {}
  const original = { ...data.client }
  const { unrecorded } = shared
  const fields = createFields(data, watchVariables(shared.variables ?? {}, unrecorded))
  const memory = Object.fromEntries(
    memoryNamespaces.map((name) => {
      const entries = createEntries(shared[name] ?? {}, shared.ends, name)
      return [name, createMemory(watchEntries(entries, () => unrecorded, `ctx.memory.${name}`))]
    }),
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
    toJSON: () => serializeContext(fields, { ...data, client: original }),
  }
  defineMethods(fields, methods)
  return fields
}

function createFields(data: ContextData, variables: Data) {
  const { userId, teamId, locale, client, metadata, sessionId, assistantId, authorized } = data
  return {
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
    variables,
  }
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
function serializeContext(fields: Fields, data: ContextData): WireContext {
  const { metadata, authorized, referer, accept } = fields
  const userId = pickText(data.userId, authorized?.user_id, fields.User?.ID ?? '')
  const teamId = pickText(data.teamId, authorized?.team_id, fields.Team?.ID ?? '')
  return {
    [contextMark]: true,
    sessionId: pickText(data.sessionId, fields.chat_id, fields.ChatID),
    assistantId: pickText(data.assistantId, fields.assistant_id, fields.AssistantID),
    userId,
    teamId,
    locale: pickText(data.locale, fields.locale, fields.Locale),
    referer,
    accept,
    client: mergeClient(fields, data.client),
    authorized: { ...authorized, user_id: userId, team_id: teamId },
    metadata: { ...pickChanged(data.metadata, metadata, fields.Metadata) },
    ...defined({ options: data.options }),
    sent: data.sent,
    ...defined({ inTest: data.inTest }),
  }
}

function mergeClient({ client, Client }: Fields, original: Data): Data {
  return {
    ...client,
    ...defined({
      type: pickChanged(original.type, client?.type, Client?.Type),
      ip: pickChanged(original.ip, client?.ip, Client?.IP),
      user_agent: pickChanged(original.user_agent, client?.user_agent, Client?.UserAgent),
    }),
  }
}

function pickText(original: string, ...spellings: unknown[]): string {
  return String(pickChanged<unknown>(original, ...spellings) ?? '')
}

/** The spelling that was changed, if one was. */
function pickChanged<T>(original: T, ...spellings: T[]): T | undefined {
  const given = spellings.filter((value) => value !== undefined && value !== null)
  return given.find((value) => value !== original) ?? given[0]
}
