import { relativePath } from '../../../system/relative-path.ts'
import type { FileCoverage } from '../../protocol/coverage.ts'

type CoveredFunction = FileCoverage['functions'][number]

/** Writes an lcov tracefile, with paths relative to the root. */
export function formatLcov(coverage: FileCoverage[], root: string): string {
  return coverage
    .map((file) =>
      formatRecord(file, root)
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('')
}

function formatRecord({ file, lines, functions }: FileCoverage, root: string): string[] {
  const named = withUniqueNames(functions)
  return [
    'TN:',
    `SF:${relativePath(root, file)}`,
    ...named.map(({ line, name }) => `FN:${line},${name}`),
    ...named.map(({ hits, name }) => `FNDA:${hits},${name}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ hits }) => hits > 0).length}`,
    ...lines.map(({ line, hits }) => `DA:${line},${hits}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(({ hits }) => hits > 0).length}`,
    'end_of_record',
  ]
}

/** In lcov a function is identified by its name alone: names that occur more than once get their line. */
function withUniqueNames(functions: CoveredFunction[]): CoveredFunction[] {
  const seen = new Set<string>()
  return functions.map((covered) => {
    const name = covered.name.replace(/\s+/g, ' ')
    const isOnly = functions.filter((other) => other.name === covered.name).length === 1
    const own = makeUnique(seen, isOnly ? name : `${name}:${covered.line}`)
    seen.add(own)
    return { ...covered, name: own }
  })
}

function makeUnique(seen: Set<string>, name: string): string {
  let own = name
  for (let number = 2; seen.has(own); number += 1) own = `${name}:${number}`
  return own
}
