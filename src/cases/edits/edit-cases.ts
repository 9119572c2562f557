import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { sameData } from '../../json/equal/find-difference.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import { requirePackage } from '../../require-package.ts'
import { type ChangedList, changedList } from '../add-checks.ts'
import type { Path } from '../formats/case-format.ts'
import { jsonDocument } from '../formats/json-document.ts'
import { jsonl } from '../formats/jsonl.ts'
import { cleanDocument, readDocuments } from '../formats/jsonl-documents.ts'
import { editJson } from './json-edits.ts'
import { applyEdits, type TextEdit } from './text-edit.ts'
import { editYaml } from './yaml-edits.ts'

/** The checks that one case of a file gets. */
export interface CaseEdit {
  id: string
  changes: readonly ChangedList[]
}

export interface EditedFile {
  /** The whole new content; undefined if nothing in it can be edited. */
  content?: Uint8Array[]
  /** The ids of cases that could not be edited. */
  left: string[]
}

/** What can be edited: other files are written by code, or have no place for a list of checks. */
export function canEdit(path: string): boolean {
  return ['.jsonl', '.ndjson', '.json', '.yaml', '.yml'].includes(extname(path).toLowerCase())
}

/**
 * Adds checks to cases of a file. Nothing else in it changes: comments, order and spaces stay. What the edited text says
 * is read again, and is used only if it is exactly what was wanted.
 */
export async function editCases(path: string, edits: readonly CaseEdit[]): Promise<EditedFile> {
  const extension = extname(path).toLowerCase()
  if (!canEdit(path)) return { left: edits.map(({ id }) => id) }
  if (extension === '.jsonl' || extension === '.ndjson') return editLines(path, edits)
  return editWhole(path, edits, extension === '.json' ? jsonText : yamlText)
}

interface TextFormat {
  parse(text: string): unknown
  edit(text: string, base: Path, changes: readonly ChangedList[]): TextEdit[] | undefined
}

const jsonText: TextFormat = { parse: (text) => parseJson(text.replace(/^\uFEFF/, '')), edit: editJson }

const yamlText: TextFormat = {
  parse: (text) => (requirePackage('yaml') as typeof import('yaml')).parse(text),
  edit: editYaml,
}

/** Files of one document each, which may be large: only the bytes of the edited cases change. */
async function editLines(path: string, edits: readonly CaseEdit[]): Promise<EditedFile> {
  const bytes = readFileSync(path)
  const parts: Uint8Array[] = []
  const left = new Map(edits.map((edit) => [edit.id, edit]))
  let from = 0
  for await (const document of readDocuments(path, (json) => ({ ...jsonDocument(json), at: json.bytes }))) {
    if (!('value' in document) || document.at === undefined || !isRecord(document.value)) continue
    const edit = left.get(String(document.value.id))
    if (edit === undefined) continue
    const [start, end] = document.at
    const text = bytes.subarray(start, end).toString('utf8')
    const changed = editText(text, document.value, edit.changes, {
      parse: (each) => jsonl.parse(cleanDocument(each)),
      edit: editJson,
    })
    if (changed === undefined) continue
    parts.push(bytes.subarray(from, start), Buffer.from(changed))
    from = end
    left.delete(edit.id)
  }
  if (parts.length === 0) return { left: [...left.keys()] }
  return { content: [...parts, bytes.subarray(from)], left: [...left.keys()] }
}

function editText(
  text: string,
  value: unknown,
  changes: readonly ChangedList[],
  { parse, edit }: TextFormat,
): string | undefined {
  const edits = edit(text, [], changes)
  if (edits === undefined) return undefined
  const changed = applyEdits(text, edits)
  return sameData(parse(changed), withChanges(value, [], changes)) ? changed : undefined
}

/** Cases in one document are edited one after the other, so that one that cannot be edited does not spoil the others. */
function editWhole(path: string, edits: readonly CaseEdit[], format: TextFormat): EditedFile {
  let text = readFileSync(path, 'utf8')
  const before = text
  const left: string[] = []
  for (const { id, changes } of edits) {
    const changed = editOne(text, id, changes, format)
    if (changed === undefined) left.push(id)
    else text = changed
  }
  return text === before ? { left } : { content: [Buffer.from(text)], left }
}

function editOne(
  text: string,
  id: string,
  changes: readonly ChangedList[],
  { parse, edit }: TextFormat,
): string | undefined {
  const value = parse(text)
  const base = findCase(value, id)
  const edits = base && edit(text, base, changes)
  if (base === undefined || edits === undefined) return undefined
  const changed = applyEdits(text, edits)
  return sameData(tryParse(changed, parse), withChanges(value, base, changes)) ? changed : undefined
}

function tryParse(text: string, parse: TextFormat['parse']): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function findCase(value: unknown, id: string): Path | undefined {
  const [list, base]: [unknown, Path] = isRecord(value) ? [value.cases, ['cases']] : [value, []]
  const place = Array.isArray(list) ? list.findIndex((each) => isRecord(each) && each.id === id) : -1
  return place === -1 ? undefined : [...base, place]
}

/** What the edited text must say. A list that is only in the defaults of the file is written down in the case. */
function withChanges(value: unknown, base: Path, changes: readonly ChangedList[]): unknown {
  return changes.reduce<unknown>(
    (changed, change) => withList(changed, [...base, ...change.path], change),
    value,
  )
}

function withList(value: unknown, [key, ...rest]: Path, change: ChangedList): unknown {
  if (key === undefined) return changedList(value === undefined ? change : { ...change, before: value })
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? withList(item, rest, change) : item))
  const fields = isRecord(value) ? value : {}
  return { ...fields, [key]: withList(fields[key], rest, change) }
}
