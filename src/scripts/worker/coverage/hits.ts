import type { Profiler } from 'node:inspector'
import type { Span } from 'oxc-parser'
import type { FileCoverage } from '../../protocol/coverage.ts'
import type { CodeUnit } from './code.ts'
import type { LocatedCode } from './locate.ts'

/**
 * Maps V8's counts to the lines and functions of a file. A line has the highest count of all code that begins on it. V8
 * counts blocks: code after a call that threw counts as run, up to the end of its block.
 */
export function countHits(
  file: string,
  { units, loops }: LocatedCode,
  counted: Profiler.FunctionCoverage[],
): FileCoverage {
  const lines = new Map<number, number>()
  const functions: FileCoverage['functions'] = []
  for (const { unit, function: named, points } of units) {
    // V8 leaves out code that did not run since the last call, and functions inside functions that never ran.
    const found = counted.find((candidate) => matchesUnit(unit, candidate))
    const ranges = found?.ranges.map((range) => clipToLoop(range, loops)) ?? []
    if (named !== undefined) functions.push({ ...named, hits: ranges[0]?.count ?? 0 })
    for (const { offset, line } of points) {
      // `if (wrong) return` runs when its `if` does, and `const f = () => 1` when the variable is set.
      lines.set(line, Math.max(lines.get(line) ?? 0, countAt(ranges, offset)))
    }
  }
  return {
    file,
    lines: Array.from(lines, ([line, hits]) => ({ line, hits })).sort((a, b) => a.line - b.line),
    functions: functions.sort((a, b) => a.line - b.line),
  }
}

function matchesUnit(unit: CodeUnit, { functionName, ranges: [whole] }: Profiler.FunctionCoverage): boolean {
  if (whole === undefined) return false
  const { startOffset: start, endOffset: end } = whole
  if (unit.kind === 'field') {
    // Versions of Node disagree on where these begin and end, but not on the class they are in.
    const name = unit.isStatic ? '<static_initializer>' : '<instance_members_initializer>'
    const isInClass = start >= unit.classStart && end <= unit.classEnd
    return functionName === name && isInClass && start <= unit.start && end > unit.start
  }
  if (functionName.endsWith('_initializer>') || end !== unit.end) return false
  return unit.kind === 'script' ? start === 0 : start >= unit.start && start <= unit.latestStart
}

/** The count of a loop's body must not extend beyond the loop. */
function clipToLoop(range: Profiler.CoverageRange, loops: Span[]): Profiler.CoverageRange {
  const ends = loops
    .filter(({ start, end }) => start < range.startOffset && range.startOffset < end)
    .map(({ end }) => end)
  return { ...range, endOffset: Math.min(range.endOffset, ...ends) }
}

/** Ranges of a function are nested: the smallest one around a place has its count. */
function countAt(ranges: Profiler.CoverageRange[], offset: number): number {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  const smallest = around.reduce<Profiler.CoverageRange | undefined>(
    (least, range) => (least === undefined || rangeSize(range) <= rangeSize(least) ? range : least),
    undefined,
  )
  return smallest?.count ?? 0
}

function rangeSize({ startOffset, endOffset }: Profiler.CoverageRange): number {
  return endOffset - startOffset
}
