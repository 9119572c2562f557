import { shorten } from '../../text/shorten.ts'

/** One page of `viva help`: it fits on a screen, and says where to read more. */
export interface Topic {
  name: string
  /** Other names that it is found by. */
  aliases?: readonly string[]
  about: string
  /** The page that says more, below the root of the repository. */
  page: string
  lines(): string[]
}

const width = 80

/** A table of two columns. Long explanations are cut: the page that the topic names has them in full. */
export function columns(rows: readonly (readonly [term: string, about: string])[]): string[] {
  const widest = Math.max(...rows.map(([term]) => term.length))
  return rows.map(([term, about]) => {
    return `  ${term.padEnd(widest)}  ${shorten(firstStatement(about), width - widest - 5)}`
  })
}

/** The text before the first full stop or semicolon that is not in brackets. */
function firstStatement(text: string): string {
  for (const { index } of text.matchAll(/[.;](?= |$)/g)) {
    const before = text.slice(0, index)
    if (before.split('(').length === before.split(')').length) return before
  }
  return text
}
