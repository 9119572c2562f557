import type { InfrastructureError } from '../errors.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { isToolName } from '../text/tool-name.ts'

/** The tool calls that can be seen in these turns, oldest first, and whether there may be more. */
export function toolCallsOf(turns: readonly Turn[]): { calls: ToolCall[]; hidden: boolean } {
  const perTurn = turns.map((turn) => turn.reply?.toolCalls ?? [])
  return {
    calls: perTurn.flatMap((calls) => (calls === 'hidden' ? [] : calls)),
    hidden: perTurn.includes('hidden'),
  }
}

/** The call of a tool that was refused (`--stub-all`), though a script caught the error: no reply shows it. */
export function refusedCall({ context: { missing = [] } }: Scope): InfrastructureError | undefined {
  return missing.find(({ tool }) => tool !== undefined)
}

/** Whether it is a call of one of these: then nobody can say what would have come of it. */
export function isCallOf({ tool }: InfrastructureError, names: readonly string[]): boolean {
  return tool !== undefined && names.some((name) => isToolName(tool, name))
}

/** `called: a, b`, those that were refused too. */
export function madeCalls(calls: readonly ToolCall[], refused: InfrastructureError | undefined): string[] {
  return [...calls.map(({ name }) => name), ...(refused?.tool === undefined ? [] : [refused.tool])]
}
