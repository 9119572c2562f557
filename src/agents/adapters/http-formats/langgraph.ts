import { defined } from '../../../json/defined.ts'
import { sameData } from '../../../json/equal/find-difference.ts'
import { isRecord } from '../../../json/json.ts'
import { asData, asList, asText, hasError } from '../../../models/json.ts'
import { addToolResult, buildMessageReply, withToolResults } from '../../../models/message-reply.ts'
import { contentText } from '../../../models/openai-completion.ts'
import { toOpenAIContent } from '../../../models/openai-content.ts'
import { createBadAnswerError } from '../../../models/read-answer.ts'
import { readReportedUsage } from '../../../models/reported-usage.ts'
import { type Data, type Message, messageText, type ToolCall } from '../../../results/transcript/message.ts'
import { parseArguments } from '../../../results/transcript/parse-arguments.ts'
import type { ModelUsage, Reply } from '../../../results/transcript/reply.ts'
import { listMessages } from '../../../results/transcript/turn.ts'
import {
  calledToolNames,
  createReportedFailure,
  type FormatRequest,
  type FormatTurn,
  type HttpFormat,
} from './format.ts'
import {
  addGraphEvent,
  createGraphDraft,
  findOpenGraphCall,
  type GraphDraft,
  readGraph,
  setValues,
} from './langgraph-state.ts'
import { copyOpenCalls, listLateResults } from './late-results.ts'

/** A run of a LangGraph server: stateless (`/runs/…`), or in a thread that the server keeps (`/threads/…/runs/…`). */
export const langGraph: HttpFormat = {
  disclosure: {
    usage: 'let the messages of the model keep their `usage_metadata`',
  },

  keepsHistory: isThread,

  createBody: (turn) => ({
    stream_mode: ['values'],
    ...(isThread(turn.address) ? { if_not_exists: 'create' } : {}),
    ...createInput(turn),
  }),

  createReader(sent) {
    const draft = createGraphDraft()
    let isEnded = false
    return {
      add({ event, data }) {
        if (event === 'error') throw createReportedFailure(sent, data)
        isEnded = event === 'end'
        return addGraphEvent(draft, event, data)
      },
      addWhole(state) {
        if (hasError(state.__error__)) throw createReportedFailure(sent, state.__error__)
        setValues(draft, state)
      },
      isEnded: () => isEnded,
      // Most servers send no end marker.
      isComplete: (mayBeCut) =>
        findOpenGraphCall(draft) === undefined && (isEnded || (!mayBeCut && !isOnlyBegun(draft, sent))),
      text: () => listAdded(draft, sent).map(spokenText).filter(Boolean).join('\n\n'),
      openTool: () => findOpenGraphCall(draft),
      calledTools: () => calledToolNames(listAdded(draft, sent)),
      buildReply: () => buildGraphReply(sent, draft),
    }
  },
}

/** What an answer has added to the conversation so far. */
function listAdded(draft: GraphDraft, sent: FormatRequest): Message[] {
  const fresh = listFresh(readGraph(draft).messages ?? [], sent)
  return fromGraphMessages(fresh, copyOpenCalls(sent.turns))
}

function spokenText({ role, content }: Message): string {
  return role === 'assistant' ? messageText(content) : ''
}

/** The first event has the state with the user's message, before any node has run. */
function isOnlyBegun(draft: GraphDraft, sent: FormatRequest): boolean {
  const { values, messages, interrupts } = readGraph(draft)
  if (interrupts.length > 0 || draft.events > 1 || hasNewOutput(values, sent)) return false
  return messages === undefined ? draft.events === 0 : listFresh(messages, sent).length === 0
}

/** A thread begins with the output of its last run. */
function hasNewOutput({ structured_response: output }: Data, { url, turns }: FormatRequest): boolean {
  if (output === undefined || output === null) return false
  return !isThread(url.pathname) || !turns.some(({ reply }) => sameData(readOutput(reply), output))
}

function readOutput(reply: Reply | undefined): unknown {
  return asData(reply?.raw)?.structured_response
}

function isThread(address: string): boolean {
  return /\/threads\/[^/]+\/runs\b/.test(address)
}

/** In a thread, the user's message answers the interrupt that the graph has stopped at, if there is one. */
function createInput({ view, input, address, context }: FormatTurn): Data {
  const isInterrupted = asList(asData(view.turns.at(-1)?.reply?.raw)?.__interrupt__).length > 0
  if (isThread(address) && isInterrupted) return { command: { resume: input.value } }
  const messages = isThread(address) ? [input.message] : [...listMessages(view), input.message]
  const before = isThread(address) ? view.turns.length : 0
  const createId = (index: number) => `${context.sessionId}-${before + index + 1}`
  return {
    input: {
      messages: withToolResults(messages).map((message, index) => toGraphMessage(message, createId(index))),
    },
  }
}

const types = { user: 'human', assistant: 'ai', system: 'system', tool: 'tool' }

function toGraphMessage({ role, content, name, toolCalls = [], toolCallId }: Message, id: string): Data {
  const calls = toolCalls.map((call) => ({
    id: call.id,
    name: call.name,
    args: callArguments(call),
    type: 'tool_call',
  }))
  return {
    id,
    type: types[role],
    content: toOpenAIContent(content),
    ...defined({ name, tool_call_id: toolCallId }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function callArguments({ arguments: given }: ToolCall): Data {
  return isRecord(given) ? given : { arguments: given }
}

function buildGraphReply(sent: FormatRequest, draft: GraphDraft): Reply {
  const { values, messages, interrupts } = readGraph(draft)
  if (messages === undefined && interrupts.length === 0)
    throw createBadAnswerError(sent, 'has no list `messages` in the state of the graph', values)
  if (hasForeignMessages(values))
    throw createBadAnswerError(sent, 'has messages of another protocol in the state of the graph', values)
  const fresh = listFresh(messages ?? [], sent)
  const question = interrupts.map(({ value }) => describeInterrupt(value)).find((text) => text !== '')
  const earlier = copyOpenCalls(sent.turns)
  const reason = fresh.map(({ response_metadata: given }) => asData(given)?.finish_reason).findLast(asText)
  return buildMessageReply({
    messages: fromGraphMessages(fresh, earlier),
    lateResults: listLateResults(earlier),
    output: values.structured_response ?? undefined,
    fallbackText: question,
    finishReason: asText(reason),
    usage: fresh.flatMap(readUsage),
    raw: { ...values, messages: fresh, __interrupt__: interrupts },
    awaitingInput: interrupts.length > 0,
    inputHint: question,
  })
}

/** Servers of other protocols have a list `messages`, too. */
function hasForeignMessages({ messages }: Data): boolean {
  const all = asList(messages)
  const isKnown = (message: unknown) => {
    const { type, role } = asData(message) ?? {}
    return knownTypes.test(String(type ?? role))
  }
  return all.length > 0 && !all.some(isKnown)
}

const knownTypes = /^(?:human|user|ai|assistant|tool|system|developer|function|chat|remove)/i

/**
 * The state holds the whole conversation: what follows the last message that was sent is new. A message that answers an
 * interrupt is not in the state: what follows the last message of earlier replies is new then, or else of the user.
 */
function listFresh(messages: readonly Data[], { body, turns }: FormatRequest): Data[] {
  const findLast = (ids: ReadonlySet<unknown>) => messages.findLastIndex(({ id }) => ids.has(id))
  const isUser = ({ type, role }: Data) => type === 'human' || role === 'user'
  const ends = [
    findLast(listIds(asList(asData(body.input)?.messages))),
    findLast(listIds(turns.flatMap(({ reply }) => asList(asData(reply?.raw)?.messages)))),
    messages.findLastIndex(isUser),
  ]
  return messages.slice((ends.find((end) => end !== -1) ?? -1) + 1)
}

function listIds(messages: readonly unknown[]): Set<unknown> {
  return new Set(messages.flatMap((message) => asText(asData(message)?.id) ?? []))
}

function fromGraphMessages(given: readonly Data[], earlier: ReadonlyMap<string, ToolCall>): Message[] {
  const messages: Message[] = []
  const known = new Map(earlier)
  for (const { type, role, content: written, tool_call_id: callId, status, ...message } of given) {
    const kind = String(type ?? role)
    const content = contentText(written)
    if (/^tool/i.test(kind)) {
      const id = asText(callId) ?? ''
      const error = status === 'error' ? content : undefined
      addToolResult(messages, { id, call: known.get(id) }, { content, error })
    } else if (/^(?:ai|assistant)/i.test(kind)) {
      const calls = listCalls(message)
      for (const call of calls) known.set(call.id, call)
      messages.push({ role: 'assistant', content, ...(calls.length > 0 ? { toolCalls: calls } : {}) })
    }
  }
  return messages
}

/** Calls whose arguments are not JSON are listed apart. Those of a token stream are still in pieces. */
function listCalls({ tool_calls: calls, invalid_tool_calls: invalid, chunks }: Data): ToolCall[] {
  const pieces = asList(chunks)
  const all = pieces.length > 0 ? pieces : [...asList(calls), ...asList(invalid)]
  return all.filter(isRecord).map(({ id, name, args, error }, index) => ({
    id: asText(id) ?? `call_${index + 1}`,
    name: asText(name) ?? 'unknown',
    arguments: typeof args === 'string' ? parseArguments(args) : (args ?? {}),
    ...defined({ error: asText(error) }),
  }))
}

function describeInterrupt(value: unknown): string {
  const { question, message, description } = asData(value) ?? {}
  return asText(question) ?? asText(message) ?? asText(description) ?? messageText(value)
}

function readUsage({ usage_metadata: usage, response_metadata: given }: Data): ModelUsage[] {
  return readReportedUsage(usage, asData(given)?.model_name ?? asData(given)?.model)
}
