import type { FileCoverage } from './coverage.ts'

/** Adds up the coverage of several workers, or of one at several times, sorted by file. */
export function mergeCoverage(all: FileCoverage[][]): FileCoverage[] {
  const merged = new Map<string, FileCoverage>()
  for (const coverage of all.flat()) {
    const known = merged.get(coverage.file)
    merged.set(coverage.file, known === undefined ? coverage : addCoverage(known, coverage))
  }
  return [...merged.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
}

function addCoverage(one: FileCoverage, other: FileCoverage): FileCoverage {
  return {
    file: one.file,
    lines: addHits(one.lines, other.lines, ({ line }) => String(line)),
    functions: addHits(one.functions, other.functions, ({ line, name }) => `${line} ${name}`),
  }
}

interface Counted {
  line: number
  hits: number
}

function addHits<Item extends Counted>(one: Item[], other: Item[], keyOf: (item: Item) => string): Item[] {
  const merged = groupByKey(one, keyOf)
  for (const [key, item] of groupByKey(other, keyOf)) {
    merged.set(key, { ...item, hits: item.hits + (merged.get(key)?.hits ?? 0) })
  }
  return [...merged.values()].sort((a, b) => a.line - b.line)
}

/** Functions of one name and line are told apart by their order, which is the same in all workers. */
function groupByKey<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item> {
  const seen = new Map<string, number>()
  return new Map(
    items.map((item) => {
      const key = keyOf(item)
      const count = (seen.get(key) ?? 0) + 1
      seen.set(key, count)
      return [`${key} ${count}`, item]
    }),
  )
}
