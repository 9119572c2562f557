import type { InfrastructureError } from '../errors.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { isToolName } from '../text/tool-name.ts'

/** The visible tool calls in these turns, oldest first, and whether some may be hidden. */
export function listToolCalls(turns: readonly Turn[]): { calls: ToolCall[]; hidden: boolean } {
  const perTurn = turns.map((turn) => turn.reply?.toolCalls ?? [])
  return {
    calls: perTurn.flatMap((calls) => (calls === 'hidden' ? [] : calls)),
    hidden: perTurn.includes('hidden'),
  }
}

/** A tool call that was refused (`--stub-all`). No reply shows it if a script caught the error. */
export function findRefusedCall({ context: { missing = [] } }: Scope): InfrastructureError | undefined {
  return missing.find(({ tool }) => tool !== undefined)
}

/** Whether the refused call was to one of these tools: then its result cannot be judged. */
export function isCallTo({ tool }: InfrastructureError, names: readonly string[]): boolean {
  return tool !== undefined && names.some((name) => isToolName(tool, name))
}

/** The names of the called tools, including a refused one. */
export function listCalledTools(
  calls: readonly ToolCall[],
  refused: InfrastructureError | undefined,
): string[] {
  return [...calls.map(({ name }) => name), ...(refused?.tool === undefined ? [] : [refused.tool])]
}
