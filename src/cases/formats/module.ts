import type { LoadContext } from '../../scripts/runner/script-host.ts'
import { createReturnedCases } from '../sources/returned-cases.ts'
import type { CaseFormat } from './case-format.ts'

/** A TypeScript or JavaScript module whose default export is a list of cases or a function that returns one. */
export function moduleFormat({ scripts, signal }: LoadContext): CaseFormat {
  const wanted = 'the default export must be a list of cases, or a function that returns one'
  return createReturnedCases(wanted, (path) => scripts.call({ kind: 'cases', file: path }, { signal }))
}
