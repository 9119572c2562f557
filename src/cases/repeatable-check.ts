import { type Assertion, assertionSchema, listValidatorsIn } from '../checks/list.ts'
import { listReferences, type RenameReference, renameReferences } from './references.ts'

/** What a recorded check may ask, and how it is named now. */
export interface CheckAccess {
  /** Whether it may ask this agent or script. */
  mayJudge(use: string): boolean
  rename: RenameReference
}

/** A recorded check as an assertion that can be made again, or why it cannot. */
export function repeatableCheck(check: object, { mayJudge, rename }: CheckAccess): Assertion | string {
  const { data: assertion } = assertionSchema.safeParse(check)
  if (assertion === undefined) return 'it is not a check of case files'
  if (hasSnapshot(assertion)) return 'its snapshot is beside the case file'
  const stranger = listValidatorsIn(assertion).find((use) => !mayJudge(use))
  if (stranger !== undefined) return `${stranger} is not an agent of this project`
  const lost = listReferences(assertion).find((reference) => rename(reference) === undefined)
  return lost === undefined
    ? renameReferences(assertion, rename)
    : `${lost.name} is only found beside its case file`
}

function hasSnapshot(assertion: Assertion): boolean {
  if (assertion.type === 'snapshot') return true
  return 'assertions' in assertion && (assertion.assertions as Assertion[]).some(hasSnapshot)
}
