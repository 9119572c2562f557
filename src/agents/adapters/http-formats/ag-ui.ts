import { randomUUID } from 'node:crypto'
import { AgentError } from '../../../errors.ts'
import { isRecord } from '../../../json/json.ts'
import { applyPatch } from '../../../json/patch.ts'
import { asData, asList, asText } from '../../../models/json.ts'
import { buildMessageReply, noResultText } from '../../../models/message-reply.ts'
import { contentText } from '../../../models/openai-completion.ts'
import { readReportedUsage } from '../../../models/reported-usage.ts'
import type { Data, ToolCall } from '../../../results/transcript/message.ts'
import type { Reply } from '../../../results/transcript/reply.ts'
import type { Turn } from '../../../results/transcript/turn.ts'
import { fromAGUIMessages, toAGUIMessages } from './ag-ui-messages.ts'
import { addRunEvent, createRunDraft, findOpenRunCall, type RunDraft } from './ag-ui-run.ts'
import {
  asEventObject,
  calledToolNames,
  createReportedFailure,
  endMarker,
  type FormatTurn,
  type HttpFormat,
} from './format.ts'
import { copyOpenCalls, listLateResults } from './late-results.ts'

/** The Agent-User Interaction protocol: a run of the agent as a stream of events. */
export const agUI: HttpFormat = {
  disclosure: {
    usage:
      'let the agent send them with RUN_FINISHED: "usage": [{"model": …, "inputTokens": …, "outputTokens": …}]',
  },

  createBody: (turn) => ({
    threadId: turn.context.sessionId,
    runId: randomUUID(),
    state: lastRun(turn.view.turns)?.state ?? {},
    messages: listAGUIMessages(turn),
    tools: [],
    context: [],
    forwardedProps: {},
    ...resumption(turn),
  }),

  createReader(sent) {
    const sentIds = new Set(asList(sent.body.messages).map((message) => String(asData(message)?.id)))
    const draft = createRunDraft(sent.body.state)
    return {
      add({ data }) {
        if (data === endMarker) return false
        const event = asEventObject(sent, data)
        if (event.type === 'RUN_ERROR') throw createReportedFailure(sent, event)
        return addRunEvent(draft, event, sentIds)
      },
      isEnded: () => draft.finished !== undefined,
      isComplete: () => draft.finished !== undefined && findOpenRunCall(draft) === undefined,
      openTool: () => findOpenRunCall(draft),
      text: () => draft.messages.map(({ content }) => contentText(content)).join(''),
      calledTools: () => calledToolNames(fromAGUIMessages(draft.messages, copyOpenCalls(sent.turns))),
      buildReply: () => buildRunReply(draft, copyOpenCalls(sent.turns)),
    }
  },
}

/** What a run leaves for the next one. */
interface FinishedRun {
  messages: Data[]
  state: unknown
  interrupts: Data[]
}

function lastRun(turns: readonly Turn[]): FinishedRun | undefined {
  return turns.map(({ reply }) => readRun(reply)).findLast((run) => run !== undefined)
}

function readRun(reply: Reply | undefined): FinishedRun | undefined {
  const { raw } = reply ?? {}
  if (!isRecord(raw) || !Array.isArray(raw.messages)) return undefined
  return {
    messages: raw.messages.filter(isRecord),
    state: raw.state,
    interrupts: asList(raw.interrupts).filter(isRecord),
  }
}

/** The messages of earlier runs keep their ids, by which agents recognise them. */
function listAGUIMessages({ view: { history, turns }, input, context }: FormatTurn): Data[] {
  let count = 0
  const createId = () => `${context.sessionId}-${++count}`
  const messages = toAGUIMessages(history, createId)
  for (const { input, reply } of turns) {
    messages.push(...toAGUIMessages([input.message], createId))
    const run = readRun(reply)
    if (run === undefined) messages.push(...toAGUIMessages(reply?.messages ?? [], createId))
    else messages.push(...run.messages, ...(run.interrupts.length > 0 ? [] : listNoResults(run.messages)))
  }
  return [...messages, ...toAGUIMessages([input.message], createId)]
}

/** Models need a result for every call. A call of an interrupted run gets its own when the run goes on. */
function listNoResults(messages: readonly Data[]): Data[] {
  const answered = new Set(messages.map(({ toolCallId }) => toolCallId))
  const calls = messages.flatMap(({ toolCalls }) => asList(toolCalls).filter(isRecord))
  return calls
    .filter(({ id }) => !answered.has(id))
    .map(({ id }) => ({ id: `${String(id)}-result`, role: 'tool', toolCallId: id, content: noResultText }))
}

/** The user's message answers everything that the last run has asked for. */
function resumption({ view: { turns }, input }: FormatTurn): Data {
  const interrupts = readRun(turns.at(-1)?.reply)?.interrupts ?? []
  if (interrupts.length === 0) return {}
  return {
    resume: interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: input.value })),
  }
}

function buildRunReply(
  { messages, state: last, deltas, finished = {} }: RunDraft,
  earlier: ReadonlyMap<string, ToolCall>,
): Reply {
  const state = applyPatch(last, deltas)
  const outcome = asData(finished.outcome)
  if (outcome?.type === 'cancelled') throw new AgentError('the agent cancelled its run')
  const interrupts = asList(outcome?.interrupts).filter(isRecord)
  const question = interrupts.map(({ message, reason }) => asText(message) ?? asText(reason)).find(Boolean)
  return buildMessageReply({
    messages: fromAGUIMessages(messages, earlier),
    lateResults: listLateResults(earlier),
    output: finished.result ?? undefined,
    fallbackText: question,
    finishReason: undefined,
    usage: readReportedUsage(finished.usage),
    raw: { messages, state, interrupts },
    awaitingInput: interrupts.length > 0,
    inputHint: question,
  })
}
