import { describe, expect, it } from 'vitest'
import type { FileCoverage } from './coverage.ts'
import { mergeCoverage } from './merge-coverage.ts'

function createCoverage(file: string, ...hits: number[]): FileCoverage {
  return { file, lines: hits.map((count, index) => ({ line: index + 1, hits: count })), functions: [] }
}

describe('mergeCoverage', () => {
  it('adds hits up and sorts by file', () => {
    const all = [[createCoverage('/b', 1, 0), createCoverage('/a', 0, 2)], [], [createCoverage('/b', 2, 0)]]
    expect(mergeCoverage(all)).toEqual([createCoverage('/a', 0, 2), createCoverage('/b', 3, 0)])
  })

  it('returns nothing for no coverage', () => {
    expect(mergeCoverage([])).toEqual([])
  })

  it('keeps the lines of all', () => {
    const first = { file: '/a', lines: [{ line: 9, hits: 1 }], functions: [] }
    expect(mergeCoverage([[first], [createCoverage('/a', 1)]])).toEqual([
      {
        file: '/a',
        lines: [
          { line: 1, hits: 1 },
          { line: 9, hits: 1 },
        ],
        functions: [],
      },
    ])
  })

  it('keeps functions of one name apart, even on one line', () => {
    const createFunctions = (...hits: number[]) =>
      [3, 3, 8, 8].map((line, index) => ({
        name: index === 3 ? 'book' : '(anonymous)',
        line,
        hits: hits[index] ?? 0,
      }))
    const [merged] = mergeCoverage([
      [{ file: '/a', lines: [], functions: createFunctions(1, 0, 0, 5) }],
      [{ file: '/a', lines: [], functions: createFunctions(2, 1, 0, 1) }],
    ])
    expect(merged?.functions).toEqual(createFunctions(3, 1, 0, 6))
  })

  it('does not change its arguments', () => {
    const one = createCoverage('/a', 1)
    const other = createCoverage('/a', 2)
    mergeCoverage([[one], [other]])
    expect([one, other]).toEqual([createCoverage('/a', 1), createCoverage('/a', 2)])
  })
})
