import { findNearest } from '../text/nearest.ts'

/** What to say of a tool that an agent does not have. */
export function unknownToolHint(name: string, tools: readonly string[]): string {
  const guess = findNearest(
    name,
    tools.flatMap((tool) => [tool, tool.replace(/^.*?__/, '')]),
  )
  return guess === undefined ? `it has: ${tools.join(', ') || 'none'}` : `did you mean "${guess}"?`
}
