import { findNodeAtLocation, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import { ConfigError } from '../errors.ts'

/** Parses JSON with comments and trailing commas, as in `.yao` files. */
export function parseJsonc(text: string, file: string): unknown {
  const errors: ParseError[] = []
  const value = parsed(text.replace(/^\uFEFF/, ''), errors, file)
  const first = errors[0]
  if (first === undefined) return value
  throw new ConfigError({
    code: 'invalid_json',
    message: `invalid JSON: ${describeSyntaxError(first)}`,
    file,
    ...placeAt(text, first.offset),
  })
}

/** Data that is nested too deeply overflows the stack of the parser. */
function parsed(text: string, errors: ParseError[], file: string): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConfigError({ code: 'too_deep', message: 'it is nested too deeply', file })
  }
}

/** The place of a value, or of the nearest value around it. */
export function placeInJson(
  text: string,
  path: (string | number)[],
  key?: string,
): { line: number; column: number } {
  const root = parseTree(text)
  if (root === undefined) return placeAt(text, 0)
  const wanted = key === undefined ? path : [...path, key]
  for (let length = wanted.length; length > 0; length--) {
    const node = findNodeAtLocation(root, wanted.slice(0, length))
    if (node) return placeAt(text, (node.parent?.type === 'property' ? node.parent : node).offset)
  }
  return placeAt(text, root.offset)
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** `CommaExpected` → `comma expected` */
export function describeSyntaxError(error: ParseError): string {
  // Something follows the value: `{…} {…}`, or an extra comma.
  if (printParseErrorCode(error.error) === 'EndOfFileExpected') return 'more text after the value'
  return printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}
