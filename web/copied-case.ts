import { hasCutStrings } from '../src/reporters/cut-strings.ts'
import { caseOf } from '../src/results/case-of.ts'
import { takenTurns } from '../src/results/skipped-turn.ts'
import type { PageResult } from './report-data.ts'

/** What stands where something was kept back: by `--no-transcripts`, by `--mask`, as a secret. */
const gaps = ['[not recorded]', '[masked]', '[redacted]']

/** A case that plays the result again, or why there is none that is whole; nothing for what is no conversation. */
export function copiedCase(result: PageResult): { text: string } | { missing: string } | undefined {
  if (result.kind === 'script') return undefined
  const written = caseOf(result)
  if (written === undefined) return { missing: 'nothing was said' }
  // A case without its checks would pass, whatever the agent says.
  if (notEvaluated(result).length > 0)
    return { missing: 'some of its checks were not evaluated, and are not in the result' }
  if (hasCutStrings(written)) return { missing: 'some of its text was too long for this report' }
  if (hasGap(written)) return { missing: 'some of what was said is not recorded or hidden' }
  return { text: `${JSON.stringify(written)}\n` }
}

function notEvaluated(result: PageResult): string[] {
  return [
    ...(result.assertions_not_evaluated ?? []),
    ...(result.final_assertions_not_evaluated ?? []),
    ...takenTurns(result).flatMap((turn) => turn.assertions_not_evaluated ?? []),
  ]
}

function hasGap(written: object): boolean {
  const text = JSON.stringify(written)
  return gaps.some((gap) => text.includes(gap))
}
