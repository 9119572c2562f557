import { describeTurn } from '../checks/shown-conversation.ts'
import { asJson } from '../json/as-json.ts'
import type { Data } from '../results/transcript/message.ts'
import type { ConversationTurn } from './conversation-context.ts'

/** A conversation as judges are shown it, with the whole inputs and outputs. */
export function shownTurns(turns: readonly ConversationTurn[]): Data[] {
  return turns.flatMap((turn) => {
    const said = asJson(turn.input)
    if (turn.error !== undefined) return describeTurn({ said, error: turn.error })
    return describeTurn({
      said,
      answer: asJson(turn.output),
      toolCalls: turn.toolCallsKnown ? turn.toolCalls : 'hidden',
    })
  })
}
