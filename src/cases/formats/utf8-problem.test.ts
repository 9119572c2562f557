import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { utf8Problem } from './utf8-problem.ts'

const latin1 = Buffer.from('{"id": "caf\u00e9"}', 'latin1')

function problemIn(...parts: (string | Buffer)[]) {
  const path = join(mkdtempSync(join(tmpdir(), 'viva-')), 'x.jsonl')
  writeFileSync(path, Buffer.concat(parts.map((part) => Buffer.from(part))))
  return utf8Problem(path)
}

describe('utf8Problem', () => {
  it('reports line and column', async () => {
    expect(await problemIn('{}\n{}\n', latin1, '\n{}')).toMatchObject({ line: 3, column: 12 })
    expect(await problemIn(latin1)).toMatchObject({ line: 1, column: 12 })
  })

  it('finds invalid bytes after many megabytes, and accepts characters that span chunks', async () => {
    const line = `${'é'.repeat(700_001)}\n`
    expect(await problemIn(line, line, 'é')).toBeUndefined()
    expect(await problemIn(line, line, latin1)).toMatchObject({ line: 3 })
  })

  it('accepts replacement characters in the file', async () => {
    expect(await problemIn('\uFFFD')).toBeUndefined()
  })
})
