import type { JSONPathEnvironment, JSONValue } from 'json-p3'
import { errorMessage } from '../errors.ts'
import { requirePackage } from '../require-package.ts'
import { compilePattern, type Pattern } from '../text/pattern.ts'

/** Compiles a JSONPath of RFC 9535 to a function that returns all matches. Throws with a message for the author. */
export function compileJsonPath(source: string): (data: unknown) => unknown[] {
  try {
    const query = environment().compile(source)
    // The lazy form, because the eager one spreads matches into arguments and overflows for long arrays.
    return (data) => Array.from(query.lazyQuery(data as JSONValue), (node) => node.value)
  } catch (error) {
    throw new Error(`not a valid JSONPath: ${errorMessage(error)}`)
  }
}

let shared: JSONPathEnvironment | undefined

// Loaded lazily: dotted paths do not need it.
function environment(): JSONPathEnvironment {
  if (shared !== undefined) return shared
  const jsonPath = requirePackage('json-p3') as typeof import('json-p3')
  const created = new jsonPath.JSONPathEnvironment({ maxRecursionDepth: 1000 })
  const { ValueType, LogicalType } = jsonPath.FunctionExpressionType
  // The functions of the library use RegExp, which hostile patterns or texts can hang.
  const tests = {
    match: (pattern: Pattern, text: string) => pattern.testWhole(text),
    search: (pattern: Pattern, text: string) => pattern.test(text),
  }
  for (const [name, matches] of Object.entries(tests))
    created.functionRegister.set(name, {
      argTypes: [ValueType, ValueType],
      returnType: LogicalType,
      call(text: unknown, source: unknown): boolean {
        if (typeof text !== 'string' || typeof source !== 'string') return false
        const pattern = cachedPattern(source)
        return pattern !== undefined && matches(pattern, text)
      },
    })
  // The function of the library counts surrogates instead of characters.
  const length = created.functionRegister.get('length')
  if (length !== undefined) {
    created.functionRegister.set('length', {
      argTypes: length.argTypes,
      returnType: length.returnType,
      call: (value: unknown) => length.call(typeof value === 'string' ? [...value] : value),
    })
  }
  refuseInvalidPatterns(created)
  shared = created
  return created
}

// A pattern in the path is checked when the path is compiled; according to the RFC it would just never match.
function refuseInvalidPatterns(created: JSONPathEnvironment): void {
  const check = created.checkWellTypedness.bind(created)
  created.checkWellTypedness = (token, args) => {
    const pattern = token.value === 'match' || token.value === 'search' ? args[1] : undefined
    if (pattern !== undefined && 'value' in pattern && typeof pattern.value === 'string') {
      compilePattern(translateDots(pattern.value))
    }
    return check(token, args)
  }
}

const compiled = new Map<string, Pattern | undefined>()

// A pattern from the data may be anything; according to the RFC an invalid one matches nothing.
function cachedPattern(source: string): Pattern | undefined {
  if (!compiled.has(source)) {
    if (compiled.size >= 100) compiled.clear()
    compiled.set(source, tryPattern(source))
  }
  return compiled.get(source)
}

function tryPattern(source: string): Pattern | undefined {
  try {
    return compilePattern(translateDots(source))
  } catch {
    return undefined
  }
}

/** In JSONPath's regular expressions (RFC 9485) a dot does not match a carriage return either. */
function translateDots(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\\\]])*\]|\./gs, (part) => (part === '.' ? '[^\\n\\r]' : part))
}
