import { type AddedCheck, addChecks } from '../../cases/add-checks.ts'
import type { AuthoredCase } from '../../cases/case-schema.ts'
import type { CaseEntry, CaseSource, ConversationCase } from '../../cases/entry.ts'
import { InfrastructureError } from '../../errors.ts'
import type { CaseResult } from '../../results/result.ts'
import { decideAsRecorded, withoutModelChecks } from './without-models.ts'

/** Grades a recorded conversation with a compiled case, as `viva grade` does. */
export type Grade = (played: ConversationCase, entry: CaseEntry, recorded: CaseResult) => Promise<CaseResult>

/** `open`: it could not be judged. */
export interface Verdict {
  is: 'passed' | 'failed' | 'skipped' | 'open'
  reason: string
  /** Whether anything was checked. */
  checked: boolean
}

/** One case, tried on conversations that were recorded, or damaged. */
export interface CaseTrials {
  readonly authored: AuthoredCase
  /** Why its author does not want it to count. */
  readonly exception?: 'skipped' | 'expected_failure'
  /** As it is written. Models are asked only if the whole trial asks them. */
  judge(recorded: CaseResult): Promise<Verdict>
  /** As it would be written with more checks. No model is asked. */
  judgeWith(recorded: CaseResult, added: readonly AddedCheck[]): Promise<Verdict>
}

export interface TrialNeeds {
  source: CaseSource
  /** Models are answered with errors. */
  gradeAlone: Grade
  /** Set to ask models. */
  gradeAsking?: Grade | undefined
}

export function createTrials(entry: CaseEntry, { source, gradeAlone, gradeAsking }: TrialNeeds): CaseTrials {
  const compile = (change: (authored: AuthoredCase) => AuthoredCase) => {
    const compiled = source.loadChanged?.(entry, change)
    if (compiled === undefined) throw new InfrastructureError('input_changed', `${entry.id} is not data`)
    return compiled
  }
  let read: AuthoredCase | undefined
  const { skip, expectedFailure } = compile((written) => {
    read = written
    return written
  })
  const authored = read ?? { id: entry.id }
  const compiled = new Map<string, ConversationCase>()
  const compileWith = (added: readonly AddedCheck[]) => {
    const name = JSON.stringify(added)
    const known = compiled.get(name) ?? compile((written) => withoutModelChecks(addChecks(written, added)))
    // Lists of checks that are tried are seldom tried again.
    if (added.length === 0 || compiled.size < mostKept) compiled.set(name, known)
    return known
  }
  const judgeWith = async (recorded: CaseResult, added: readonly AddedCheck[]) =>
    classify(await gradeAlone(decideAsRecorded(compileWith(added), authored, recorded), entry, recorded))
  const complete = gradeAsking && compile((written) => written)
  return {
    authored,
    ...(skip !== undefined
      ? { exception: 'skipped' }
      : expectedFailure !== undefined
        ? { exception: 'expected_failure' }
        : {}),
    judgeWith,
    judge: async (recorded) =>
      gradeAsking === undefined || complete === undefined
        ? judgeWith(recorded, [])
        : classify(await gradeAsking(complete, entry, recorded)),
  }
}

const mostKept = 20

function classify({ status, fault, failure, termination, unchecked }: CaseResult): Verdict {
  const reason = failure?.message || termination.detail || termination.reason
  const checked = !unchecked
  if (status === 'passed' || status === 'skipped') return { is: status, reason, checked }
  return { is: status === 'failed' && fault === 'agent' ? 'failed' : 'open', reason, checked }
}
