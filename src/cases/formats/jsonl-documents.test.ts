import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonText } from './json-document.ts'
import { cleanDocument, readDocuments } from './jsonl-documents.ts'

async function documents(content: string): Promise<(JsonText & { reread: string })[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'viva-')), 'cases.jsonl')
  writeFileSync(path, content)
  const all = []
  for await (const document of readDocuments(path, (json) => json)) {
    const reread = cleanDocument(
      readFileSync(path)
        .subarray(...(document.bytes ?? []))
        .toString(),
    )
    all.push({ ...document, reread })
  }
  return all
}

describe('readDocuments', () => {
  it('reads objects on one or several lines, with comments and blank lines', async () => {
    const found = await documents(`\uFEFF// head
{"id": "a"}

# note
{
  "id": "b",
  // inside
  "text": "{ # not a comment: }"
}
{"id": "c"}`)
    expect(found.map(({ text }) => JSON.parse(text).id)).toEqual(['a', 'b', 'c'])
    expect(found.map(({ line }) => line)).toEqual([2, 5, 10])
    expect(found.map(({ level }) => level > 0)).toEqual([false, false, false])
  })

  it('returns byte ranges from which a document can be read again', async () => {
    const found = await documents('{"a":\r\n// c\r\n1}\r\n{"b":"ü"}\n{"c":3}')
    expect(found.map(({ reread }) => JSON.parse(reread))).toEqual([{ a: 1 }, { b: 'ü' }, { c: 3 }])
  })

  it('continues after an object that is never closed', async () => {
    const found = await documents('{"id": "a"\n{"id": "b"}\n{\n  "id": "c"\n}\n')
    expect(found.map(({ line, level }) => [line, level > 0])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ])
  })

  it('counts the colons after keys, not those in strings', async () => {
    const [document] = await documents('{"a": "x:y\\":", "b": {"c": 1}}\n')
    expect(document?.colons).toBe(3)
  })
})
