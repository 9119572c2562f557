import type { Pattern } from '../../text/pattern.ts'
import { sameData } from '../equal/find-difference.ts'
import { isRecord } from '../json.ts'
import { compileEcmaScriptPattern } from './ecmascript-pattern.ts'
import { formats } from './formats.ts'
import { fault, formatData, type Keyword } from './keyword.ts'

const typeTests: Record<string, { words: string; holds(data: unknown): boolean }> = {
  string: { words: 'a string', holds: (data) => typeof data === 'string' },
  number: { words: 'a number', holds: (data) => typeof data === 'number' },
  integer: { words: 'an integer', holds: (data) => Number.isInteger(data) },
  boolean: { words: 'a boolean', holds: (data) => typeof data === 'boolean' },
  object: { words: 'an object', holds: isRecord },
  array: { words: 'an array', holds: Array.isArray },
  null: { words: 'null', holds: (data) => data === null },
}

const type: Keyword = (operand, { problem }) => {
  const names: unknown[] = Array.isArray(operand) ? operand : [operand]
  const tests = names.flatMap((name) =>
    typeof name === 'string' && Object.hasOwn(typeTests, name) ? [typeTests[name]] : [],
  )
  if (tests.length === 0 || tests.length < names.length) {
    return problem(`must be one of ${Object.keys(typeTests).join(', ')}, or a list of them`)
  }
  const words = tests.map((test) => test?.words).join(' or ')
  return (data, place, into) => {
    if (!tests.some((test) => test?.holds(data)))
      fault(into, place, `must be ${words}, is ${formatData(data)}`)
  }
}

const enumeration: Keyword = (operand, { problem }) => {
  if (!Array.isArray(operand)) return problem('must be a list of values')
  return (data, place, into) => {
    if (operand.some((value) => sameData(value, data))) return
    fault(into, place, `must be one of ${formatData(operand)}, is ${formatData(data)}`)
  }
}

const constant: Keyword = (operand) => (data, place, into) => {
  if (!sameData(operand, data)) fault(into, place, `must be ${formatData(operand)}, is ${formatData(data)}`)
}

function limit(words: string, holds: (data: number, limit: number) => boolean): Keyword {
  return (operand, { problem }) => {
    if (typeof operand !== 'number') return problem('must be a number')
    return (data, place, into) => {
      if (typeof data !== 'number' || holds(data, operand)) return
      fault(into, place, `must be ${words} ${operand}, is ${formatData(data)}`)
    }
  }
}

const multipleOf: Keyword = (operand, context) => {
  if (typeof operand === 'number' && operand <= 0) return context.problem('must be more than 0')
  return limit('a multiple of', isMultiple)(operand, context)
}

// 0.0075 / 0.0001 is not exactly 75 in binary, so a quotient within rounding of a whole number counts as one.
function isMultiple(data: number, factor: number): boolean {
  const quotient = data / factor
  if (!Number.isFinite(quotient)) return data % factor === 0
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * 4 * Math.abs(quotient)
}

/** Limits for a number that some data has: the length of a text, the number of its keys. */
export function countLimits(unit: string, count: (data: unknown) => number | undefined) {
  const limited =
    (words: string, holds: (count: number, limit: number) => boolean): Keyword =>
    (operand, { problem }) => {
      if (!isCount(operand)) return problem('must be a whole number, 0 or more')
      return (data, place, into) => {
        const length = count(data)
        if (length !== undefined && !holds(length, operand))
          fault(into, place, `must have ${words} ${operand} ${unit}, has ${length}`)
      }
    }
  return {
    least: limited('at least', (length, least) => length >= least),
    most: limited('at most', (length, most) => length <= most),
  }
}

const characterCount = countLimits('characters', (data) =>
  typeof data === 'string' ? Array.from(data).length : undefined,
)

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

const pattern: Keyword = (operand, { problem }) => {
  if (typeof operand !== 'string') return problem('must be a regular expression')
  const compiled = tryPattern(operand, problem)
  if (compiled === undefined) return undefined
  return (data, place, into) => {
    if (typeof data !== 'string' || compiled.test(data)) return
    fault(into, place, `must match /${operand}/, is ${formatData(data)}`)
  }
}

export function tryPattern(source: string, problem: (message: string) => undefined): Pattern | undefined {
  try {
    return compileEcmaScriptPattern(source)
  } catch (error) {
    return problem(`has a bad regular expression: ${error instanceof Error ? error.message : error}`)
  }
}

const format: Keyword = (operand, { problem }) => {
  if (typeof operand !== 'string') return problem('must be the name of a format')
  const holds = Object.hasOwn(formats, operand) ? formats[operand] : undefined
  if (holds === undefined) return undefined
  return (data, place, into) => {
    if (typeof data !== 'string' || holds(data)) return
    fault(into, place, `must be in the format ${operand}, is ${formatData(data)}`)
  }
}

export const valueKeywords: Record<string, Keyword> = {
  type,
  enum: enumeration,
  const: constant,
  minimum: limit('at least', (data, least) => data >= least),
  maximum: limit('at most', (data, most) => data <= most),
  exclusiveMinimum: limit('more than', (data, least) => data > least),
  exclusiveMaximum: limit('less than', (data, most) => data < most),
  multipleOf,
  minLength: characterCount.least,
  maxLength: characterCount.most,
  pattern,
  format,
}
