import { messageText } from '../../results/transcript/message.ts'
import type { Turn } from '../../results/transcript/turn.ts'
import type { FailureSignature } from './failure.ts'

/** The conversation up to a failing reply. */
type Turns = readonly Turn[]

/** What these look for is itself the mistake. Of a number, the reply says nothing. */
const ofTheirOwn = new Set(['not_contains', 'tool_not_called', 'latency', 'cost', 'length'])

/**
 * Whether any reply that has nothing to do with the question would fail the check, too. `contains` is such a check: a
 * conversation that has lost its context fails it.
 */
export function expectsSomething(reason: FailureSignature): boolean {
  if (reason.kind !== 'assertion') return false
  const { type, negate } = reason.check.assertion
  return !ofTheirOwn.has(type) && negate !== true
}

/** How much less alike a reply may be than one that is known to be the same mistake. */
const least = 0.5

/** Tells a failing reply from others that fail the same check. It knows the recorded one, and the first that was seen. */
export class ReplyLikeness {
  readonly #recorded: ReadonlySet<string>
  #known: readonly ReadonlySet<string>[] = []
  #least = 0

  constructor(recorded: Turns) {
    this.#recorded = ownWords(recorded)
  }

  /** The first one says how much replies to the same messages differ. */
  accepts(turns: Turns): boolean {
    const words = ownWords(turns)
    if (this.#known.length > 0) return this.#known.some((known) => likeness(known, words) >= this.#least)
    this.#known = [this.#recorded, words]
    this.#least = likeness(this.#recorded, words) * least
    return true
  }
}

/** The words of the last reply that the user has not said. */
function ownWords(turns: Turns): ReadonlySet<string> {
  const said = new Set(turns.flatMap(({ input }) => wordsOf(messageText(input.message.content))))
  const words = wordsOf(turns.at(-1)?.reply?.content ?? '').filter((word) => !said.has(word))
  const long = words.filter((word) => word.length > 3)
  return new Set(long.length > 0 ? long : words)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

/** From 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 1
  const common = [...one].filter((word) => other.has(word)).length
  return (2 * common) / (one.size + other.size)
}
