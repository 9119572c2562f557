import { InfrastructureError } from '../../errors.ts'
import type { Scope } from '../../scope/scope.ts'
import { shorten } from '../../text/shorten.ts'

/** What an answer was read as, or why it could not be. */
export type Reading<T> = { value: T } | { problem: string }

export interface ParsedAnswer<T> {
  /** What was said. */
  said: string
  reading: Reading<T>
}

/** Why an answer is asked for again: the problem in our words, and the beginning of the answer. */
export interface Rejection {
  problem: string
  said: string
}

/** The message that sends an answer back. */
export function describeCorrection({ problem }: Rejection): string {
  return `Your answer could not be used: it ${problem}. Answer with the JSON object only.`
}

/** An answer that cannot be read gets one more chance; after that nobody guesses what it meant. */
export async function askTwice<T>(
  name: string,
  ask: (rejection?: Rejection) => Promise<ParsedAnswer<T>>,
  scope: Pick<Scope, 'log' | 'countAnswer'>,
): Promise<T> {
  const first = await ask()
  scope.countAnswer({ repaired: 'problem' in first.reading })
  if ('value' in first.reading) return first.reading.value
  const { problem } = first.reading
  const said = shown(first.said)
  scope.log(`${name} ${problem}: ${said}; it is asked again`)
  const second = await ask({ problem, said })
  if ('value' in second.reading) return second.reading.value
  const message = `${name} ${second.reading.problem} (asked twice): ${shown(second.said)}`
  throw new InfrastructureError('bad_response', message)
}

function shown(said: string): string {
  return shorten(said || 'nothing', 200)
}
