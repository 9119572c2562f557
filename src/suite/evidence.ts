import type { ConversationTurn } from './conversation-context.ts'
import { asJson } from './json-value.ts'

/** A conversation for a model that judges it: plain JSON, to be put into a data block. */
export function conversationData(turns: readonly ConversationTurn[]): unknown[] {
  return turns.flatMap((turn) => [{ user: asJson(turn.input) }, answerData(turn)])
}

/** The tools first, as they were called; an empty list says that there were none, no list that nobody knows. */
function answerData(turn: ConversationTurn): unknown {
  if (turn.error !== undefined) return { assistant_error: turn.error }
  const tool_calls = turn.toolCalls?.map(({ name, arguments: args, result, error }) => ({
    name,
    arguments: args,
    result,
    error,
  }))
  return { tool_calls, assistant: asJson(turn.output) }
}

/** The line of the instructions that explains it. */
export const toolCallsNote =
  '`tool_calls` are the calls of tools that the assistant made before it said what follows them. Without that field, its tools are not known.'
