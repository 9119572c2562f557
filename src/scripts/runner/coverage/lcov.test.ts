import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatLcov } from './lcov.ts'

const root = resolve('project')

describe('an lcov tracefile', () => {
  it('has a record for each file', () => {
    const coverage = [
      {
        file: join(root, 'agents', 'booking.ts'),
        lines: [
          { line: 2, hits: 3 },
          { line: 3, hits: 0 },
          { line: 9, hits: 1 },
        ],
        functions: [
          { name: 'book', line: 1, hits: 3 },
          { name: 'cancel', line: 8, hits: 0 },
        ],
      },
      { file: join(root, '..', 'shared', 'types.ts'), lines: [], functions: [] },
    ]
    expect(formatLcov(coverage, root)).toBe(
      [
        'TN:',
        'SF:agents/booking.ts',
        'FN:1,book',
        'FN:8,cancel',
        'FNDA:3,book',
        'FNDA:0,cancel',
        'FNF:2',
        'FNH:1',
        'DA:2,3',
        'DA:3,0',
        'DA:9,1',
        'LF:3',
        'LH:2',
        'end_of_record',
        'TN:',
        'SF:../shared/types.ts',
        'FNF:0',
        'FNH:0',
        'LF:0',
        'LH:0',
        'end_of_record',
        '',
      ].join('\n'),
    )
  })

  it('tells functions of one name apart by their lines, and those of one line by their order', () => {
    const functions = [
      { name: '(anonymous)', line: 1, hits: 1 },
      { name: 'book', line: 2, hits: 2 },
      { name: '(anonymous)', line: 4, hits: 3 },
      { name: '(anonymous)', line: 4, hits: 0 },
    ]
    const record = formatLcov([{ file: join(root, 'a.ts'), lines: [], functions }], root)
    expect(record.split('\n').filter((line) => line.startsWith('FN'))).toEqual([
      'FN:1,(anonymous):1',
      'FN:2,book',
      'FN:4,(anonymous):4',
      'FN:4,(anonymous):4:2',
      'FNDA:1,(anonymous):1',
      'FNDA:2,book',
      'FNDA:3,(anonymous):4',
      'FNDA:0,(anonymous):4:2',
      'FNF:4',
      'FNH:3',
    ])
  })

  it('has each name on one line', () => {
    const functions = [{ name: '["a\n" +\r\n "b"]', line: 1, hits: 1 }]
    expect(formatLcov([{ file: join(root, 'a.ts'), lines: [], functions }], root)).toContain(
      'FN:1,["a " + "b"]\n',
    )
  })

  it('without coverage is empty', () => {
    expect(formatLcov([], root)).toBe('')
  })
})
