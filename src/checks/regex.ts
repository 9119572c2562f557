import { z } from 'zod'
import { textOrJson } from '../json/json.ts'
import { compilePattern, type Pattern } from '../text/pattern.ts'
import { shorten } from '../text/shorten.ts'
import { defineAssertion, reportThrown, statementVerdict } from './definition.ts'
import { show } from './describe.ts'

export const regexCheck = defineAssertion({
  type: 'regex',
  about:
    'A regular expression in RE2 syntax (as in Go; `(?i)` works) matches somewhere in the output or its ' +
    'compact JSON.',
  fields: {
    pattern: z.string().optional().describe('The regular expression.'),
    value: z.string().optional().describe('The same as `pattern`.'),
  },
  example: { type: 'regex', pattern: 'order-\\d+' },
  looksAt: 'output',
  refine({ pattern, value }, problem) {
    const source = pattern ?? value
    if (source === undefined) return problem('pattern', 'regex needs a "pattern"')
    if (source === '')
      return problem(pattern === undefined ? 'value' : 'pattern', 'every text matches an empty pattern')
    if (pattern !== undefined && value !== undefined)
      return problem('value', '"pattern" and "value" are the same')
    reportThrown(pattern === undefined ? 'value' : 'pattern', problem, () => {
      if (matchesEverything(compilePattern(source)))
        throw new Error(`every text matches /${shorten(source, 80)}/, because it matches the empty text`)
    })
  },
  compile({ pattern, value }) {
    const source = pattern ?? value
    if (source === undefined) throw new Error('regex needs a "pattern"')
    const compiled = compilePattern(source)
    const shown = `/${shorten(compiled.source, 80)}/`
    return ({ output, name }) => {
      const match = compiled.find(textOrJson(output))
      const is = `${name} matches ${shown} with ${show(match)}`
      const verdict = statementVerdict(
        match !== undefined,
        is,
        `${name} does not match ${shown}`,
        'not to match it',
      )
      return { ...verdict, expected: compiled.source, actual: output }
    }
  },
})

/** A text with every common character, longer than the repeat counts of patterns. */
const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))
const longText = `\n${characters.join('').repeat(20)}\n`

/** Whether the pattern matches every text, judged by samples: `x*` does, `^$` does not. */
function matchesEverything({ test }: Pattern): boolean {
  return test('') && test(longText) && characters.every((character) => test(character))
}
