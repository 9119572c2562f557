import { describe, expect, it } from 'vitest'
import { damage, damagedTexts, replyOf } from '../place.fixture.ts'
import { promptLeaked } from './prompt-leaked.ts'

describe('prompt_leaked', () => {
  it('adds instructions to the text, in all its places', () => {
    const [found] = damage(promptLeaked, replyOf('Hello!'))
    expect(found?.reply.content).toMatch(/^Hello!\n\nMy instructions: "You are/)
    expect(found?.reply.output).toBe(found?.reply.content)
    expect(found?.reply.messages).toEqual([{ role: 'assistant', content: found?.reply.content }])
  })

  it('finds nothing in data, or where nothing was said', () => {
    expect(damagedTexts(promptLeaked, { total: 5 })).toEqual([])
    expect(damagedTexts(promptLeaked, '')).toEqual([])
  })
})
