import { describe, expect, it } from 'vitest'
import { callOf, damage, replyOf } from '../place.fixture.ts'
import { otherCase } from './other-case.ts'

const answer = (input: string, said: string) => ({
  file: 'a.jsonl',
  id: 'other',
  input,
  reply: replyOf(said, callOf('pay')),
})

describe('other_case', () => {
  it('gives the answer to another question, with its calls', () => {
    const [found] = damage(otherCase, replyOf('Which size?'), { answers: [answer('Pay', 'It was paid.')] })
    expect(found?.reply).toMatchObject({ content: 'It was paid.', toolCalls: [{ name: 'pay' }] })
  })

  it('finds nothing where the answer is to the same question, or says about the same', () => {
    const answers = [answer('Hello', 'Good evening'), answer('Hi', 'Which size, please?'), answer('Hi', '')]
    expect(damage(otherCase, replyOf('Which size?'), { answers })).toEqual([])
  })
})
