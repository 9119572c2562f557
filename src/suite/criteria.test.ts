import { expect, it } from 'vitest'
import { createJudge } from './judge.ts'
import { createScriptedProvider } from './providers.ts'
import { createEvalSuite } from './suite.ts'

const agent = { execute: (text: string) => text }
const asked: string[] = []
const provider = createScriptedProvider(({ messages }) => {
  const text = JSON.stringify(messages)
  asked.push(text)
  const scores = { 'It is polite': 90, 'It gives a reason': 70 }
  return {
    criteria: Object.entries(scores)
      .filter(([criterion]) => text.includes(criterion))
      .map(([criterion, score]) => ({ criterion, reason: 'so', score })),
  }
})

it('a criterion may be a text, of a judge and of a case', async () => {
  const judge = createJudge({ provider, criteria: ['It is polite'] })
  const { results } = await createEvalSuite({ agent, judge }).run([
    { id: 'own', input: 'hi' },
    { id: 'more', input: 'hi', criteria: ['It gives a reason'] },
  ])
  expect(results.map(({ score }) => score)).toEqual([90, 80])
  expect(results[1]?.verdicts?.map(({ criterionId }) => criterionId)).toEqual([
    'It is polite',
    'It gives a reason',
  ])
})

it.each([
  [[' '], 'must not be blank'],
  [['a', 'a'], 'two criteria have the id "a"'],
  [[], 'a judge needs at least one criterion'],
  [[{ id: 'a', name: 'a', descripton: 'x' }], 'unknown key "descripton"'],
  ['a', 'criteria'],
])('%j are no criteria', (criteria, message) => {
  expect(() => createJudge({ provider, criteria: criteria as never })).toThrow(message)
})
