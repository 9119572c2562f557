import { defined } from '../json/defined.ts'
import type { Data, ToolCall } from '../results/transcript/message.ts'
import { parseArguments } from '../results/transcript/parse-arguments.ts'
import { parseAmount, type Reply, type TokenUsage } from '../results/transcript/reply.ts'
import { asData, asList, asText } from './json.ts'
import {
  addChunk,
  argumentsText,
  buildCompletion,
  contentText,
  createCompletionDraft,
  firstChoice,
} from './openai-completion.ts'
import {
  type AnsweredRequest,
  type AnswerFormat,
  buildReply,
  createBadAnswerError,
  createBadResponseError,
} from './read-answer.ts'

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
      whole: () => buildCompletion(draft),
    }
  },
  parseReply: parseCompletion,
}

function parseCompletion(sentRequest: AnsweredRequest, completion: Data): Reply {
  const choice = firstChoice(completion)
  if (choice === undefined)
    throw createBadAnswerError(sentRequest, 'has no choices with a message', completion)
  const message = asData(choice.message)
  if (message === undefined)
    throw createBadResponseError(sentRequest, 'has a choice without a message', JSON.stringify(choice))
  return buildReply({
    content: contentText(message.content) || (asText(message.refusal) ?? ''),
    toolCalls: asList(message.tool_calls).map((call, index) => parseToolCall(sentRequest, call, index)),
    finishReason: asText(choice.finish_reason),
    usage: parseUsage(asData(completion.usage)),
    raw: completion,
  })
}

function parseToolCall(sentRequest: AnsweredRequest, call: unknown, index: number): ToolCall {
  const { id, function: given } = asData(call) ?? {}
  const name = asText(asData(given)?.name)
  if (name === undefined)
    throw createBadResponseError(sentRequest, 'has a tool call without a name', JSON.stringify(call))
  return {
    id: asText(id) ?? `${sentRequest.callPrefix}_${index}`,
    name,
    arguments: parseArguments(argumentsText(asData(given)?.arguments ?? asData(given)?.args)),
  }
}

function parseUsage(usage: Data | undefined): TokenUsage {
  return defined({
    inputTokens: parseAmount(usage?.prompt_tokens),
    outputTokens: parseAmount(usage?.completion_tokens),
    cachedTokens: parseAmount(asData(usage?.prompt_tokens_details)?.cached_tokens),
  })
}
