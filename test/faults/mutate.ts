import fc from 'fast-check'

/** Pieces that are hard for readers. */
const pieces = [
  '',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '\u0000',
  '\ufeff',
  '\u2028',
  '\ud800',
  '😀',
  '\u202e',
  '"',
  "'",
  '`',
  '\\',
  '\\u',
  '\\ud83d',
  '{',
  '}',
  '[',
  ']',
  '[[[[[[[[',
  '{"a":',
  '{}',
  ',',
  ':',
  ';',
  '//',
  '#',
  '/*',
  '---\n',
  '...\n',
  '- ',
  '? ',
  '&a ',
  '*a',
  '!!binary ',
  '<<: *a',
  '|',
  '>-\n',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '-1',
  '99999999999999999999',
  '0x10',
  '1_000',
  '1:30',
  'yes',
  '~',
  '__proto__',
  '"__proto__":',
  'constructor',
  'toString',
  'length',
  'data: ',
  'data:',
  'event: error\n',
  'id: 1\n',
  ': x\n',
  'retry: 1\n',
  '[DONE]',
  '\n\n',
  '{{',
  '}}',
  '{{id}}',
  '$',
  '${x}',
  '$.a',
  '(',
  '(?i)',
  '*',
  'a{1000}',
  'file://',
  'file:///etc/passwd',
  '../',
  '30s',
  '-5s',
]

interface Edit {
  at: number
  drop: number
  insert: string
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 1_000_000 }),
  drop: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 40 })),
  insert: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...pieces) },
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.json({ maxDepth: 3 }),
    fc.constantFrom(...pieces).map((piece) => piece.repeat(300)),
  ),
})

/** One of these texts with a few changes, or a random text. */
export function mutated(seeds: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 6 }))
        .map(([seed, edits]) => edits.reduce(apply, seed)),
    },
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
}

function apply(text: string, { at, drop, insert }: Edit): string {
  const start = text.length === 0 ? 0 : at % (text.length + 1)
  return text.slice(0, start) + insert + text.slice(start + drop)
}
