import { parseJson } from '../../json/json.ts'
import type { CaseFormat } from './case-format.ts'
import { jsonDocument } from './json-document.ts'
import { cleanDocument, readDocuments } from './jsonl-documents.ts'

/** One object per line, or spread over several lines; lines that begin with `//` or `#` are comments. */
export const jsonl: CaseFormat = {
  documents: (path) => readDocuments(path, jsonDocument),
  parse: (text) => parseJson(cleanDocument(text)),
}
