import type { View } from './transcript/turn.ts'

/** The connector that answered most turns; the first of several that answered equally often. */
export function mainConnector({ turns }: View): string | undefined {
  if (turns.length < 2) return turns[0]?.reply?.connector
  const counts = new Map<string, number>()
  for (const { reply } of turns)
    if (reply?.connector !== undefined) counts.set(reply.connector, (counts.get(reply.connector) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}
