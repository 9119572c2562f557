import { isRecord } from '../../../json/json.ts'
import { asData, asList, asText, hasError } from '../../../models/json.ts'
import { buildMessageReply, noResultText, withToolResults } from '../../../models/message-reply.ts'
import { createResponseDraft } from '../../../models/openai-responses-draft.ts'
import { toResponsesInput } from '../../../models/openai-responses-input.ts'
import { findResponseError, isOpenCall, parseResponse } from '../../../models/openai-responses-reply.ts'
import { readReportedUsage } from '../../../models/reported-usage.ts'
import type { Data, Message } from '../../../results/transcript/message.ts'
import type { View } from '../../../results/transcript/turn.ts'
import {
  asEventObject,
  createReportedFailure,
  endMarker,
  type FormatRequest,
  findCutCall,
  type HttpFormat,
} from './format.ts'

/** `/responses` of OpenAI: items in, items out. */
export const openAIResponses: HttpFormat = {
  disclosure: {
    usage: 'let the server answer with `usage`',
  },

  createBody: ({ input, view }) => ({ stream: true, input: listItems(view, input.message) }),

  createReader(sent) {
    const draft = createResponseDraft()
    let whole: Data | undefined
    return {
      add({ data }) {
        if (data === endMarker) return true
        const event = asEventObject(sent, data)
        if (event.type === 'error') throw createReportedFailure(sent, event)
        draft.add(event)
        return String(event.type).startsWith('response.')
      },
      addWhole(response) {
        whole = response
      },
      isEnded: () => draft.isEnded(),
      isComplete: () => draft.isEnded(),
      text: () => draft.text(),
      openTool: () => findCutCall(asList(draft.whole().output).filter(isRecord)),
      calledTools: () => listCalled(whole ?? draft.whole()),
      buildReply() {
        const response = whole ?? draft.whole()
        rejectFailed(sent, response)
        const { usage, ...parsed } = parseResponse(sent, response)
        const parts = readReportedUsage(usage, response.model)
        return buildMessageReply({ ...parsed, usage: parts, output: undefined, raw: response })
      },
    }
  },
}

/** The name of a function, or the type of a hosted tool. */
function listCalled({ output }: Data): string[] {
  const calls = asList(output)
    .filter(isRecord)
    .filter(({ type }) => /_call(?:_output)?$/.test(String(type)))
  return calls.map(({ type, name }) => asText(name) ?? String(type))
}

function rejectFailed(sent: FormatRequest, response: Data): void {
  const error = findResponseError(response) ?? response.error
  if (hasError(error)) throw createReportedFailure(sent, error)
}

/** The items of earlier answers are sent back as they came: a model may need its reasoning again. */
function listItems({ history, turns }: View, message: Message): Data[] {
  const items = history.length === 0 ? [] : toResponsesInput(withToolResults(history))
  for (const { input, reply } of turns) {
    const output = asList(asData(reply?.raw)?.output).filter(isRecord)
    items.push(...toResponsesInput([input.message]))
    items.push(...(output.length > 0 ? output : toResponsesInput(withToolResults(reply?.messages ?? []))))
  }
  items.push(...toResponsesInput([message]))
  return items.flatMap((item) => (isOpenCall(item, items) ? [item, noResult(item)] : [item]))
}

function noResult({ type, call_id }: Data): Data {
  return { type: `${String(type)}_output`, call_id, output: noResultText }
}
