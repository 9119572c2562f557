import { escapeRegex } from './escape-regex.ts'
import { shellQuote } from './shell-quote.ts'

/** What a shell line can hold of ids. */
const mostIds = 50

/** The command that plays only these, with everything else as it was. */
export function runAgain(command: string, failed: readonly string[]): string {
  const ids = [...new Set(failed)]
  const named = ids.slice(0, mostIds).map(escapeRegex)
  const rest = ids.length > mostIds ? `   # and ${ids.length - mostIds} more` : ''
  return `${command} --run ${shellQuote(`^(${named.join('|')})$`)}${rest}`
}
