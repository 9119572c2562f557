import { type CaseEntry, type CaseSource, type ConversationCase, hashOf } from '../cases/entry.ts'
import { ConfigError } from '../errors.ts'
import { type AnyTestCase, type CaseSettings, compileTestCase, entryOf } from './compile-case.ts'
import { asJson } from './json-value.ts'

export interface SuiteSource extends CaseSource {
  testCase(id: string): AnyTestCase | undefined
  entries: readonly CaseEntry[]
}

/** All cases are compiled before the first is played: what is wrong with one is told at once. */
export function suiteSource(cases: readonly AnyTestCase[], settings: CaseSettings): SuiteSource {
  if (cases.length === 0)
    throw new ConfigError({ code: 'no_cases', message: 'there are no test cases to run' })
  const compiled = new Map<string, { testCase: AnyTestCase; entry: CaseEntry; played: ConversationCase }>()
  for (const [place, testCase] of cases.entries()) {
    const id = idOf(testCase, place)
    if (compiled.has(id))
      throw new ConfigError({ code: 'duplicate_id', message: `two test cases have the id "${id}"` })
    const played = compileTestCase(testCase, id, settings)
    const entry = entryOf(testCase, id, hashOf(asJson(testCase)), settings)
    compiled.set(id, { testCase, entry, played })
  }
  return {
    label: 'the suite',
    entries: [...compiled.values()].map(({ entry }) => entry),
    testCase: (id) => compiled.get(id)?.testCase,
    async *index() {
      for (const { entry } of compiled.values()) yield entry
    },
    async load({ id }) {
      const found = compiled.get(id)
      if (found === undefined) throw new Error(`there is no case ${id}`)
      return found.played
    },
  }
}

function idOf(testCase: AnyTestCase, place: number): string {
  const { id } = testCase ?? {}
  if (id === undefined) return `case-${place + 1}`
  if (typeof id === 'string' && id !== '') return id
  throw new ConfigError({ code: 'bad_case', message: `case ${place + 1}: its id must be a text` })
}
