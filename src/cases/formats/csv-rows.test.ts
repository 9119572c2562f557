import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from './csv-rows.ts'

async function rows(content: string): Promise<unknown[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'viva-')), 'cases.csv')
  writeFileSync(path, content)
  const all: unknown[] = []
  for await (const row of readTable(path)) all.push('code' in row ? row.message : row.cells)
  return all
}

describe('the rows of a CSV file', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('keep %s in quoted cells as it is written', async (_, end) => {
    expect(await rows(`id,input${end}a,"one${end}${end}two"${end}b,three${end}`)).toEqual([
      ['a', `one${end}${end}two`],
      ['b', 'three'],
    ])
  })

  it('keep both line ends where a cell has both', async () => {
    expect(await rows('id,input\r\na,"one\ntwo\r\nthree"\r\n')).toEqual([['a', 'one\ntwo\r\nthree']])
  })

  it('go on after one that has too many cells', async () => {
    expect(await rows('id,input\na,b,c\nd,e\n')).toEqual([
      'invalid CSV: 3 cells, but there are 2 columns',
      ['d', 'e'],
    ])
  })
})
