import type { Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { caseSchema } from '../case-schema.ts'
import { compileCase } from '../compile.ts'
import { type CaseSource, caseEntry, hashCase } from '../entry.ts'
import { validateCase } from '../validate.ts'
import type { CaseFileOptions } from './case-file.ts'

/** One case that stands in no file. It is validated like those of a file. */
export function givenSource(
  label: string,
  written: unknown,
  { surroundings, settings }: Pick<CaseFileOptions, 'surroundings' | 'settings'>,
): CaseSource {
  return {
    label,
    async *index() {
      const validated = validateCase(written, surroundings)
      if (validated.ok) {
        const { authored } = validated
        yield caseEntry(authored, hashCase(written), { file: '', line: 0, at: { inline: authored } })
      } else
        for (const { code, message, hint } of validated.issues)
          yield { code, message: `${label}: ${message}`, ...defined({ hint }) } satisfies Problem
    },
    async load({ id, at }) {
      if (!('inline' in at)) throw new Error(`${id} is in a file`)
      return compileCase(caseSchema.parse(at.inline), settings)
    },
  }
}
