import type { Reply } from '../transcript/reply.ts'
import type { Awaiting } from '../transcript/turn.ts'

/** Tools by which an agent asks its user. */
const askingTools = new Set(['request_confirmation', 'ask_user', 'get_user_input'])

/** On the last sentence, where a request stands. */
const questions = [
  /[?？؟]["'”’)\]]*$/u,
  /^(?:what|how|when|where|which|who|please|could you)\b.*/i,
  /(?:confirm|verify|proceed|continue)\?/i,
]

/** Whether the agent waits for an answer: what it declares, then its tools, then how it ended, then its words. */
export function detectAwaiting(reply: Reply): Awaiting {
  if (reply.awaitingInput === true) return { awaiting: true, reason: 'agent_declared' }
  if (reply.awaitingInput === false) return { awaiting: false, reason: 'agent_declared' }

  const calls = reply.toolCalls === 'hidden' ? [] : reply.toolCalls
  const asking = calls.find((call) => askingTools.has(call.name))
  if (asking) return { awaiting: true, reason: 'tool_requires_confirmation', match: asking.name }

  if (reply.finishReason === 'length' || reply.finishReason === 'tool_calls') {
    return { awaiting: false, reason: 'finish_reason', match: reply.finishReason }
  }
  const sentence = lastSentence(reply.content)
  return questions.some((pattern) => pattern.test(sentence))
    ? { awaiting: true, reason: 'content_is_question', match: sentence }
    : { awaiting: false, reason: 'completed' }
}

function lastSentence(text: string): string {
  return (
    text
      .trim()
      .split(/(?<=[.!?。！？؟])\s+|\n+/u)
      .at(-1) ?? ''
  )
}
