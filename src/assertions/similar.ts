import { z } from 'zod'
import { editDistance } from '../edit-distance.ts'
import { defineAssertion, requiredText, type Verdict } from './definition.ts'
import { show, textOrJson } from './describe.ts'
import { wordsOf } from './words.ts'

export const similar = defineAssertion({
  type: 'similar',
  about:
    'The output is close to the text, measured from 0 to 1. By `edit`: 1 less the edit distance as a share of the ' +
    'longer text. By `tokens`: the F1 of the words they have in common, whatever their order and case.',
  fields: {
    value: z
      .union([requiredText('similar', ''), z.array(z.string().min(1)).min(1)], {
        error: () => 'similar needs a "value" that is text, or a list of texts',
      })
      .describe('The text, or a list of which the most similar counts.'),
    method: z
      .enum(['edit', 'tokens', 'embedding'])
      .optional()
      .describe('How it is measured (default `edit`); `embedding` is not supported yet.'),
    threshold: z.number().min(0).max(1).optional().describe('The least that passes (default 0.8).'),
  },
  example: { type: 'similar', value: 'Your expense was submitted.', method: 'tokens', threshold: 0.7 },
  looksAt: 'output',
  refine({ method }, problem) {
    if (method === 'embedding') problem('method', 'method "embedding" is not supported yet by this version')
  },
  compile({ value, method = 'edit', threshold = 0.8 }) {
    const texts = typeof value === 'string' ? [value] : value
    const measure = method === 'edit' ? editSimilarity : tokenSimilarity
    return ({ output, name }): Verdict => {
      const text = textOrJson(output)
      if (method === 'edit' && texts.some((each) => each.length * text.length > largestComparison)) {
        return {
          status: 'unknown',
          reason: `${name} is too long for the edit distance; use "method": "tokens"`,
        }
      }
      const scored = texts.map((each) => ({ each, score: measure(each, text) }))
      const best = scored.reduce((first, second) => (second.score > first.score ? second : first))
      return { ...judged(best, threshold, name), expected: value, actual: output }
    }
  },
})

/** Steps of the comparison, half a second's worth: more would hold up all other cases. */
const largestComparison = 50_000_000

function judged({ each, score }: { each: string; score: number }, threshold: number, name: string): Verdict {
  const is = `${name} is ${rounded(score)} similar to ${show(each)}`
  return score >= threshold
    ? { status: 'passed', reason: is, negatedReason: `${is}, expected less than ${threshold}`, score }
    : { status: 'failed', reason: `${is}, expected at least ${threshold}`, negatedReason: is, score }
}

// Down, so that what falls short of a threshold does not read as if it reached it.
function rounded(score: number): number {
  return Math.floor(score * 1000) / 1000
}

function editSimilarity(left: string, right: string): number {
  const longer = Math.max(Array.from(left).length, Array.from(right).length)
  return longer === 0 ? 1 : (longer - editDistance(left, right)) / longer
}

function tokenSimilarity(left: string, right: string): number {
  const [expected, actual] = [wordsOf(left.toLowerCase()), wordsOf(right.toLowerCase())]
  const spare = new Map<string, number>()
  for (const word of expected) spare.set(word, (spare.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of actual) {
    const remaining = spare.get(word) ?? 0
    if (remaining === 0) continue
    shared++
    spare.set(word, remaining - 1)
  }
  const total = expected.length + actual.length
  return total === 0 ? 0 : (2 * shared) / total
}
