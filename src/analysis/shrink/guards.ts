import { isRecord } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import { isToolName } from '../../text/tool-name.ts'
import type { Draft } from './draft.ts'
import type { Candidate } from './tester.ts'

/** In place of a stub that a candidate lacks, so that the tool is not called for real to find out whether it is needed. */
const guard = { error: 'viva shrink: the stub of this tool was left out' }

/** The case as it is played: every tool that must not be real is stubbed. */
export function guardTools(written: Data, draft: Draft): Data {
  const stubs = isRecord(written.stubs) ? written.stubs : {}
  const guards = listUnstubbed(draft.neverReal, stubs)
  if (guards.length === 0) return written
  return { ...written, stubs: { ...stubs, ...Object.fromEntries(guards.map((name) => [name, guard])) } }
}

/** The tools whose guard was called, as they are named in `neverReal`. */
export function listGuardCalls({ draft, replayed }: Candidate, turns: readonly Turn[]): string[] {
  const guards = listUnstubbed(draft.neverReal, draft.stubs)
  const sent = draft.turns.slice(replayed.turns)
  const called = turns.flatMap(({ reply }, index) => {
    if (reply === undefined || reply.toolCalls === 'hidden') return []
    const own = Object.keys(sent[index]?.stubs ?? {})
    return reply.toolCalls
      .filter(({ name, stubbed }) => stubbed === true && !own.some((each) => isToolName(name, each)))
      .flatMap(({ name }) => guards.find((each) => isToolName(name, each)) ?? [])
  })
  return [...new Set(called)]
}

function listUnstubbed(names: readonly string[], stubs: Draft['stubs']): string[] {
  const stubbed = Object.keys(stubs)
  return names.filter((name) => !stubbed.some((each) => isSameTool(each, name)))
}

/** A tool may be named with and without its server. */
export function isSameTool(one: string, other: string): boolean {
  return isToolName(one, other) || isToolName(other, one)
}
