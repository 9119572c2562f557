import type { CaseEntry, CaseSource } from '../cases/entry.ts'
import { ConfigError } from '../errors.ts'
import { type AnyTestCase, compileTestCase, type SuiteCaseSettings, suiteCaseEntry } from './compile-case.ts'

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
  const known = new Map<string, ListedCase>()
  for (const [place, testCase] of cases.entries()) {
    const id = readCaseId(testCase, place)
    if (known.has(id))
      throw new ConfigError({ code: 'duplicate_id', message: `two test cases have the id "${id}"` })
    known.set(id, { testCase, entry: suiteCaseEntry(testCase, id, compileTestCase(testCase, id, settings)) })
  }
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

/** One that is no text is an error of the case, which is told by its place. */
function readCaseId(testCase: AnyTestCase, place: number): string {
  const { id } = testCase ?? {}
  return typeof id === 'string' && id !== '' ? id : `case-${place + 1}`
}
