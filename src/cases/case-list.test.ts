import { describe, expect, it } from 'vitest'
import { CaseColumns } from './case-list.ts'
import type { CaseEntry } from './entry.ts'

const plain: CaseEntry = {
  id: 'T1',
  file: 'a.jsonl',
  line: 1,
  hash: '0123456789abcdef',
  tags: [],
  at: { bytes: [0, 20] },
}

const others: CaseEntry[] = [
  { ...plain, id: 'T2', line: 2, at: { bytes: [20, 50] } },
  { ...plain, id: 'T3', line: 3, name: 'named', at: { bytes: [5 * 2 ** 32 + 7, 5 * 2 ** 32 + 9] } },
  { ...plain, id: 'T4', tags: ['smoke'], multiTurn: true, unchecked: true, retries: 2 },
  { ...plain, id: 'T5', simulator: 'user', validators: ['judge'], timeoutMs: 5, stubs: ['find'] },
  { ...plain, id: 'T6', lacks: [{ code: 'unknown', message: 'no such judge' }] },
  { ...plain, id: 'T7', file: '', line: 0, hash: 'other', at: { inline: { input: 'Hello' } } },
  { ...plain, id: 'T8', file: 'b_test.ts', at: { script: 'T8' } },
  { ...plain, id: 'T9', file: 'suite.ts', at: { suite: 'support' } },
]

describe('CaseColumns', () => {
  it('returns every entry as it was added', () => {
    const columns = new CaseColumns()
    for (const entry of [plain, ...others]) columns.add(entry)
    expect([...columns.list()]).toEqual([plain, ...others])
    expect(columns.list().at(3)).toEqual(others[2])
  })

  it('does not let a change of one entry affect another', () => {
    const columns = new CaseColumns()
    columns.add(plain)
    columns.add({ ...plain, id: 'T2' })
    const [first] = columns.list()
    Object.assign(first ?? {}, { file: 'changed', retries: 1 })
    expect([...columns.list()]).toEqual([plain, { ...plain, id: 'T2' }])
  })
})
