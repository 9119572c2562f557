import { z } from 'zod'
import { textOrJson } from '../json/json.ts'
import { editDistance } from '../text/edit-distance.ts'
import type { Vector } from './check-helpers.ts'
import { type CheckVerdict, defineAssertion, optionalName } from './definition.ts'
import { show } from './describe.ts'
import { requiredText } from './value-fields.ts'
import { splitWords } from './words.ts'

export const similarCheck = defineAssertion({
  type: 'similar',
  about:
    'The similarity of the output to the text, from 0 to 1, is at least `threshold`. `edit`: 1 minus the edit ' +
    'distance divided by the length of the longer text. `tokens`: the F1 score of the words that both texts ' +
    'contain, ignoring order and case. `embedding`: the cosine similarity of their embeddings, which come ' +
    'from a connector; negative values count as 0, and so does an empty output.',
  fields: {
    value: z
      .union([requiredText('similar', ''), z.array(z.string().min(1)).min(1)], {
        error: () => 'similar needs a "value" that is text, or a list of texts',
      })
      .describe('The text, or a list of texts, of which the most similar counts.'),
    method: z
      .enum(['edit', 'tokens', 'embedding'])
      .optional()
      .describe('How the similarity is measured (default `edit`).'),
    connector: optionalName.describe(
      'The connector that provides the embeddings: of type `openai` with an embedding model, or `scripted`.',
    ),
    threshold: z
      .number()
      .gt(0, '"threshold" must be more than 0, which every text reaches')
      .max(1)
      .optional()
      .describe('The lowest similarity that passes (default 0.8).'),
  },
  example: { type: 'similar', value: 'Your expense was submitted.', method: 'tokens', threshold: 0.7 },
  looksAt: 'output',
  refine({ method, connector }, problem) {
    if (method === 'embedding' && connector === undefined)
      problem('method', 'method "embedding" needs a "connector" that gives the embeddings')
    if (method !== 'embedding' && connector !== undefined)
      problem('connector', '"connector" is only for method "embedding"')
  },
  asksModel: ({ method }) => method === 'embedding',
  findProblems({ connector }, helpers, problem) {
    const message = connector === undefined ? undefined : helpers.embedProblem(connector)
    if (message !== undefined) problem('connector', message)
  },
  compile({ value, method = 'edit', threshold = 0.8, connector = '' }, _where, helpers) {
    const texts = typeof value === 'string' ? [value] : value
    return async ({ output, name, scope }): Promise<CheckVerdict> => {
      const text = textOrJson(output)
      if (method === 'edit' && texts.some((each) => each.length * text.length > maxComparisonSteps)) {
        const reason = `${name} is too long for the edit distance; use "method": "tokens"`
        return { status: 'unknown', reason }
      }
      const scores =
        method === 'embedding'
          ? await embeddingSimilarities(texts, text, (all) => helpers.embed(connector, all, scope))
          : texts.map((each) => measures[method](each, text))
      const scored = texts.map((each, index) => ({ each, score: scores[index] ?? 0 }))
      const best = scored.reduce((first, second) => (second.score > first.score ? second : first))
      return { ...similarityVerdict(best, threshold, name), expected: value, actual: output }
    }
  },
})

const measures = { edit: editSimilarity, tokens: tokenSimilarity }

/** About half a second of comparison: more would delay all other cases. */
const maxComparisonSteps = 50_000_000

function similarityVerdict(
  { each, score }: { each: string; score: number },
  threshold: number,
  name: string,
): CheckVerdict {
  const is = `${name} is ${roundDown(score)} similar to ${show(each)}`
  return score >= threshold
    ? { status: 'passed', reason: is, negatedReason: `${is}, expected less than ${threshold}`, score }
    : { status: 'failed', reason: `${is}, expected at least ${threshold}`, negatedReason: is, score }
}

// Rounded down, so that a score below the threshold is not shown as equal to it.
function roundDown(score: number): number {
  return Math.floor(score * 1000) / 1000
}

function editSimilarity(left: string, right: string): number {
  const longer = Math.max(Array.from(left).length, Array.from(right).length)
  return longer === 0 ? 1 : (longer - editDistance(left, right)) / longer
}

function tokenSimilarity(left: string, right: string): number {
  const [expected, actual] = [splitWords(left.toLowerCase()), splitWords(right.toLowerCase())]
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

async function embeddingSimilarities(
  texts: readonly string[],
  actual: string,
  embed: (all: string[]) => Promise<readonly Vector[]>,
): Promise<number[]> {
  // An empty text has no meaning, and services reject it.
  if (actual.trim() === '') return []
  const [vector = [], ...expected] = await embed([actual, ...texts])
  return expected.map((each) => cosine(each, vector))
}

/** Limited to 0 to 1: an opposite direction is not similar, and rounding errors may exceed 1. */
function cosine(left: Vector, right: Vector): number {
  const dot = (a: Vector, b: Vector) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  // A single square root, so that a text has exactly similarity 1 to itself.
  const lengths = Math.sqrt(dot(left, left) * dot(right, right))
  return Math.min(1, Math.max(0, dot(left, right) / lengths))
}
