import { pluralize } from '../../text/counted.ts'

/** Why a case has no score. */
const leftOutReasons = {
  not_passed: 'without a recorded result that passes',
  models: 'that only models check',
  changed: 'with model checks that the recorded run did not have',
  unchecked: 'without checks',
  not_judged: 'that cannot be judged here',
  undamaged: 'with nothing to damage',
  expected_failure: 'expected to fail',
  skipped: 'skipped by their authors',
  suite: 'of suites',
} as const

export type LeftOutReason = keyof typeof leftOutReasons

/** `Left out: 2 cases that only models check, 1 case without checks`; empty if there are none. */
export function uncountedText(leftOut: Partial<Record<LeftOutReason, number>>): string {
  return Object.entries(leftOutReasons)
    .flatMap(([reason, text]) => {
      const count = leftOut[reason as LeftOutReason] ?? 0
      return count === 0 ? [] : [`${pluralize(count, 'case')} ${text}`]
    })
    .join(', ')
}
