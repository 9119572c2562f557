import { escapeRegex } from './escape-regex.ts'
import { shellQuote } from './shell-quote.ts'

/** More ids would make the command too long. */
const mostIds = 50

/** The command that runs only these cases, with all other flags unchanged. */
export function createRerunCommand(command: string, failed: readonly string[]): string {
  // A branch has one case.
  if (command.startsWith('viva branch ')) return command
  const ids = [...new Set(failed)]
  const named = ids.slice(0, mostIds).map(escapeRegex)
  const rest = ids.length > mostIds ? `   # and ${ids.length - mostIds} more` : ''
  return `${command} --run ${shellQuote(`^(${named.join('|')})$`)}${rest}`
}
