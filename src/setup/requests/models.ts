import { refuseStubbedCalls } from '../../agents/provider-calls.ts'
import { isRecord } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import { readMessages } from '../../results/transcript/written-messages.ts'
import { recordMissing } from '../../scope/record-missing.ts'
import type { Scope } from '../../scope/scope.ts'
import type { CallBack, ScriptRequest } from '../../scripts/protocol/ask.ts'
import { toolCallData } from './agents.ts'
import type { AskedFor } from './asked-for.ts'
import { askSeveral } from './several.ts'

type ModelsAsk = Extract<ScriptRequest, { kind: 'models' }>

/** `ctx.llm.Stream` and its sisters: the reply comes whole, in one chunk. */
export function askModels(
  { requests, until, onChunk }: ModelsAsk,
  { connectors }: Pick<AskedFor, 'connectors'>,
  scope: Scope,
  callBack: CallBack,
): Promise<unknown> {
  return askSeveral(requests, until, scope, {
    label: ({ connector }) => ({ connector }),
    async ask({ connector, messages, options }, index, own) {
      const { tools = [], ...settings } = isRecord(options) ? options : {}
      const request = { messages: readMessages(messages), tools: tools as Data[], settings }
      const reply = await connectors.model(connector).generate(request, own)
      // A script gets the error as data, and may ignore it.
      await recordMissing(own, async () => refuseStubbedCalls(reply, own))
      const { content, toolCalls, finishReason } = reply
      const chunk = { type: 'text', props: { content }, delta: false }
      if (onChunk !== undefined) await callBack(onChunk, [connector, index, chunk])
      const response = {
        content,
        tool_calls: toolCalls === 'hidden' ? [] : toolCalls.map(toolCallData),
        finish_reason: finishReason ?? null,
      }
      return { content, response }
    },
  })
}
