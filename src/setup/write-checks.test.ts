import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuthoredCase } from '../cases/case-schema.ts'
import type { CaseEntry, CaseSource } from '../cases/entry.ts'
import { type AcceptedChecks, rememberCaseFiles, writeChecks } from './write-checks.ts'

const line = '{"id":"a","input":"Hi"}\n'
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'viva-write-'))
  for (const file of ['one.jsonl', 'two.jsonl']) writeFileSync(join(root, file), line)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const source = {
  loadChanged: (_entry: CaseEntry, change: (authored: AuthoredCase) => AuthoredCase) =>
    void change({ id: 'a', input: 'Hi' }),
} as unknown as CaseSource

function accepted(file: string): AcceptedChecks {
  const entry = { id: 'a', file, line: 1, hash: '', tags: [], at: { bytes: [0, 1] } } satisfies CaseEntry
  const check = { at: 'case', assertion: { type: 'contains', value: 'b' } } as const
  return { entry, checks: [{ check, kills: 1 }] }
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('accepted checks', () => {
  it('are written to their files', async () => {
    const files = rememberCaseFiles([{ file: 'one.jsonl' }, { file: 'two.jsonl' }], root)
    const result = await writeChecks([accepted('one.jsonl'), accepted('two.jsonl')], files, source)
    expect(result.written).toEqual([
      { file: 'one.jsonl', checks: 1 },
      { file: 'two.jsonl', checks: 1 },
    ])
    expect(read('two.jsonl')).toBe('{"id":"a","input":"Hi","assert":{"type":"contains","value":"b"}}\n')
  })

  it('are written to none, if one of the files was changed meanwhile', async () => {
    const files = rememberCaseFiles([{ file: 'one.jsonl' }, { file: 'two.jsonl' }], root)
    writeFileSync(join(root, 'two.jsonl'), `// edited\n${line}`)
    await expect(writeChecks([accepted('one.jsonl'), accepted('two.jsonl')], files, source)).rejects.toThrow(
      '--write: two.jsonl was changed since it was read: nothing was written',
    )
    expect(read('one.jsonl')).toBe(line)
  })

  it('are listed where they are already written, if a later file cannot be', async () => {
    const files = rememberCaseFiles([{ file: 'one.jsonl' }, { file: 'two.jsonl' }], root)
    // The draft of the second file cannot be opened.
    mkdirSync(join(realpathSync(root), `two.jsonl.${process.pid}.part`))
    await expect(writeChecks([accepted('one.jsonl'), accepted('two.jsonl')], files, source)).rejects.toThrow(
      /two\.jsonl cannot be written: .*\(before that: 1 check added to one\.jsonl\)$/,
    )
    expect(read('one.jsonl')).toContain('"assert"')
    expect(read('two.jsonl')).toBe(line)
  })

  it('of cases that are in no file are for a person to add', async () => {
    const files = rememberCaseFiles([{ file: '-' }, { file: 'gone.jsonl' }, { file: 'a.cases.ts' }], root)
    const result = await writeChecks([accepted('-'), accepted('a.cases.ts')], files, source)
    expect(result.written).toEqual([])
    expect(result.byHand.map(({ accepted: { entry } }) => entry.file)).toEqual(['-', 'a.cases.ts'])
  })
})
