import { extname, join } from 'node:path'
import { resolveProjectFile } from '../../cases/attached-file.ts'
import { hashCase } from '../../cases/entry.ts'
import { noDefaults, readFileDefaults, withFileDefaults } from '../../cases/file-defaults.ts'
import { type CaseFormat, isFormatProblem } from '../../cases/formats/case-format.ts'
import { isRecord } from '../../json/json.ts'
import type { Project } from '../../project/project.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Data } from '../../results/transcript/message.ts'
import { dataFormat } from '../branch/own-files.ts'

/** The case of a result as its file has it now. */
export type OwnCase = { is: 'same' | 'changed'; written: Data } | { is: 'unreadable' | 'gone' | 'unknown' }

/** Reads the case file that a result names, if it is in the project and no code. */
export async function findOwnCase(
  { key: { file, id }, caseHash }: CaseResult,
  { root }: Project,
): Promise<OwnCase> {
  if (file === '' || extname(file) === '') return { is: 'unknown' }
  let path: string
  try {
    path = resolveProjectFile(join(root, file), root, file)
  } catch {
    return { is: 'unknown' }
  }
  const format = dataFormat(path, root)
  return format === undefined ? { is: 'unknown' } : findIn(format, path, id, caseHash)
}

async function findIn(format: CaseFormat, path: string, id: string, hash: string): Promise<OwnCase> {
  let defaults = noDefaults
  let isFirst = true
  try {
    for await (const document of format.documents(path)) {
      if (isFormatProblem(document) || !isRecord(document.value)) continue
      const inDefaults = isFirst ? readFileDefaults(document.value) : undefined
      isFirst = false
      defaults = inDefaults?.defaults ?? defaults
      if (document.value.id !== id) continue
      const written = withFileDefaults(document.value, defaults)
      return { is: hashCase(written) === hash ? 'same' : 'changed', written }
    }
  } catch {
    // A file that cannot be read is not the one that was run.
    return { is: 'unreadable' }
  }
  return { is: 'gone' }
}
