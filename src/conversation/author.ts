import type { Check } from '../assertions/check.ts'
import type { Data } from '../transcript/message.ts'
import type { Input, InputSource } from '../transcript/turn.ts'
import type { MessageSource } from './plan.ts'

/** A turn as its author wrote it. */
export interface AuthorTurn {
  say: Input
  source: InputSource
  checks: readonly Check[]
  options?: Data
}

/** The author speaks first, so the number of turns taken says which one is next. */
export function authorSource(turns: readonly AuthorTurn[]): MessageSource {
  return {
    kind: 'author',
    gate: 'always',
    async next(view) {
      return turns[view.turns.length] ?? { end: 'exhausted' }
    },
  }
}
