import { AgentError } from '../../../errors.ts'
import { isRecord } from '../../../json/json.ts'
import { asText } from '../../../models/json.ts'
import { buildMessageReply } from '../../../models/message-reply.ts'
import { createBadAnswerError, createBadResponseError } from '../../../models/read-answer.ts'
import { readReportedUsage } from '../../../models/reported-usage.ts'
import type { Data, Message, ToolCall } from '../../../results/transcript/message.ts'
import type { ModelUsage, Reply } from '../../../results/transcript/reply.ts'
import {
  fromLateParts,
  fromUIMessage,
  toolNameOf,
  toUIMessages,
  type UIMessage,
  withoutOpenCalls,
} from './ai-sdk-ui-message.ts'
import {
  addUIChunk,
  createUIMessageDraft,
  draftText,
  findOpenInput,
  type UIMessageDraft,
} from './ai-sdk-ui-stream.ts'
import {
  asEventObject,
  calledToolNames,
  createReportedFailure,
  endMarker,
  type FormatRequest,
  type FormatTurn,
  type HttpFormat,
} from './format.ts'
import { copyOpenCalls, listLateResults } from './late-results.ts'

/** The UI message stream of the AI SDK, as the default transport of `useChat` requests and reads it. */
export const aiSdkUI: HttpFormat = {
  disclosure: {
    usage:
      'send them: toUIMessageStreamResponse({ messageMetadata: ({ part }) => part.type === "finish" ? { model: "NAME", usage: part.totalUsage } : undefined })',
  },

  createBody: (turn) => ({
    id: turn.context.sessionId,
    messages: listUIMessages(turn),
    trigger: 'submit-message',
  }),

  createReader(sent) {
    const draft = createUIMessageDraft()
    let isDone = false
    let hasUnknown = false
    return {
      add({ data }) {
        isDone = data === endMarker
        if (isDone) return true
        const chunk = asEventObject(sent, data)
        if (chunk.type === 'error') throw createReportedFailure(sent, { message: chunk.errorText })
        if (chunk.type === 'abort') throw new AgentError(`the agent aborted its answer${reasonOf(chunk)}`)
        rejectForeignDelta(sent, draft, chunk)
        const isKnown = addUIChunk(draft, chunk)
        hasUnknown ||= !isKnown
        if (draft.fault !== undefined) throw createBadResponseError(sent, draft.fault, JSON.stringify(chunk))
        return isKnown
      },
      isEnded: () => isDone,
      isComplete: () => (isDone || draft.isFinished) && findOpenInput(draft) === undefined,
      isFinished: () => draft.isFinished && findOpenInput(draft) === undefined,
      text: () => draftText(draft),
      openTool: () => findOpenInput(draft),
      calledTools: () => calledToolNames(listAdded(draft, copyOpenCalls(sent.turns))),
      buildReply() {
        // Other protocols have a `start` and a `finish`, too.
        if (hasUnknown && draft.message.parts.length === 0 && !hasMore(draft))
          throw createBadAnswerError(sent, 'has no part of a UI message', draft.message)
        return buildUIReply(draft, copyOpenCalls(sent.turns))
      },
    }
  },
}

/** `fullStream` of the AI SDK has parts of the same name, but with `text`. Some servers leave out an empty `delta`. */
function rejectForeignDelta(sent: FormatRequest, draft: UIMessageDraft, chunk: Data): void {
  const { type, id, delta, ...more } = chunk
  if ((type !== 'text-delta' && type !== 'reasoning-delta') || typeof delta === 'string' || delta === null)
    return
  const isElsewhere = delta !== undefined || Object.values(more).some((value) => typeof value === 'string')
  if (!isElsewhere || hasMore(draft) || draft.message.parts.some(isOfThisFormat)) return
  throw createBadResponseError(sent, `has a \`${type}\` without \`delta\``, JSON.stringify(chunk))
}

/** The calls of `fullStream` have another field for their id. */
function isOfThisFormat(part: Data): boolean {
  if (toolNameOf(part) !== undefined) return asText(part.toolCallId) !== undefined
  return part.type !== 'step-start' && part.text !== ''
}

/** Whether something of this format came besides the parts of the message. */
function hasMore({ message, late }: UIMessageDraft): boolean {
  return message.metadata !== undefined || late.size > 0
}

function reasonOf({ reason }: Data): string {
  return asText(reason) === undefined ? '' : `: ${String(reason)}`
}

function listUIMessages({ view: { history, turns }, input, context }: FormatTurn): UIMessage[] {
  let count = 0
  const createId = () => `${context.sessionId}-${++count}`
  const messages = toUIMessages(history, createId)
  for (const turn of turns) {
    messages.push(...toUIMessages([turn.input.message], createId))
    const { raw, messages: said = [], toolCalls } = turn.reply ?? {}
    const given = readUIMessage(raw)
    const calls = Array.isArray(toolCalls) ? toolCalls : []
    if (given === undefined) messages.push(...toUIMessages(said, createId))
    else messages.push(withoutOpenCalls({ ...given, id: given.id || createId() }, calls))
  }
  return [...messages, ...toUIMessages([input.message], createId)]
}

/** The agent's own message, which goes back as it came. */
function readUIMessage(raw: unknown): UIMessage | undefined {
  return isRecord(raw) && Array.isArray(raw.parts) && raw.role === 'assistant'
    ? (raw as unknown as UIMessage)
    : undefined
}

/** What an answer adds to the conversation. */
function listAdded({ message, late }: UIMessageDraft, earlier: ReadonlyMap<string, ToolCall>): Message[] {
  return [...fromLateParts(late, earlier), ...fromUIMessage(message)]
}

function buildUIReply(draft: UIMessageDraft, earlier: ReadonlyMap<string, ToolCall>): Reply {
  const { message, finishReason } = draft
  const { parts, metadata } = message
  const data = parts.filter(({ type }) => String(type).startsWith('data-')).map((part) => part.data)
  const hasText = parts.some(({ type, text }) => type === 'text' && text !== '')
  return buildMessageReply({
    messages: listAdded(draft, earlier),
    lateResults: listLateResults(earlier),
    output: hasText || data.length === 0 ? undefined : data.length === 1 ? data[0] : data,
    finishReason,
    usage: readUsage(metadata),
    raw: message,
    awaitingInput: parts.some(({ state }) => state === 'approval-requested'),
  })
}

/** The protocol has no usage; by convention, agents send it as metadata, and the model likewise. */
function readUsage({ usage, totalUsage = usage, modelId, model = modelId }: Data = {}): ModelUsage[] {
  return readReportedUsage(totalUsage, model)
}
