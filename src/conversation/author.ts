import type { MessageSource, Said } from './plan.ts'

/** The turns that the author wrote; all are sent, whatever the agent answers. */
export function authorSource(turns: readonly Said[]): MessageSource {
  return {
    kind: 'author',
    known: turns,
    wants: (_, spoken) => spoken < turns.length,
    async next(_, spoken) {
      return turns[spoken] ?? { end: 'exhausted' }
    },
  }
}
