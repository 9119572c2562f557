import {
  execute,
  isArray,
  isInteger,
  isMap,
  isSet,
  isTypedArray,
  mapSize,
  OriginalSegmenter,
  setSize,
  typedArrayLength,
} from '../../../../json/equal/untouched.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { failVerdict, held, type TestAssertion } from './definition.ts'

export const length: TestAssertion = {
  takes: ['the value', 'the length'],
  judge(value, expected) {
    if (typeof expected !== 'number' || !isInteger(expected) || expected < 0) {
      return failVerdict(`Len needs a length that is a whole number, got ${showWithKind(expected)}`)
    }
    const actual = measure(value)
    if (actual === expected) return held
    return actual === undefined
      ? failVerdict(
          `Len measures strings, arrays, Maps and Sets, got ${showWithKind(value)}`,
          expected,
          value,
        )
      : failVerdict(`expected a length of ${expected}, got ${actual}: ${showValue(value)}`, expected, actual)
  },
}

function measure(value: unknown): number | undefined {
  if (typeof value === 'string') return countCharacters(value)
  if (isArray(value)) return value.length
  if (isMap(value)) return Number(mapSize(value))
  if (isSet(value)) return Number(setSize(value))
  return isTypedArray(value) ? Number(typedArrayLength(value)) : undefined
}

let segmenter: Intl.Segmenter | undefined

/** Counts characters as readers see them (grapheme clusters): a family is one. Only CR LF is two, as everywhere else. */
function countCharacters(text: string): number {
  if (execute(/[^\0-\x7f]/, text) === null) return text.length
  segmenter ??= new OriginalSegmenter('en', { granularity: 'grapheme' })
  let total = 0
  for (const { segment } of segmenter.segment(text)) total += segment === '\r\n' ? 2 : 1
  return total
}
