import { describe, expect, it } from 'vitest'
import { wholeResults } from './export-results.ts'
import type { PageResult } from './report-data.ts'

/** Results with their number and a given size. */
function load(length: number) {
  return async (id: number) => ({ id, text: 'ü'.repeat(length) }) as unknown as PageResult
}

async function exported(positions: readonly number[], length = 1): Promise<{ ids: number[]; parts: Blob[] }> {
  const parts = await wholeResults({ load: load(length) }, positions)
  const results: { id: number }[] = JSON.parse(await new Blob(parts).text())
  return { ids: results.map(({ id }) => id), parts }
}

describe('exported results', () => {
  it('are the requested ones, in the order of the run', async () => {
    expect((await exported([])).ids).toEqual([])
    expect((await exported([7])).ids).toEqual([7])
    expect((await exported([7, 10, 2])).ids).toEqual([2, 7, 10])
  })

  it('are split into parts', async () => {
    const { ids, parts } = await exported([0, 1, 2, 3, 4], 3_000_000)
    expect(ids).toEqual([0, 1, 2, 3, 4])
    expect(parts.length).toBeGreaterThan(2)
  })
})
