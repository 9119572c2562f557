import { type Assertion, assertionSchema, listValidatorsIn } from '../checks/list.ts'

/** A recorded check as an assertion that can be made again, or why it cannot. */
export function repeatableCheck(check: object, mayJudge: (use: string) => boolean): Assertion | string {
  const { data: assertion } = assertionSchema.safeParse(check)
  if (assertion === undefined) return 'it is not a check of case files'
  if (hasSnapshot(assertion)) return 'its snapshot is beside the case file'
  const stranger = listValidatorsIn(assertion).find((use) => !mayJudge(use))
  return stranger === undefined ? assertion : `${stranger} is not an agent of this project`
}

function hasSnapshot(assertion: Assertion): boolean {
  if (assertion.type === 'snapshot') return true
  return 'assertions' in assertion && (assertion.assertions as Assertion[]).some(hasSnapshot)
}
