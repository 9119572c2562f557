import type { TestBridge } from '../../../protocol/testing.ts'

/** A word and not nothing: a judge that forgets to answer must not pass. */
export const held = 'held'

export interface Broken {
  /** One line: `expected 1, got 2`. Empty: what was thrown says it. */
  reason: string
  expected?: unknown
  actual?: unknown
  /** What was thrown when nobody could judge: the test fails with that. */
  thrown?: unknown
}

export type AssertVerdict = typeof held | Broken

export interface Definition {
  /** What it must be given, in the words of a reason. The author's message comes after. */
  takes: readonly string[]
  /** The judge looks at promises itself; otherwise none may be given. */
  takesPromises?: true
  /** Where the author's message is, if not right after. */
  messageAt?(args: readonly unknown[]): number
  /** Arguments one by one: taking an array apart runs an iterator that the user may have replaced. */
  judge(
    first: unknown,
    second: unknown,
    third: unknown,
    bridge: TestBridge,
  ): AssertVerdict | Promise<AssertVerdict>
}

export function broken(reason: string, ...sides: [] | [expected: unknown, actual: unknown]): Broken {
  return sides.length === 0 ? { reason } : { reason, expected: sides[0], actual: sides[1] }
}
