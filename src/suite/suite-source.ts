import type { CaseEntry, CaseSource } from '../cases/entry.ts'
import { ConfigError, type Problem } from '../errors.ts'
import { type AnyTestCase, compileTestCase, type SuiteCaseSettings, suiteCaseEntry } from './compile-case.ts'
import { checkWordedInputs } from './worded-inputs.ts'

export interface SuiteSource extends CaseSource {
  testCase(id: string): AnyTestCase | undefined
  entry(id: string): CaseEntry | undefined
  entries(): Iterable<CaseEntry>
  list(): ListedCase[]
}

export interface ListedCase {
  testCase: AnyTestCase
  entry: CaseEntry
}

/**
 * All cases are compiled before the first is played: what is wrong with one is told at once. Each is compiled again when
 * it is played, so that a hundred thousand do not lie about.
 */
export function testCaseSource(cases: readonly AnyTestCase[], settings: SuiteCaseSettings): SuiteSource {
  if (cases.length === 0)
    throw new ConfigError({ code: 'no_cases', message: 'there are no test cases to run' })
  const known = listCases(cases, settings)
  return {
    label: 'the suite',
    testCase: (id) => known.get(id)?.testCase,
    entry: (id) => known.get(id)?.entry,
    list: () => [...known.values()],
    *entries() {
      for (const { entry } of known.values()) yield entry
    },
    async *index() {
      yield* this.entries()
    },
    async load({ id }) {
      const found = known.get(id)
      if (found === undefined) throw new Error(`there is no case ${id}`)
      return compileTestCase(found.testCase, id, settings)
    },
  }
}

/** All mistakes are reported together. */
function listCases(cases: readonly AnyTestCase[], settings: SuiteCaseSettings): Map<string, ListedCase> {
  const known = new Map<string, ListedCase>()
  const ids = new Set<string>()
  const problems: Problem[] = []
  for (const [place, testCase] of cases.entries()) {
    const id = readCaseId(testCase, place)
    if (ids.has(id)) problems.push({ code: 'duplicate_id', message: `two test cases have the id "${id}"` })
    ids.add(id)
    try {
      const compiled = compileTestCase(testCase, id, settings)
      checkWordedInputs(testCase, id)
      known.set(id, { testCase, entry: suiteCaseEntry(testCase, id, compiled) })
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return known
}

/** One that is no text is an error of the case, which is told by its place. */
function readCaseId(testCase: AnyTestCase, place: number): string {
  const { id } = testCase ?? {}
  return typeof id === 'string' && id !== '' ? id : `case-${place + 1}`
}
