import type { CaseList } from '../../cases/case-list.ts'
import { collect } from '../../cases/collect.ts'
import { type CaseEntry, isScriptTest } from '../../cases/entry.ts'
import { select } from '../../cases/select.ts'
import { ConfigError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { KeyNumbers } from '../../results/columns/key-numbers.ts'
import type { SavedResults } from '../../results/saved-results.ts'
import { listFirst } from '../../results/unreadable-lines.ts'
import { pluralize } from '../../text/counted.ts'
import type { CommandStart } from '../command-start.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Source } from './source.ts'

interface GradedCasesNeeds extends Pick<CommandStart, 'warn'> {
  source: Source
  settings: Settings
  recorded: SavedResults
  secrets: Secrets
}

/** The selected cases that have results. What is only in the cases or only in the results is named. */
export const gradedCasesPhase = {
  name: 'cases',
  async open({ source, settings, recorded, secrets, warn }: GradedCasesNeeds): Promise<CaseList> {
    const redact = secrets.redact()
    const all = await collect(source.cases)
    const conversations = all.filter((entry) => !isScriptTest(entry))
    const { graded: file = '', selection } = settings
    const scripts = Math.max(recorded.scripts, all.length - conversations.length)
    if (scripts > 0)
      warn(`${pluralize(scripts, 'script test has', 'script tests have')} no conversation: left out`)
    const known = numberCases(recorded.keys())
    const isKnown = (entry: CaseEntry) => known.find(caseKey(entry, redact)) !== undefined
    const gone = listGone(known, conversations, redact)
    refuseMoved(
      gone,
      conversations.filter((entry) => !isKnown(entry)),
      file,
      redact,
    )
    if (gone.length > 0)
      warn(
        `${file}: ${pluralize(gone.length, 'case is', 'cases are')} gone: ${listFirst(gone.map(({ id }) => id))}`,
      )
    const selected = select(conversations, selection)
    const missing = selected.filter((entry) => !isKnown(entry))
    if (missing.length === selected.length) throw nothingInCommon(file)
    if (missing.length > 0) {
      const names = listFirst(Array.from(missing, ({ id }) => redact(id)))
      warn(`${file} has no result of ${pluralize(missing.length, 'case')}: ${names}`)
    }
    return selected.filter(isKnown)
  },
} as const

type CaseKey = Parameters<KeyNumbers['find']>[0]

/** A case, whoever was asked, and however often. */
function caseKey({ file, id }: Pick<CaseEntry, 'file' | 'id'>, redact: Redactor): CaseKey {
  return { file: redact(file), id: redact(id), variant: '', run: 0 }
}

function numberCases(keys: Iterable<Pick<CaseEntry, 'file' | 'id'>>): KeyNumbers {
  const numbers = new KeyNumbers()
  for (const { file, id } of keys) numbers.add({ file, id, variant: '', run: 0 })
  return numbers
}

/** Cases of the results that are in no case file any more. */
function listGone(known: KeyNumbers, cases: CaseList, redact: Redactor): CaseKey[] {
  const present = new Set<number>()
  for (const entry of cases) {
    const number = known.find(caseKey(entry, redact))
    if (number !== undefined) present.add(number)
  }
  const gone: CaseKey[] = []
  for (let number = 0; number < known.size; number++) if (!present.has(number)) gone.push(known.key(number))
  return gone
}

/** A case is known by its file and id: one with the same id in another file is named, and not taken for the same. */
function refuseMoved(gone: readonly CaseKey[], fresh: CaseList, file: string, redact: Redactor): void {
  const goneIds = uniqueIds(gone)
  const freshIds = uniqueIds(Array.from(fresh, (entry) => caseKey(entry, redact)))
  for (const [id, from] of goneIds) {
    const to = freshIds.get(id)
    if (from === undefined || to === undefined) continue
    throw new ConfigError({
      code: 'moved_cases',
      message: `the case ${id} of ${to || 'no file'} is in ${file} as a case of ${from || 'no file'}`,
      hint: 'a case is known by its file and its id: move the file back, or run the cases again',
    })
  }
}

/** The files by id; undefined for an id that several files have. */
function uniqueIds(keys: readonly CaseKey[]): Map<string, string | undefined> {
  const files = new Map<string, string | undefined>()
  for (const { id, file } of keys) files.set(id, files.has(id) ? undefined : file)
  return files
}

function nothingInCommon(file: string): ConfigError {
  return new ConfigError({
    code: 'nothing_in_common',
    message: `${file} has no result of any of these cases`,
    hint: 'give the case files of that run',
  })
}
