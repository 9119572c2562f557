import { defined } from '../json/defined.ts'
import type { Data, ToolCall } from '../results/transcript/message.ts'
import { parseArguments } from '../results/transcript/parse-arguments.ts'
import { amountOf, type Reply, type TokenUsage } from '../results/transcript/reply.ts'
import { dataOf, listOf, stringOf } from './json.ts'
import {
  addChunk,
  argumentsText,
  completionOf,
  contentText,
  createCompletionDraft,
  firstChoice,
} from './openai-completion.ts'
import { type AnsweredRequest, type AnswerFormat, badResponse, replyWith } from './read-answer.ts'

/** The format of chat completions, complete or in chunks. */
export const openAIFormat: AnswerFormat = {
  createDraft() {
    const draft = createCompletionDraft()
    return {
      add: (chunk) => addChunk(draft, chunk),
      // A stream ends with `[DONE]`, which is not a chunk.
      isEnded: () => false,
      isComplete: () => draft.finishReason !== undefined,
      text: () => draft.content,
      whole: () => completionOf(draft),
    }
  },
  parseReply: replyOf,
}

function replyOf(sentRequest: AnsweredRequest, completion: Data): Reply {
  const choice = firstChoice(completion)
  if (choice === undefined) throw badResponse(sentRequest, 'has no choices', JSON.stringify(completion))
  const message = dataOf(choice.message)
  if (message === undefined)
    throw badResponse(sentRequest, 'has a choice without a message', JSON.stringify(choice))
  return replyWith({
    content: contentText(message.content) || (stringOf(message.refusal) ?? ''),
    toolCalls: listOf(message.tool_calls).map((call, index) => toolCallOf(sentRequest, call, index)),
    finishReason: stringOf(choice.finish_reason),
    usage: usageOf(dataOf(completion.usage)),
    raw: completion,
  })
}

function toolCallOf(sentRequest: AnsweredRequest, call: unknown, index: number): ToolCall {
  const { id, function: given } = dataOf(call) ?? {}
  const name = stringOf(dataOf(given)?.name)
  if (name === undefined)
    throw badResponse(sentRequest, 'has a tool call without a name', JSON.stringify(call))
  return {
    id: stringOf(id) ?? `${sentRequest.callPrefix}_${index}`,
    name,
    arguments: parseArguments(argumentsText(dataOf(given)?.arguments ?? dataOf(given)?.args)),
  }
}

function usageOf(usage: Data | undefined): TokenUsage {
  return defined({
    inputTokens: amountOf(usage?.prompt_tokens),
    outputTokens: amountOf(usage?.completion_tokens),
    cachedTokens: amountOf(dataOf(usage?.prompt_tokens_details)?.cached_tokens),
  })
}
