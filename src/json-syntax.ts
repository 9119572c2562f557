import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { ConfigError } from './errors.ts'

/** JSON with comments and trailing commas, as `.yao` files have them. */
export function parseJsonc(text: string, file: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const first = errors[0]
  if (first === undefined) return value
  const before = text.slice(0, first.offset).split('\n')
  throw new ConfigError({
    code: 'invalid_json',
    message: `invalid JSON: ${describeSyntaxError(first)}`,
    file,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  })
}

/** `CommaExpected` → `comma expected` */
export function describeSyntaxError(error: ParseError): string {
  // More follows where one value should end: `{…} {…}`, or a comma too many.
  if (printParseErrorCode(error.error) === 'EndOfFileExpected') return 'more text after the value'
  return printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}
