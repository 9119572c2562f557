import { hasCutStrings } from '../src/reporters/cut-strings.ts'
import { createCaseFromResult } from '../src/results/case-from-result.ts'
import { playedTurns } from '../src/results/skipped-turn.ts'
import type { PageResult } from './report-data.ts'

/** What replaces redacted text: for `--no-transcripts`, for `--mask`, for secrets. */
const gaps = ['[not recorded]', '[masked]', '[redacted]']

/** A case that repeats the result, or why it would be incomplete; undefined for a script test. */
export function copiedCase(result: PageResult): { text: string } | { missing: string } | undefined {
  if (result.kind === 'script') return undefined
  const written = createCaseFromResult(result)
  if (written === undefined) return { missing: 'there was no conversation' }
  // A case without its checks would always pass.
  if (notEvaluated(result).length > 0)
    return { missing: 'some of its checks were not evaluated and are not in the result' }
  if (hasCutStrings(written)) return { missing: 'some of its text was too long for this report' }
  if (hasGap(written)) return { missing: 'part of the conversation was not recorded or is redacted' }
  return { text: `${JSON.stringify(written)}\n` }
}

function notEvaluated(result: PageResult): string[] {
  return [
    ...(result.assertions_not_evaluated ?? []),
    ...(result.final_assertions_not_evaluated ?? []),
    ...playedTurns(result).flatMap((turn) => turn.assertions_not_evaluated ?? []),
  ]
}

function hasGap(written: object): boolean {
  const text = JSON.stringify(written)
  return gaps.some((gap) => text.includes(gap))
}
