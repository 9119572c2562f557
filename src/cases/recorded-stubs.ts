import type { CaseResult } from '../results/result.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'

/** What a stubbed tool answered, call by call. */
interface RecordedStub {
  sequence: ({ error: string } | { result: unknown })[]
}

/**
 * Stubs for tools that were stubbed when the result was recorded: they must not be called for real now. They answer as
 * they did from `turn` on, or else as they did last.
 */
export function stubsOfResult({ view: { turns } }: CaseResult, turn: number): Record<string, RecordedStub> {
  const all = turns.flatMap(({ reply }) => stubbedCalls(reply))
  const later = turns.filter(({ number }) => number >= turn).flatMap(({ reply }) => stubbedCalls(reply))
  const stubs: Record<string, RecordedStub> = {}
  for (const { name } of all) {
    const isSame = (call: ToolCall) => call.name === name
    const calls = later.some(isSame) ? later.filter(isSame) : all.filter(isSame).slice(-1)
    stubs[name] = { sequence: calls.map(answer) }
  }
  return stubs
}

function stubbedCalls(reply: Reply | undefined): ToolCall[] {
  return reply === undefined || reply.toolCalls === 'hidden'
    ? []
    : reply.toolCalls.filter(({ stubbed }) => stubbed === true)
}

function answer({ result = null, error }: ToolCall): RecordedStub['sequence'][number] {
  return error === undefined ? { result } : { error }
}
