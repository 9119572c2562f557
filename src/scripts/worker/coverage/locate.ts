import { type Code, type CodePoint, type CodeUnit, type FunctionUnit, parseCode } from './code.ts'
import { findOrigin, type TextOrigin } from './origin.ts'

export interface LocatedCode {
  units: LocatedUnit[]
  loops: Code['loops']
}

/** A unit of code, with the lines of the source. */
interface LocatedUnit {
  unit: CodeUnit
  /** Absent for functions that are not in the source, like the one that an `enum` is compiled to. */
  function?: { name: string; line: number }
  points: { offset: number; line: number }[]
}

export function locateCode(file: string, text: string): LocatedCode {
  const origin = findOrigin(file, text)
  const { units, loops } = parseCode(file, text)
  const functions = units.filter((unit) => unit.kind === 'function')
  const functionLines = new Map(functions.map((unit) => [unit.start, findFunctionLine(unit, origin)]))
  const located = units.map((unit) => {
    const line = unit.kind === 'function' ? functionLines.get(unit.start) : undefined
    return {
      unit,
      ...(unit.kind === 'function' && line !== undefined && { function: { name: unit.name, line } }),
      points: unit.points.flatMap((point) => {
        const line = functionLines.get(point.start) ?? findPointLine(point, origin)
        return line === undefined ? [] : [{ offset: point.start, line }]
      }),
    }
  })
  return { units: located, loops }
}

function findPointLine({ start, end, isPart }: CodePoint, origin: TextOrigin): number | undefined {
  const place = origin.first(start, end)
  // For a part it must be the exact start: what follows may be several lines below.
  if (place === undefined || (isPart && place.offset !== start)) return undefined
  return origin.lineAt(place.sourceOffset)
}

function findFunctionLine(unit: FunctionUnit, origin: TextOrigin): number | undefined {
  // The `{` of a function that the compiler generated has no source.
  if (unit.hasBlock && origin.first(unit.bodyStart, unit.bodyStart + 1) === undefined) return undefined
  const place = origin.first(unit.nameStart, unit.end)
  if (place === undefined) return undefined
  const isExact = !unit.isArrow || place.offset === unit.start
  const isParameter = place.offset < unit.bodyStart
  return origin.lineAt(
    isExact ? place.sourceOffset : findArrowStart(origin.source, place.sourceOffset, isParameter),
  )
}

const bareParameter = /[\p{ID_Continue}$]+\s*=>/uy

/** Goes back from the first known place of an arrow function, in its parameters or its body, to its beginning. */
function findArrowStart(source: string, known: number, isParameter: boolean): number {
  if (!isParameter) return Math.max(0, source.lastIndexOf('=>', known))
  bareParameter.lastIndex = known
  const before = source.slice(0, known).trimEnd()
  return bareParameter.test(source) || !before.endsWith('(') ? known : before.length - 1
}
