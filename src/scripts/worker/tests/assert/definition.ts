import type { TestBridge } from '../../../protocol/testing.ts'

/** Not undefined, so that a judge that forgets to answer does not pass. */
export const held = 'held'

export interface FailedVerdict {
  /** One line: `expected 1, got 2`. Empty when the thrown error says it. */
  reason: string
  expected?: unknown
  actual?: unknown
  /** The error that kept the assertion from being judged: the test fails with it. */
  thrown?: unknown
}

export type AssertVerdict = typeof held | FailedVerdict

export interface TestAssertion {
  /** Names of the required arguments, as used in reasons. The author's message comes after them. */
  takes: readonly string[]
  /** The judge accepts promises; otherwise they are refused. */
  takesPromises?: true
  /** The index of the author's message, if it does not follow the arguments directly. */
  messageAt?(args: readonly unknown[]): number
  /** Arguments one by one: taking an array apart runs an iterator that the user may have replaced. */
  judge(
    first: unknown,
    second: unknown,
    third: unknown,
    bridge: TestBridge,
  ): AssertVerdict | Promise<AssertVerdict>
}

export function failVerdict(
  reason: string,
  ...sides: [] | [expected: unknown, actual: unknown]
): FailedVerdict {
  return sides.length === 0 ? { reason } : { reason, expected: sides[0], actual: sides[1] }
}
