import { errorMessage } from '../errors.ts'
import { requirePackage } from '../require-package.ts'

/** A compiled regular expression in RE2 syntax, which takes linear time for every pattern. */
export interface Pattern {
  source: string
  /** The first match anywhere in the text. */
  find(text: string): string | undefined
  /** The groups of the first match, starting with the whole match. */
  groups(text: string): string[] | undefined
  test(text: string): boolean
  /** Whether the whole text matches. */
  testWhole(text: string): boolean
  /** `replacement` is used literally and must not contain `$`. */
  replaceAll(text: string, replacement: string): string
}

/** Patterns are compiled when they are validated and again when they are used. */
const compiledPatterns = new Map<string, Pattern>()
const maxCompiledPatterns = 1000

/** Throws an error with a message for the author when the pattern is not RE2. */
export function compilePattern(source: string): Pattern {
  const known = compiledPatterns.get(source)
  if (known !== undefined) return known
  if (compiledPatterns.size >= maxCompiledPatterns) compiledPatterns.clear()
  const pattern = createPattern(source)
  compiledPatterns.set(source, pattern)
  return pattern
}

function createPattern(source: string): Pattern {
  // Loaded lazily, when the first case needs it.
  const { RE2JS } = requirePackage('re2js') as typeof import('re2js')
  const compiled = compile(() => RE2JS.compile(source), source)
  return {
    source,
    find(text) {
      const matcher = compiled.matcher(text)
      return matcher.find() ? (matcher.group() ?? '') : undefined
    },
    groups(text) {
      const matcher = compiled.matcher(text)
      if (!matcher.find()) return undefined
      return Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? '')
    },
    test: (text) => compiled.test(text),
    testWhole: (text) => compiled.testExact(text),
    replaceAll: (text, replacement) => compiled.matcher(text).replaceAll(replacement),
  }
}

const notInRe2 = /\(\?(?:[=!>]|<[=!])|\\[1-9]|\\k</

function compile<T>(attempt: () => T, source: string): T {
  try {
    return attempt()
  } catch (error) {
    const detail = errorMessage(error).replace(/^error parsing regexp: /, '')
    const hint = notInRe2.test(source) ? '; RE2 has no lookaheads, lookbehinds or backreferences' : ''
    throw new Error(`the pattern must be in RE2 syntax: ${detail}${hint}`)
  }
}
