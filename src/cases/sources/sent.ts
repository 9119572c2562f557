import { isRecord } from '../../json/json.ts'
import { caseSchema } from '../case-schema.ts'
import { compileCase } from '../compile.ts'
import { type CaseEntry, type ConversationCase, caseEntry, hashCase } from '../entry.ts'
import { validateCase } from '../validate.ts'
import type { CaseFileOptions } from './case-file.ts'

/** A case that is in no file, as another process has sent it. */
export interface SentCase {
  file: string
  line: number
  hash: string
  written: unknown
}

/** Cases that come with the jobs: of stdin, of a message, of a generator. They are validated like those of a file. */
export interface SentCases {
  /** Throws an error that says what is wrong with the case. */
  entry(sent: SentCase): CaseEntry
  load(entry: CaseEntry): ConversationCase
}

export function createSentCases({
  surroundings,
  settings,
}: Pick<CaseFileOptions, 'surroundings' | 'settings'>): SentCases {
  return {
    entry({ file, line, hash, written }) {
      const id = isRecord(written) ? String(written.id) : ''
      if (hashCase(written) !== hash) throw new Error(`the case ${id} is not the one that was planned`)
      const validated = validateCase(written, surroundings)
      if (!validated.ok)
        throw new Error(`${id}: ${validated.issues.map(({ message }) => message).join('; ')}`)
      return caseEntry(validated.authored, hash, { file, line, at: { inline: validated.authored } })
    },
    load({ id, at }) {
      if (!('inline' in at)) throw new Error(`${id} is in a file`)
      return compileCase(caseSchema.parse(at.inline), settings)
    },
  }
}
