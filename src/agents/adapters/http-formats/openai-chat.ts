import { asData, asList, asText, hasError } from '../../../models/json.ts'
import { withToolResults } from '../../../models/message-reply.ts'
import { firstChoice } from '../../../models/openai-completion.ts'
import { toOpenAIMessage } from '../../../models/openai-messages.ts'
import { openAIFormat } from '../../../models/openai-reply.ts'
import { readReportedUsage, sumUsage } from '../../../models/reported-usage.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { listMessages } from '../../../results/transcript/turn.ts'
import { seedSetting } from '../../seed.ts'
import { openAIDisclosure, reportedCalls } from '../openai.ts'
import {
  asEventObject,
  createReportedFailure,
  endMarker,
  type FormatRequest,
  findCutCall,
  type HttpFormat,
} from './format.ts'

/** `/chat/completions` of OpenAI: the agent behind it gets the whole conversation. */
export const openAIChat: HttpFormat = {
  disclosure: openAIDisclosure,

  createBody: ({ input, view, options, own }) => ({
    stream: true,
    // Servers refuse it without a stream.
    ...(own.stream === false ? {} : { stream_options: { include_usage: true } }),
    ...seedSetting(options),
    messages: withToolResults([...listMessages(view), input.message]).map(toOpenAIMessage),
  }),

  createReader(sent) {
    const draft = openAIFormat.createDraft()
    let whole: Data | undefined
    let finishReason: unknown
    let isDone = false
    return {
      add({ event, data }) {
        isDone = data === endMarker
        if (isDone) return true
        const chunk = asEventObject(sent, data)
        if (event === 'error') throw createReportedFailure(sent, chunk)
        rejectError(sent, chunk)
        draft.add(chunk)
        const choice = firstChoice(chunk)
        // After a further step of an agent, the reason is that of this step.
        finishReason = choice?.finish_reason ?? (goesOn(choice) ? undefined : finishReason)
        return 'choices' in chunk
      },
      addWhole(completion) {
        rejectError(sent, completion)
        whole = completion
      },
      isEnded: () => isDone,
      isFinished: () => endReasons.has(finishReason),
      // Whatever a model has written is complete if the server says why it stopped.
      isComplete: () => draft.isComplete() || (isDone && findCutCall(listCalls(draft.whole())) === undefined),
      text: () => draft.text(),
      openTool: () => findCutCall(listCalls(draft.whole())),
      calledTools: () => listCalls(whole ?? draft.whole()).map(({ name }) => asText(name) ?? 'unknown'),
      buildReply() {
        const completion = whole ?? draft.whole()
        const reply = reportedCalls(openAIFormat.parseReply(sent, completion))
        return { ...reply, ...sumUsage(readReportedUsage(reply.usage, completion.model)) }
      },
    }
  },
}

/** After calls, agents that run them themselves may go on. */
const endReasons = new Set<unknown>(['stop', 'length', 'content_filter'])

function goesOn(choice: Data | undefined): boolean {
  const { role, ...delta } = asData(choice?.delta) ?? {}
  return Object.values(delta).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
}

/** The functions that an answer calls, each with its arguments. */
function listCalls(completion: Data): Data[] {
  const message = asData(firstChoice(completion)?.message)
  return asList(message?.tool_calls).map((call) => asData(asData(call)?.function) ?? {})
}

function rejectError(sent: FormatRequest, { error }: Data): void {
  if (hasError(error)) throw createReportedFailure(sent, error)
}
