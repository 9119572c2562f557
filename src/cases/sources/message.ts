import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { type AuthoredCase, caseSchema } from '../case-schema.ts'
import { type CaseSettings, compileCase } from '../compile.ts'
import { type CaseSource, caseEntry, hashCase } from '../entry.ts'

/** A message given on the command line: one case without checks. With `--interactive` a person continues or begins. */
export function messageSource(text: string | undefined, settings: CaseSettings): CaseSource {
  const { interactive, person } = settings.speakers
  if (text === undefined && person === undefined) {
    const message =
      '--interactive without -i: nobody can write the first message, because this is not a terminal'
    throw new ConfigError({ code: 'no_input', message, hint: 'give a first message with -i' })
  }
  const authored: AuthoredCase = {
    id: text === undefined ? 'interactive' : 'message',
    ...defined({ input: text, interactive: interactive ? { enabled: true } : undefined }),
  }
  return {
    label: 'direct message',
    async *index() {
      yield caseEntry(authored, hashCase(authored), { file: '', line: 0, at: { inline: authored } })
    },
    async load(entry) {
      if (!('inline' in entry.at)) throw new Error(`${entry.id} is not a message`)
      return compileCase(caseSchema.parse(entry.at.inline), settings)
    },
    written: () => authored,
  }
}
