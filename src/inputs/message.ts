import { type AuthoredCase, caseSchema } from '../cases/case-schema.ts'
import { type CaseSettings, compileCase } from '../cases/compile.ts'
import { type CaseSource, entryOf, hashOf } from '../cases/entry.ts'

/** A message given on the command line: one case without checks. */
export function messageSource(text: string, settings: CaseSettings): CaseSource {
  const authored: AuthoredCase = { id: 'message', input: text }
  return {
    label: 'direct message',
    async *index() {
      yield entryOf(authored, hashOf(authored), { file: '', line: 0, at: { inline: authored } })
    },
    async load(entry) {
      if (!('inline' in entry.at)) throw new Error(`${entry.id} is not a message`)
      return compileCase(caseSchema.parse(entry.at.inline), settings)
    },
  }
}
