import { type Condition, evaluateConditions } from '../conversation/conditions.ts'
import { asJson } from '../json/as-json.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { type ConversationTurn, type HistoryEntry, isAnswered } from './conversation-context.ts'
import { answeredNames, holdInput, holdOutput, spokenIn } from './held-values.ts'

/** A conversation that is over, as conditions look at it. */
function rebuildView(history: readonly HistoryEntry[]): View {
  return { history: [], turns: history.map(rebuildTurn) }
}

function rebuildTurn({ turn, input, output, metadata, toolCalls, toolCallsKnown }: HistoryEntry): Turn {
  const json = asJson(output)
  const content = spokenIn(json, answeredNames)
  const reply = {
    output: json,
    content,
    messages: [{ role: 'assistant' as const, content }],
    toolCalls: toolCallsKnown ? [...toolCalls] : ('hidden' as const),
  }
  return {
    number: turn,
    source: turn === 1 ? 'initial' : 'static',
    input: holdInput(input),
    reply: holdOutput(reply, output, metadata),
    checks: [],
    awaiting: { awaiting: false, reason: 'completed' },
    durationMs: 0,
  }
}

/** The first turn after which a condition is met; why it never is, where it is not. Throws where nobody can tell. */
export async function reachedAt(
  condition: Condition,
  conversation: readonly ConversationTurn[],
): Promise<{ turn: number } | { reason: string }> {
  const scope = createPlainScope()
  let reason = 'the agent never answered'
  // As in a run, where a failure of the agent ends the conversation before any condition is looked at.
  const history = conversation.filter(isAnswered)
  for (const [index] of history.entries()) {
    const outcome = await evaluateConditions([condition], rebuildView(history.slice(0, index + 1)), scope)
    if (outcome.is === 'error') throw new Error(`it could not be judged: ${outcome.reason}`)
    if (outcome.is === 'met') return { turn: index + 1 }
    reason = outcome.reason
  }
  return { reason }
}
