import { defined } from '../json/defined.ts'
import { type Data, type Message, messageText, type ToolCall } from '../results/transcript/message.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Subject } from './definition.ts'

/** What judges and validators are shown: the reply that is judged, and the conversation that led to it. */
export function shownToJudge({ output, turns, view, scope }: Subject): Data {
  const last = turns.at(-1)
  return {
    test_id: scope.key.id,
    output,
    input: last?.input.value ?? null,
    conversation: describeConversation(view, last?.number ?? view.turns.length),
  }
}

/** A conversation as judges see it: the messages and tool calls. */
export function describeConversation({ history, turns }: View, upTo: number): Data[] {
  return [
    ...history.flatMap(describeMessage),
    ...turns
      .filter(({ number }) => number <= upTo)
      .flatMap(({ input, reply, error }) =>
        describeTurn({
          said: messageText(input.message.content),
          ...(reply === undefined
            ? { error: error ?? 'it gave no answer' }
            : { answer: reply.content, toolCalls: reply.toolCalls }),
        }),
      ),
  ]
}

function describeMessage({ role, content, toolCalls = [] }: Message): Data[] {
  if (role === 'system') return []
  const shown = role === 'tool' ? {} : shownCalls(toolCalls)
  return [{ role, content: messageText(content), ...shown }]
}

export interface ShownTurn {
  said: unknown
  answer?: unknown
  toolCalls?: readonly ToolCall[] | 'hidden'
  /** Why there is no answer. */
  error?: string
}

export function describeTurn({ said, answer, toolCalls = 'hidden', error }: ShownTurn): Data[] {
  return [
    { role: 'user', content: said },
    error === undefined
      ? { role: 'assistant', content: answer, ...shownCalls(toolCalls) }
      : { role: 'assistant', error },
  ]
}

/** Of an agent that hides them nothing can be said. */
function shownCalls(calls: readonly ToolCall[] | 'hidden'): Data {
  if (calls === 'hidden') return { tool_calls: 'not shown' }
  return calls.length === 0 ? {} : { tool_calls: calls.map(describeCall) }
}

function describeCall({ name, arguments: args, result, error }: ToolCall): Data {
  return { name, arguments: args, ...defined({ result, error }) }
}
