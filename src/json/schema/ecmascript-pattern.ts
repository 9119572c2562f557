import { compilePattern, type Pattern } from '../../text/pattern.ts'

/** The names that JavaScript has for groups of characters where RE2 only knows the short ones. */
const shortNames = new Map(
  `L Letter, Lu Uppercase_Letter, Ll Lowercase_Letter, Lt Titlecase_Letter, Lm Modifier_Letter, Lo Other_Letter,
  M Mark, M Combining_Mark, Mn Nonspacing_Mark, Mc Spacing_Mark, Me Enclosing_Mark,
  N Number, Nd Decimal_Number, Nd digit, Nl Letter_Number, No Other_Number,
  P Punctuation, P punct, Pc Connector_Punctuation, Pd Dash_Punctuation, Ps Open_Punctuation, Pe Close_Punctuation,
  Pi Initial_Punctuation, Pf Final_Punctuation, Po Other_Punctuation,
  S Symbol, Sm Math_Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, So Other_Symbol,
  Z Separator, Zs Space_Separator, Zl Line_Separator, Zp Paragraph_Separator,
  C Other, Cc Control, Cc cntrl, Cf Format, Cs Surrogate, Co Private_Use`
    .split(/,\s+/)
    .map((pair) => pair.split(' ').reverse() as [string, string]),
)

const escaped = /\\(?:u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|([pP])\{([\w=]+)\}|.)/gs

/**
 * A regular expression as schemas write it, as RE2, so that no text can hang it: `\uXXXX` is `\x{XXXX}` there, and
 * `\p{Letter}` is `\p{L}`. Throws an error with a message for the author.
 */
export function compileEcmaScriptPattern(source: string): Pattern {
  return compilePattern(
    source.replace(escaped, (whole, code?: string, codePoint?: string, property?: string, name = '') => {
      if (property !== undefined) return `\\${property}{${shortName(name)}}`
      const character = code ?? codePoint
      return character === undefined ? whole : `\\x{${character}}`
    }),
  )
}

function shortName(name: string): string {
  const value = name.replace(/^(?:General_Category|gc|Script|sc)=/, '')
  return shortNames.get(value) ?? value
}
