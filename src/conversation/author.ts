import type { MessageSource, UserMessage } from './plan.ts'

/** The turns that the author wrote. All are sent, whatever the agent answers. */
export function authorSource(turns: readonly UserMessage[]): MessageSource {
  return {
    kind: 'author',
    known: turns,
    wants: (_, spoken) => spoken < turns.length,
    next({ spoken }) {
      return turns[spoken] ?? { end: 'exhausted' }
    },
  }
}
