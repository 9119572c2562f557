import type { ToolCall } from '../../../results/transcript/message.ts'
import type { Turn } from '../../../results/transcript/turn.ts'

/** Copies of the calls of earlier replies that have no result yet, by id. */
export function copyOpenCalls(turns: readonly Turn[]): Map<string, ToolCall> {
  const calls = turns.flatMap(({ reply }) => (Array.isArray(reply?.toolCalls) ? reply.toolCalls : []))
  return new Map(calls.filter((call) => !hasResult(call)).map((call) => [call.id, { ...call }]))
}

/** The copies that an answer has added a result to. */
export function listLateResults(copies: ReadonlyMap<string, ToolCall>): ToolCall[] {
  return [...copies.values()].filter(hasResult)
}

function hasResult({ result, error }: ToolCall): boolean {
  return result !== undefined || error !== undefined
}
