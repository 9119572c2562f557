import { sameData } from '../json/equal/find-difference.ts'
import { isRecord, textOrJson } from '../json/json.ts'
import { compilePattern } from '../text/pattern.ts'
import { shorten } from '../text/shorten.ts'
import { didYouMean, type ReportProblem, reportThrown } from './definition.ts'
import { show } from './describe.ts'

interface Miss {
  at: string
  actual: unknown
  expectation: string
}

type CollectMisses = (actual: unknown, at: string, misses: Miss[]) => void

/** Compiles expected arguments to a function that lists how actual ones differ: `amount was 3500, expected 3600`. */
export function compileArguments(expected: unknown): (actual: unknown) => string[] {
  const missesOf = compileMatch(expected, 'the argument list')
  return (actual) => missesOf(parseJsonArguments(actual))
}

/** The same for any value. Objects may have more keys, and matchers stand for values. `whole` is the name of the value. */
export function compileMatch(expected: unknown, whole: string): (actual: unknown) => string[] {
  const collect = compileValue(expected)
  return (actual) => {
    const misses: Miss[] = []
    collect(actual, '', misses)
    return misses.map((miss) => describeMiss(miss, whole))
  }
}

/** Replaces every part of the expected arguments that matches by the actual one, so that a diff only shows the misses. */
export function alignArguments(expected: unknown, actual: unknown): unknown {
  if (isMatcher(expected)) return compileMatch(expected, '')(actual).length === 0 ? actual : expected
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.map((member, index) => alignArguments(member, actual[index]))
  if (!isRecord(expected) || !isRecord(actual)) return expected
  return Object.fromEntries(
    Object.entries(expected).map(([key, member]) => [key, alignArguments(member, actual[key])]),
  )
}

// Some agents report the arguments as the JSON text that their model wrote.
export function parseJsonArguments(actual: unknown): unknown {
  if (typeof actual !== 'string') return actual
  try {
    return JSON.parse(actual)
  } catch {
    return actual
  }
}

function compileValue(expected: unknown): CollectMisses {
  if (isMatcher(expected)) return compileMatcher(expected)
  if (Array.isArray(expected)) return compileArray(expected)
  if (isRecord(expected)) return compileRecord(expected)
  return (actual, at, misses) => {
    if (!sameData(actual, expected)) misses.push({ at, actual, expectation: show(expected) })
  }
}

// Additional keys of the actual object are ignored.
function compileRecord(expected: Record<string, unknown>): CollectMisses {
  const members = Object.entries(expected).map(([key, value]) => ({ key, collect: compileValue(value) }))
  return (actual, at, misses) => {
    if (!isRecord(actual)) return void misses.push({ at, actual, expectation: show(expected) })
    for (const { key, collect } of members) {
      collect(Object.hasOwn(actual, key) ? actual[key] : undefined, at === '' ? key : `${at}.${key}`, misses)
    }
  }
}

function compileArray(expected: unknown[]): CollectMisses {
  const members = expected.map(compileValue)
  return (actual, at, misses) => {
    if (!Array.isArray(actual) || actual.length !== members.length) {
      return void misses.push({ at, actual, expectation: show(expected) })
    }
    for (const [index, collect] of members.entries()) collect(actual[index], `${at}[${index}]`, misses)
  }
}

function describeMiss({ at, actual, expectation }: Miss, whole: string): string {
  const place = at === '' ? whole : shorten(at.replace(/^(?=\[)/, whole), 80)
  return `${place} was ${actual === undefined ? 'missing' : show(actual)}, expected ${expectation}`
}

interface Matcher {
  /** Throws if the operand is wrong. */
  validate(operand: unknown): void
  expectation(operand: unknown): string
  compile(operand: unknown): (actual: unknown) => boolean
}

const matchers: Record<string, Matcher> = {
  $regex: {
    validate(operand) {
      if (typeof operand !== 'string') throw new Error('"$regex" takes a pattern')
      compilePattern(operand)
    },
    expectation: (operand) => `a match of /${shorten(String(operand), 80)}/`,
    compile(operand) {
      const pattern = compilePattern(String(operand))
      return (actual) => pattern.test(textOrJson(actual))
    },
  },
  $any: {
    validate(operand) {
      if (operand !== true) throw new Error('"$any" takes true')
    },
    expectation: () => 'any value',
    compile: () => () => true,
  },
  $gt: comparison('$gt', 'more than', (actual, limit) => actual > limit),
  $gte: comparison('$gte', 'at least', (actual, limit) => actual >= limit),
  $lt: comparison('$lt', 'less than', (actual, limit) => actual < limit),
  $lte: comparison('$lte', 'at most', (actual, limit) => actual <= limit),
}

function comparison(name: string, words: string, holds: (actual: number, limit: number) => boolean): Matcher {
  return {
    validate(operand) {
      if (typeof operand !== 'number') throw new Error(`"${name}" takes a number`)
    },
    expectation: (operand) => `${words} ${show(operand)}`,
    compile: (operand) => (actual) => typeof actual === 'number' && holds(actual, Number(operand)),
  }
}

// An object with only `$` keys is a matcher; one that also has other keys, like `{"$ref": …, "x": …}`, is data.
function isMatcher(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => key.startsWith('$'))
}

function compileMatcher(expected: Record<string, unknown>): CollectMisses {
  const parts = Object.entries(expected).map(([name, operand]) => {
    const matcher = matchers[name]
    if (matcher === undefined) throw new Error(`unknown matcher "${name}"`)
    return { matcher, operand, holds: matcher.compile(operand) }
  })
  return (actual, at, misses) => {
    const broken = parts.find((part) => actual === undefined || !part.holds(actual))
    if (broken !== undefined)
      misses.push({ at, actual, expectation: broken.matcher.expectation(broken.operand) })
  }
}

/** Reports matchers that are misspelt, mixed with plain keys, or have a wrong operand. */
export function checkMatchers(expected: unknown, path: readonly PropertyKey[], problem: ReportProblem): void {
  if (Array.isArray(expected)) {
    for (const [index, member] of expected.entries()) checkMatchers(member, [...path, index], problem)
  } else if (isMatcher(expected)) {
    for (const [name, operand] of Object.entries(expected))
      checkMatcher(name, operand, [...path, name], problem)
  } else if (isRecord(expected)) {
    for (const [key, member] of Object.entries(expected)) {
      if (Object.hasOwn(matchers, key)) problem([...path, key], `"${key}" cannot be combined with plain keys`)
      checkMatchers(member, [...path, key], problem)
    }
  }
}

function checkMatcher(
  name: string,
  operand: unknown,
  path: readonly PropertyKey[],
  problem: ReportProblem,
): void {
  const matcher = Object.hasOwn(matchers, name) ? matchers[name] : undefined
  if (matcher !== undefined) reportThrown(path, problem, () => matcher.validate(operand))
  else problem(path, `unknown matcher "${name}"${didYouMean(name, Object.keys(matchers))}`)
}
