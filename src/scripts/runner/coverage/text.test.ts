import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileCoverage } from '../../protocol/coverage.ts'
import { coverageRows } from './text.ts'

const root = resolve('project')

function createCoverage(file: string, lines: Record<number, number>, ...functions: number[]): FileCoverage {
  return {
    file: join(root, file),
    lines: Object.entries(lines).map(([line, hits]) => ({ line: Number(line), hits })),
    functions: functions.map((hits, index) => ({ name: 'run', line: index, hits })),
  }
}

function formatUncovered(lines: Record<number, number>): string | undefined {
  return coverageRows([createCoverage('a.ts', lines)], root)[0]?.uncovered
}

describe('coverageRows', () => {
  it('returns one row per file, and one for all', () => {
    const coverage = [
      createCoverage('agents/a.ts', { 1: 1, 2: 0, 3: 4, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1 }, 1, 0, 0),
      createCoverage('b.ts', { 1: 1, 2: 1 }, 1),
    ]
    expect(coverageRows(coverage, root)).toEqual([
      { file: 'agents/a.ts', lines: '87.5%', functions: '33.3%', uncovered: '2' },
      { file: 'b.ts', lines: '100%', functions: '100%', uncovered: '' },
      { file: 'all files', lines: '90%', functions: '50%', uncovered: '' },
    ])
  })

  it('shows 100% only when everything ran, and 0% when nothing did', () => {
    const hits = Array.from({ length: 2000 }, (_, index) => (index === 0 ? 0 : 1))
    const almost = createCoverage('almost.ts', { 1: 0 }, ...hits)
    expect(coverageRows([almost], root)[0]).toMatchObject({ lines: '0%', functions: '99.9%' })
  })

  it('shows a dash when there is nothing to cover', () => {
    expect(coverageRows([createCoverage('types.ts', {})], root)[0]).toEqual({
      file: 'types.ts',
      lines: '-',
      functions: '-',
      uncovered: '',
    })
    expect(coverageRows([], root)).toEqual([{ file: 'all files', lines: '-', functions: '-', uncovered: '' }])
  })

  it('lists uncovered lines as ranges, which lines without code do not split', () => {
    expect(formatUncovered({ 1: 1, 12: 0, 13: 0, 14: 0, 15: 1, 20: 0 })).toBe('12-14, 20')
    expect(formatUncovered({ 3: 0, 5: 0, 9: 1, 11: 0, 19: 0 })).toBe('3-5, 11-19')
  })
})
