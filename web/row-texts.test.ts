import { describe, expect, it, vi } from 'vitest'
import { createRow } from './row.fixture.ts'
import { prepareTexts, rowText } from './row-texts.ts'

describe('the searchable text of a row', () => {
  it('is what the table shows, in lower case', () => {
    const row = createRow({ id: 'T1', name: 'A Refund', reason: 'Too late', opening: 'Hi', tags: ['Smoke'] })
    expect(rowText([row], 0)).toBe('t1\na refund\ntoo late\nhi\na.jsonl\nsmoke')
  })

  it('is made once, in advance', async () => {
    const rows = [createRow({ id: 'T1' }), createRow({ id: 'T2' })]
    await prepareTexts(rows, new AbortController().signal)
    const lower = vi.spyOn(String.prototype, 'toLowerCase')
    expect(rowText(rows, 1)).toContain('t2')
    expect(lower).not.toHaveBeenCalled()
    lower.mockRestore()
  })
})
