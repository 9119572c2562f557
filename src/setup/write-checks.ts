import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ProposedCheck } from '../analysis/mutate/case-score.ts'
import { type AddedCheck, type ChangedList, listChangedLists } from '../cases/add-checks.ts'
import type { AuthoredCase } from '../cases/case-schema.ts'
import { canEdit, type EditedFile, editCases } from '../cases/edits/edit-cases.ts'
import type { CaseEntry, CaseSource } from '../cases/entry.ts'
import { ConfigError, errorMessage, OutputError } from '../errors.ts'
import { replaceFile } from '../system/replace-file.ts'
import { pluralize } from '../text/counted.ts'

/** The case files of a run as they were when its cases were read. */
export type CaseFiles = ReadonlyMap<string, CaseFileState>

interface CaseFileState {
  path: string
  digest: string
}

/** Remembers the files that checks may be added to. `file` of an entry is relative to the root. */
export function rememberCaseFiles(entries: Iterable<Pick<CaseEntry, 'file'>>, root: string): CaseFiles {
  const files = new Map<string, CaseFileState>()
  for (const { file } of entries) {
    if (files.has(file)) continue
    const path = join(root, file)
    if (file !== '' && canEdit(file) && existsSync(path))
      files.set(file, { path: realpathSync(path), digest: digestOf(path) })
  }
  return files
}

/** Whether checks can be added at all is found out before anything is judged. */
export function checkCaseFiles(files: CaseFiles): void {
  for (const [file, { path }] of files)
    try {
      accessSync(path, constants.W_OK)
      accessSync(dirname(path), constants.W_OK)
    } catch (error) {
      throw new ConfigError({
        code: 'bad_output',
        message: `--write: ${file} cannot be written: ${errorMessage(error)}`,
        hint: 'without --write, the proposed checks are only printed',
      })
    }
}

/** Checks that were accepted for one case. */
export interface AcceptedChecks {
  entry: CaseEntry
  checks: readonly ProposedCheck[]
}

export interface WrittenChecks {
  /** The files that were written, with the number of checks that each got. */
  written: { file: string; checks: number }[]
  byHand: ChecksByHand[]
}

/** A case that somebody has to edit. */
export interface ChecksByHand {
  accepted: AcceptedChecks
  /** Its lists of checks, with those that are added. */
  changes: readonly ChangedList[]
}

/** A file with all edits made, but not written yet. */
interface FileDraft {
  file: string
  path: string
  result: EditedFile
  cases: AcceptedChecks[]
}

/** Adds the checks to their files. All files are edited before the first is written. */
export async function writeChecks(
  accepted: readonly AcceptedChecks[],
  files: CaseFiles,
  source: CaseSource,
): Promise<WrittenChecks> {
  const byFile = new Map<string, AcceptedChecks[]>()
  for (const each of accepted) byFile.set(each.entry.file, [...(byFile.get(each.entry.file) ?? []), each])
  const changesOf = ({ entry, checks }: AcceptedChecks) => {
    const added = checks.map(({ check }): AddedCheck => check)
    return listChangedLists(readAuthored(entry, source), added)
  }
  const drafts: FileDraft[] = []
  const left: AcceptedChecks[] = []
  for (const [file, cases] of byFile) {
    const known = files.get(file)
    if (known === undefined) {
      left.push(...cases)
      continue
    }
    const edits = cases.map((each) => ({ id: each.entry.id, changes: changesOf(each) }))
    refuseChanged(file, known)
    const result = await editCases(known.path, edits)
    drafts.push({ file, path: known.path, result, cases })
    left.push(...cases.filter(({ entry }) => result.left.includes(entry.id)))
  }
  const byHand = left.map((each) => ({ accepted: each, changes: changesOf(each) }))
  return { written: writeDrafts(drafts), byHand }
}

function writeDrafts(drafts: readonly FileDraft[]): WrittenChecks['written'] {
  const written: WrittenChecks['written'] = []
  for (const { file, path, result, cases } of drafts) {
    if (result.content === undefined) continue
    try {
      replaceFile(path, result.content)
    } catch (error) {
      throw cannotWrite(path, error, written)
    }
    const done = cases.filter(({ entry }) => !result.left.includes(entry.id))
    written.push({ file, checks: done.reduce((sum, { checks }) => sum + checks.length, 0) })
  }
  return written
}

/** Files that were written before stay as they are, so the message lists them. */
function cannotWrite(path: string, error: unknown, written: WrittenChecks['written']): OutputError {
  const before = written.map(({ file, checks }) => `${pluralize(checks, 'check')} added to ${file}`)
  const message = `${path} cannot be written: ${errorMessage(error)}`
  return new OutputError(before.length === 0 ? message : `${message} (before that: ${before.join(', ')})`)
}

/** A case as it is written, with the defaults of its file. */
export function readAuthored(entry: CaseEntry, source: CaseSource): AuthoredCase {
  let authored: AuthoredCase = { id: entry.id }
  source.loadChanged?.(entry, (written) => {
    authored = written
    return written
  })
  return authored
}

function refuseChanged(file: string, { path, digest }: CaseFileState): void {
  if (digestOf(path) === digest) return
  throw new ConfigError({
    code: 'input_changed',
    message: `--write: ${file} was changed since it was read: nothing was written`,
    hint: 'run the command again',
  })
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
