import type { CaseResult } from '../results/result.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'

type RecordedAnswer = { error: string } | { result: unknown }

/** What a stubbed tool answered, call by call. */
interface RecordedStub {
  sequence: RecordedAnswer[]
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

function answer({ result = null, error }: ToolCall): RecordedAnswer {
  return error === undefined ? { result } : { error }
}

/** The same by turn: a turn that is left out takes its answers with it. */
export function recordedStubsByTurn({ view: { turns } }: CaseResult): {
  /** For all turns: what the tool answered last. */
  stubs: Record<string, RecordedAnswer>
  /** By the number of the turn, where a tool did not always answer the same. */
  turns: ReadonlyMap<number, Record<string, RecordedStub>>
} {
  const stubs: Record<string, RecordedAnswer> = {}
  const all = turns.flatMap(({ reply }) => stubbedCalls(reply))
  for (const call of all) stubs[call.name] = answer(call)
  const isLast = (call: ToolCall) => JSON.stringify(answer(call)) === JSON.stringify(stubs[call.name])
  const varying = new Set(all.filter((call) => !isLast(call)).map(({ name }) => name))
  const byTurn = new Map<number, Record<string, RecordedStub>>()
  for (const { number, reply } of turns) {
    const own: Record<string, RecordedStub> = {}
    for (const call of stubbedCalls(reply).filter(({ name }) => varying.has(name))) {
      own[call.name] ??= { sequence: [] }
      own[call.name]?.sequence.push(answer(call))
    }
    if (Object.keys(own).length > 0) byTurn.set(number, own)
  }
  return { stubs, turns: byTurn }
}
