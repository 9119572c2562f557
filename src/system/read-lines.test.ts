import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FileLine, readFileLines } from './read-lines.ts'

async function lines(content: string | Buffer): Promise<FileLine[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'viva-')), 'file')
  writeFileSync(path, content)
  const all: FileLine[] = []
  for await (const line of readFileLines(path)) all.push(line)
  return all
}

describe('readLines', () => {
  it('yields each line with its number and its byte range', async () => {
    expect(await lines('ä\nb\r\n\nlast')).toEqual([
      { text: 'ä', number: 1, bytes: [0, 3], complete: true, carriageReturn: false },
      { text: 'b', number: 2, bytes: [3, 6], complete: true, carriageReturn: true },
      { text: '', number: 3, bytes: [6, 7], complete: true, carriageReturn: false },
      { text: 'last', number: 4, bytes: [7, 11], complete: false, carriageReturn: false },
    ])
  })

  it('leaves out a byte order mark', async () => {
    expect((await lines('\uFEFFa\n'))[0]?.text).toBe('a')
  })

  it('joins lines that span many chunks, even within a character', async () => {
    const long = '€'.repeat(200_000)
    expect((await lines(`${long}\nb\n`)).map(({ text }) => text)).toEqual([long, 'b'])
  })

  it('yields nothing for an empty file', async () => {
    expect(await lines('')).toEqual([])
  })
})
