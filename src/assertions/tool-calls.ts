import type { ToolCall } from '../transcript/message.ts'
import type { Turn } from '../transcript/turn.ts'

/** The tool calls that can be seen in these turns, oldest first, and whether there may be more. */
export function toolCallsOf(turns: readonly Turn[]): { calls: ToolCall[]; hidden: boolean } {
  const perTurn = turns.map((turn) => turn.reply?.toolCalls ?? [])
  return {
    calls: perTurn.flatMap((calls) => (calls === 'hidden' ? [] : calls)),
    hidden: perTurn.includes('hidden'),
  }
}
