import { describe, expect, it } from 'vitest'
import { callOf, damage, damagedTexts, replyOf } from '../place.fixture.ts'
import { refusal } from './refusal.ts'

describe('refusal', () => {
  it('says that it cannot help, and does nothing', () => {
    const [found] = damage(refusal, replyOf('Done', callOf('pay')))
    expect(found?.reply).toMatchObject({ content: "I'm sorry, but I can't help with that.", toolCalls: [] })
    expect(found?.reply.output).toBe(found?.reply.content)
    expect(found?.reply.messages).toEqual([{ role: 'assistant', content: found?.reply.content }])
  })

  it('finds nothing where the agent refuses already', () => {
    expect(damagedTexts(refusal, 'I am sorry, I can only help with expenses.')).toEqual([])
  })
})
