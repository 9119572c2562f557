import { isRecord } from '../../../json/json.ts'
import { asData, asList, asText } from '../../../models/json.ts'
import type { Data } from '../../../results/transcript/message.ts'

/** An AG-UI run that is being assembled from its events. */
export interface RunDraft {
  /** The messages of this run, in their order. */
  messages: Data[]
  /** Those that text and calls can be added to, by id. */
  byId: Map<string, Data>
  calls: Map<string, Data>
  /** The calls whose arguments are still being written. */
  openCalls: Set<string>
  /** The message and the call that the next chunk may continue without naming them. */
  chunked: { message?: string; call?: string }
  /** The last whole state, and what has changed since. */
  state: unknown
  deltas: unknown[]
  /** `RUN_FINISHED` */
  finished: Data | undefined
}

export function createRunDraft(state: unknown): RunDraft {
  return {
    messages: [],
    byId: new Map(),
    calls: new Map(),
    openCalls: new Set(),
    chunked: {},
    state,
    deltas: [],
    finished: undefined,
  }
}

/** The tool of a call whose arguments are still being written. */
export function findOpenRunCall({ openCalls: [id], calls }: RunDraft): string | undefined {
  return id === undefined ? undefined : (asText(asData(calls.get(id)?.function)?.name) ?? 'unknown')
}

/** Returns false for an event that AG-UI does not have. */
export function addRunEvent(draft: RunDraft, event: Data, sentIds: ReadonlySet<string>): boolean {
  const type = asText(event.type) ?? ''
  if (type === 'MESSAGES_SNAPSHOT') addSnapshot(draft, asList(event.messages), sentIds)
  else if (Object.hasOwn(runEvents, type)) runEvents[type]?.(draft, event)
  return /^[A-Z]+(?:_[A-Z]+)+$|^RAW$|^CUSTOM$/.test(type)
}

const runEvents: Record<string, (draft: RunDraft, event: Data) => void> = {
  TEXT_MESSAGE_START: (draft, { messageId, role }) =>
    void findMessage(draft, String(messageId), asText(role)),
  TEXT_MESSAGE_CONTENT: (draft, { messageId, delta }) => addText(draft, String(messageId), delta),
  TEXT_MESSAGE_CHUNK(draft, { messageId, role, delta }) {
    const id = asText(messageId) ?? draft.chunked.message ?? 'message'
    draft.chunked.message = id
    findMessage(draft, id, asText(role))
    addText(draft, id, delta)
  },
  TOOL_CALL_START(draft, event) {
    beginCall(draft, event)
    draft.openCalls.add(String(event.toolCallId))
  },
  TOOL_CALL_ARGS: (draft, { toolCallId, delta }) => addArguments(draft, String(toolCallId), delta),
  TOOL_CALL_END: (draft, { toolCallId }) => void draft.openCalls.delete(String(toolCallId)),
  TOOL_CALL_CHUNK(draft, event) {
    const id = asText(event.toolCallId) ?? draft.chunked.call ?? 'call'
    draft.chunked.call = id
    if (!draft.calls.has(id)) beginCall(draft, { ...event, toolCallId: id })
    addArguments(draft, id, event.delta)
  },
  TOOL_CALL_RESULT: (draft, { messageId, toolCallId, content }) =>
    void draft.messages.push({ id: messageId, role: 'tool', toolCallId, content }),
  STATE_SNAPSHOT(draft, { snapshot }) {
    draft.state = snapshot
    draft.deltas = []
  },
  STATE_DELTA(draft, { delta }) {
    for (const operation of asList(delta)) draft.deltas.push(operation)
  },
  RUN_FINISHED(draft, event) {
    draft.finished = event
  },
}

function findMessage(draft: RunDraft, id: string, role = 'assistant'): Data {
  const found = draft.byId.get(id)
  if (found !== undefined) return found
  const message = { id, role, content: '' }
  draft.messages.push(message)
  draft.byId.set(id, message)
  return message
}

function addText(draft: RunDraft, id: string, delta: unknown): void {
  const message = findMessage(draft, id)
  message.content = `${asText(message.content) ?? ''}${asText(delta) ?? ''}`
}

/** A call belongs to the message that it names. Text that is said after a call is another message. */
function beginCall(draft: RunDraft, { toolCallId, toolCallName, parentMessageId }: Data): void {
  const message = findMessage(draft, asText(parentMessageId) ?? String(toolCallId))
  const call = { id: toolCallId, type: 'function', function: { name: toolCallName, arguments: '' } }
  if (Array.isArray(message.toolCalls)) message.toolCalls.push(call)
  else message.toolCalls = [call]
  draft.calls.set(String(toolCallId), call)
}

function addArguments(draft: RunDraft, id: string, delta: unknown): void {
  const called = asData(draft.calls.get(id)?.function)
  if (called !== undefined) called.arguments = `${asText(called.arguments) ?? ''}${asText(delta) ?? ''}`
}

/**
 * A snapshot holds the whole conversation: what follows the last message that was sent belongs to this run, and
 * replaces what was streamed. One that was made before the agent said anything has nothing of it.
 */
function addSnapshot(draft: RunDraft, given: readonly unknown[], sentIds: ReadonlySet<string>): void {
  const all = given.filter(isRecord)
  const isOld = ({ id, role }: Data) => sentIds.has(String(id)) || role === 'user'
  const fresh = all.slice(all.findLastIndex(isOld) + 1)
  if (fresh.length === 0) return
  draft.messages = fresh.map((message) => ({ ...message }))
  const spoken = draft.messages.filter(({ role }) => role !== 'tool')
  const calls = spoken.flatMap(({ toolCalls }) => asList(toolCalls).filter(isRecord))
  draft.byId = new Map(spoken.map((message) => [String(message.id), message]))
  draft.calls = new Map(calls.map((call) => [String(call.id), call]))
}
