import type { Loading } from '../../scripts/runner/script-host.ts'
import { givenCases } from '../sources/given-cases.ts'
import type { CaseFormat } from './case-format.ts'

/** A TypeScript or JavaScript module whose default export is a list of cases or a function that returns one. */
export function moduleFormat({ scripts, signal }: Loading): CaseFormat {
  const wanted = 'the default export must be a list of cases, or a function that returns one'
  return givenCases(wanted, (path) => scripts.call({ kind: 'cases', file: path }, { signal }))
}
