import { ConfigError, errorMessage } from '../../errors.ts'
import { compilePattern, type Pattern } from '../../text/pattern.ts'

export interface Masks {
  fields: FieldMask[]
  patterns: PatternMask[]
}

export interface FieldMask {
  /** As the user wrote it. */
  written: string
  /** From the outer to the inner field, in lower case. */
  names: string[]
}

export interface PatternMask {
  written: string
  pattern: Pattern
}

const expectedForm =
  'must be a field like email or customer.email (letters, digits, _ and -, separated by dots), ' +
  'or a pattern between slashes like /[0-9]{16}/ (RE2, no flags: start it with (?i) to ignore case)'

/** `email` and `customer.email` mask fields of that name, `/\d{16}/` masks what the pattern matches in any text. */
export function parseMasks(given: readonly string[]): Masks {
  const masks: Masks = { fields: [], patterns: [] }
  for (const written of new Set(given)) {
    const source = /^\/(.+)\/$/s.exec(written)?.[1]
    if (source !== undefined) masks.patterns.push({ written, pattern: parsePattern(written, source) })
    else if (/^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u.test(written))
      masks.fields.push({ written, names: written.toLowerCase().split('.') })
    else throw badMask(written, expectedForm)
  }
  return masks
}

function parsePattern(written: string, source: string): Pattern {
  try {
    const pattern = compilePattern(source)
    if (!pattern.test('')) return pattern
  } catch (error) {
    throw badMask(written, errorMessage(error))
  }
  throw badMask(written, 'the pattern matches an empty text')
}

function badMask(written: string, problem: string): ConfigError {
  return new ConfigError({ code: 'bad_mask', message: `mask ${written}: ${problem}` })
}
