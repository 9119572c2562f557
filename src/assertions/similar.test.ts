import { expect, it } from 'vitest'
import { judge, problemsOf, verdict } from './conversation.fixture.ts'

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

it('counts code points, and is 1 for the same and 0 for nothing in common', async () => {
  expect((await judge(similar('💩💩'), { output: '💩x' })).score).toBe(0.5)
  expect((await judge(similar('same'), { output: 'same' })).score).toBe(1)
  expect((await judge(similar('abc'), { output: 'xyz' })).score).toBe(0)
  expect((await judge(similar('abc'), { output: '' })).score).toBe(0)
})

it('measures by the words in common, each as often as it is there', async () => {
  const method = 'tokens'
  expect((await judge(similar('the cat sat', { method }), { output: 'Sat, THE cat!' })).score).toBe(1)
  expect((await judge(similar('a b', { method }), { output: 'a a a' })).score).toBe(2 / 5)
  expect((await judge(similar('one two', { method }), { output: 'three' })).score).toBe(0)
  expect((await judge(similar('!', { method }), { output: '' })).score).toBe(0)
})

it('takes the most similar of several texts', async () => {
  expect(await verdict(similar(['good bye', 'hello']), 'hallo')).toBe(
    'passed: output is 0.8 similar to "hello"',
  )
})

it('can be negated', async () => {
  expect(await verdict(similar('abc', { negate: true }), 'abc')).toBe(
    'failed: output is 1 similar to "abc", expected less than 0.8',
  )
})

it('is unknown rather than endless on very long texts', async () => {
  const long = 'x'.repeat(20_000)
  expect(await judge(similar(long), { output: long })).toMatchObject({ status: 'unknown' })
  expect((await judge(similar(long, { method: 'tokens' }), { output: long })).status).toBe('passed')
})

it('refuses what it cannot do', () => {
  expect(problemsOf(similar('a', { method: 'embedding' }))).toEqual([
    'method: method "embedding" is not supported yet by this version',
  ])
  expect(problemsOf(similar(5))).toEqual(['value: similar needs a "value" that is text, or a list of texts'])
  expect(problemsOf(similar('a', { threshold: 80 }))).toHaveLength(1)
})
