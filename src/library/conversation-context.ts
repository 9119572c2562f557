import type { Scope } from '../scope/scope.ts'
import type { View } from '../transcript/turn.ts'
import { type AgentMetadata, inputOf, metadataOf, outputOf } from './held-values.ts'
import { withScope } from './scope-of.ts'

/** A turn that is over. */
export interface HistoryEntry<Input = unknown, Output = unknown> {
  readonly turn: number
  readonly input: Input
  readonly output: Output
  readonly metadata?: AgentMetadata
}

/** A conversation, as conditions, follow-up inputs and prompts see it. */
export interface ConversationContext<Input = unknown, Output = unknown> {
  /** For conditions the turn just finished, for inputs and prompts the one being produced; from 1. */
  readonly currentTurn: number
  readonly history: readonly HistoryEntry<Input, Output>[]
  readonly lastOutput?: Output
  /** Aborted when the time of the case is over, or the run is stopped. */
  readonly signal: AbortSignal
}

/** Frozen: nobody changes what was said. The inputs and outputs themselves are the ones that were sent and received. */
export function historyOf(view: View): readonly HistoryEntry[] {
  const entries = view.turns.flatMap(({ number, input, reply }) => {
    if (reply === undefined) return []
    const metadata = metadataOf(reply)
    const entry = { turn: number, input: inputOf(input), output: outputOf(reply) }
    return [Object.freeze(metadata === undefined ? entry : { ...entry, metadata })]
  })
  return Object.freeze(entries)
}

export function contextOf(view: View, currentTurn: number, scope: Scope): ConversationContext {
  const history = historyOf(view)
  const last = history.at(-1)
  const context = {
    currentTurn,
    history,
    ...(last === undefined ? {} : { lastOutput: last.output }),
    signal: scope.signal,
  }
  return withScope(Object.freeze(context), scope)
}
