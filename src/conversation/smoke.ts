import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { Conversation } from './conversation.ts'
import { endDecidesResult, type Plan } from './plan.ts'

/** Whether anything was checked; otherwise the conversation is only a smoke test. */
export function wasChecked({ view, finals, checkpoints }: Conversation, plan: Plan): boolean {
  if (endDecidesResult(plan)) return true
  return (
    view.turns.some(({ checks }) => checks.some(hasJudged)) ||
    finals.some(hasJudged) ||
    checkpoints.some(({ status }) => status !== 'waiting')
  )
}

function hasJudged({ gates, unchecked }: CheckResult): boolean {
  return gates && unchecked !== true
}

/** The first turn with an empty reply. `hidden`: the agent may have called tools instead. */
export function findEmptyTurn({ view }: Conversation): { turn: Turn; hidden: boolean } | undefined {
  for (const turn of view.turns) {
    if (turn.reply === undefined || hasContent(turn.reply)) continue
    return { turn, hidden: turn.reply.toolCalls === 'hidden' }
  }
  return undefined
}

/** `0`, `false`, `[]`, `{}` and a tool call are not empty. */
function hasContent({ output, content, toolCalls }: Reply): boolean {
  const isText = typeof output === 'string' || output === null || output === undefined
  if (!isText || `${output ?? ''}${content}`.trim() !== '') return true
  return toolCalls !== 'hidden' && toolCalls.length > 0
}
