import type { InfrastructureError } from '../errors.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import { listUserCalls, type Turn } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { isToolName } from '../text/tool-name.ts'
import type { CheckVerdict } from './definition.ts'
import { disclosureHint } from './disclosure-hint.ts'
import type { CallingSide } from './tool-fields.ts'

/** Names the side in a sentence about tool calls; nothing for the agent. */
export function bySide(by: CallingSide | undefined): string {
  return by === 'user' ? ' by the user' : ''
}

const userDisclosure = 'let a module play the user that returns { message, tool_calls } (simulator.use)'

/** The verdict where calls are hidden: what is unknown because of it, and what makes the calls visible. */
export function hiddenVerdict(
  unknown: string,
  { context: { disclosure } }: Scope,
  by: CallingSide = 'agent',
): CheckVerdict {
  const side = by === 'user' ? 'the simulated user' : 'the agent'
  const how = by === 'user' ? userDisclosure : disclosure?.tools
  const hint = disclosureHint(how)
  return { status: 'unknown', reason: `${side} hides its tool calls, so ${unknown}${hint}` }
}

/** The visible tool calls of one side in these turns, oldest first, and whether some may be hidden. */
export function listToolCalls(
  turns: readonly Turn[],
  by: CallingSide = 'agent',
): { calls: ToolCall[]; hidden: boolean } {
  if (by === 'user')
    return {
      calls: turns.flatMap(listUserCalls),
      hidden: turns.some(({ simulated }) => simulated?.toolCalls === 'hidden'),
    }
  // An agent that failed may have called tools before.
  const perTurn = turns.map((turn) => turn.reply?.toolCalls ?? 'hidden')
  return {
    calls: perTurn.flatMap((calls) => (calls === 'hidden' ? [] : calls)),
    hidden: perTurn.includes('hidden'),
  }
}

/** A call of the agent that was refused (`--stub-all`). No reply shows it if a script caught the error. */
export function findRefusedCall(
  { context: { missing = [] } }: Scope,
  by: CallingSide = 'agent',
): InfrastructureError | undefined {
  if (by === 'user') return undefined
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
