import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../errors.ts'
import { type CheckHelpers, noCheckHelpers } from './check-helpers.ts'
import { judge, validationProblems, verdict } from './conversation.fixture.ts'
import { assertionSchema, findProblems } from './list.ts'

const similar = (value: unknown, more = {}) => ({ type: 'similar', value, ...more })

it('measures by edit distance', async () => {
  expect(await judge(similar('kitten', { threshold: 0.5 }), { output: 'sitting' })).toMatchObject({
    status: 'passed',
    score: 4 / 7,
    reason: 'output is 0.571 similar to "kitten"',
  })
  expect(await verdict(similar('kitten'), 'sitting')).toBe(
    'failed: output is 0.571 similar to "kitten", expected at least 0.8',
  )
})

it('reaches a threshold exactly', async () => {
  expect(await judge(similar('abcdefghij'), { output: 'abcdefghXY' })).toMatchObject({
    status: 'passed',
    score: 0.8,
  })
})

it('counts code points, and is 1 for equal texts and 0 for nothing in common', async () => {
  expect((await judge(similar('💩💩'), { output: '💩x' })).score).toBe(0.5)
  expect((await judge(similar('same'), { output: 'same' })).score).toBe(1)
  expect((await judge(similar('abc'), { output: 'xyz' })).score).toBe(0)
  expect((await judge(similar('abc'), { output: '' })).score).toBe(0)
})

it('measures by common words, counting repetitions', async () => {
  const method = 'tokens'
  expect((await judge(similar('the cat sat', { method }), { output: 'Sat, THE cat!' })).score).toBe(1)
  expect((await judge(similar('a b', { method }), { output: 'a a a' })).score).toBe(2 / 5)
  expect((await judge(similar('one two', { method }), { output: 'three' })).score).toBe(0)
  expect((await judge(similar('!', { method }), { output: '' })).score).toBe(0)
})

it('uses the most similar of several texts', async () => {
  expect(await verdict(similar(['good bye', 'hello']), 'hallo')).toBe(
    'passed: output is 0.8 similar to "hello"',
  )
})

it('can be negated', async () => {
  expect(await verdict(similar('abc', { negate: true }), 'abc')).toBe(
    'failed: output is 1 similar to "abc", expected less than 0.8',
  )
})

it('is unknown for texts that are too long to compare', async () => {
  const long = 'x'.repeat(20_000)
  expect(await judge(similar(long), { output: long })).toMatchObject({ status: 'unknown' })
  expect((await judge(similar(long, { method: 'tokens' }), { output: long })).status).toBe('passed')
})

it('rejects invalid options', () => {
  expect(validationProblems(similar('a', { method: 'embedding' }))).toEqual([
    'method: method "embedding" needs a "connector" that gives the embeddings',
  ])
  expect(validationProblems(similar('a', { method: 'tokens', connector: 'c' }))).toEqual([
    'connector: "connector" is only for method "embedding"',
  ])
  expect(validationProblems(similar(5))).toEqual([
    'value: similar needs a "value" that is text, or a list of texts',
  ])
  expect(validationProblems(similar('a', { threshold: 80 }))).toHaveLength(1)
})

describe('by embedding', () => {
  const byEmbedding = (value: unknown, more = {}) =>
    similar(value, { method: 'embedding', connector: 'embedder', ...more })

  /** A fake embedder that knows the vectors of a few texts. */
  function embedder() {
    const asked: unknown[] = []
    const directions: Record<string, number[]> = {
      east: [1, 0],
      'far east': [3, 0],
      up: [3, 4],
      west: [-2, 0],
    }
    const helpers: CheckHelpers = {
      ...noCheckHelpers,
      embedProblem: (id) => (id === 'embedder' ? undefined : `no connector ${id}`),
      async embed(connector, texts) {
        asked.push([connector, ...texts])
        return texts.map((text) => directions[text] ?? [0, 1])
      },
    }
    return { helpers, asked }
  }

  it('is the cosine of the two vectors, independent of their length', async () => {
    const { helpers, asked } = embedder()
    const judged = (value: unknown, output: string) => judge(byEmbedding(value), { output }, { helpers })
    expect(await judged('east', 'far east')).toMatchObject({ status: 'passed', score: 1 })
    expect(await judged('east', 'up')).toMatchObject({
      status: 'failed',
      score: 0.6,
      reason: 'output is 0.6 similar to "east", expected at least 0.8',
    })
    expect(asked).toEqual([
      ['embedder', 'far east', 'east'],
      ['embedder', 'up', 'east'],
    ])
  })

  it('uses the most similar of several texts, in one call', async () => {
    const { helpers, asked } = embedder()
    const result = await judge(byEmbedding(['west', 'far east']), { output: 'east' }, { helpers })
    expect(result).toMatchObject({ status: 'passed', reason: 'output is 1 similar to "far east"' })
    expect(asked).toHaveLength(1)
  })

  it('is never less than 0', async () => {
    const { helpers } = embedder()
    expect(await judge(byEmbedding('west'), { output: 'east' }, { helpers })).toMatchObject({ score: 0 })
  })

  it('is 0 for an empty output without calling the embedder', async () => {
    const { helpers, asked } = embedder()
    const result = await judge(byEmbedding('east', { threshold: 0.1 }), { output: ' ' }, { helpers })
    expect(result).toMatchObject({ status: 'failed', score: 0 })
    expect(asked).toEqual([])
  })

  it('is an error if the embedder fails, also when negated', async () => {
    const embed = () => Promise.reject(new InfrastructureError('http', 'the embedder answered 500'))
    const helpers: CheckHelpers = {
      ...noCheckHelpers,
      embedProblem: () => undefined,
      embed,
    }
    for (const negate of [false, true]) {
      const result = await judge(byEmbedding('east', { negate }), { output: 'up' }, { helpers })
      expect(result).toMatchObject({
        status: 'error',
        reason: 'could not be judged: the embedder answered 500',
      })
    }
  })

  it('reports a missing connector before anything runs, also in groups', () => {
    const problems: unknown[] = []
    const group = { type: 'any_of', assertions: [byEmbedding('a'), byEmbedding('b', { connector: 'x' })] }
    for (const assertion of [byEmbedding('a', { connector: 'y' }), group]) {
      findProblems(assertionSchema.parse(assertion), embedder().helpers, (path, message) =>
        problems.push([path, message]),
      )
    }
    expect(problems).toEqual([
      ['connector', 'no connector y'],
      [['assertions', 1, 'connector'], 'no connector x'],
    ])
  })
})
