import { afterEach, describe, expect, it, vi } from 'vitest'
import { type SearchedBlock, searchBlocks } from './search-blocks.ts'

afterEach(() => vi.restoreAllMocks())

/** Blocks as in the file, of results with these texts. */
function createBlocks(...blocks: string[][]): SearchedBlock[] {
  let first = 0
  return blocks.map((texts) => {
    const lines = texts.map((input) => JSON.stringify({ type: 'result', status: 'passed', input }))
    const block = { first, text: async () => `[${lines.join(',\n')}]` }
    first += texts.length
    return block
  })
}

async function search(blocks: readonly SearchedBlock[], words: readonly string[], signal?: AbortSignal) {
  const told: [readonly number[], number][] = []
  const tell = (found: readonly number[], share: number) => told.push([found, share])
  await searchBlocks(blocks, words, tell, signal ?? new AbortController().signal)
  return told
}

describe('searchBlocks', () => {
  const blocks = createBlocks(['My Refund', 'a parcel'], ['no', 'a\n"refund",\nplease', 'refund?'])

  it('finds results by their position in the run', async () => {
    expect(await search(blocks, ['refund'])).toEqual([[[0, 3, 4], 1]])
    expect(await search(blocks, ['refund', 'please'])).toEqual([[[3], 1]])
    expect(await search(blocks, ['"refund"'])).toEqual([[[3], 1]])
  })

  it("finds nothing in viva's own words", async () => {
    expect(await search(blocks, ['passed'])).toEqual([[[], 1]])
  })

  it('does not parse results that cannot have the words', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    await search(blocks, ['parcel'])
    expect(parse).toHaveBeenCalledTimes(1)
  })

  it('reports what it found about once a second, not for every block', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const slow = createBlocks(...Array.from({ length: 10 }, () => ['refund'])).map(({ first, text }) => ({
      first,
      text: () => {
        now += 400
        return text()
      },
    }))
    expect(await search(slow, ['refund'])).toEqual([
      [[0, 1, 2], 0.3],
      [[3, 4, 5], 0.6],
      [[6, 7, 8], 0.9],
      [[9], 1],
    ])
  })

  it('reports nothing after it was aborted', async () => {
    const controller = new AbortController()
    controller.abort()
    expect(await search(blocks, ['refund'], controller.signal)).toEqual([])
  })
})
