import type { CheckResult } from '../results/transcript/check-result.ts'
import { renderDiff } from './diff.ts'

/** Checks that compare two values. For the others the reason is enough. */
const comparing = new Set(['equals', 'json_path', 'snapshot'])

/** How what came differs from what was expected, line by line, for a failed check that compares. */
export function checkDiff({ status, type, expected, actual }: CheckResult): string[] | undefined {
  return status === 'failed' && comparing.has(type) && expected !== undefined
    ? renderDiff(expected, actual)
    : undefined
}
