import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { Draft } from './draft.ts'
import { estimateShrink } from './estimate.ts'
import { shrinkDraft } from './shrink.ts'

const draft: Draft = {
  history: [],
  turns: Array.from({ length: 10 }, (_, index) => ({
    number: index + 1,
    isPinned: index === 9,
    input: `turn${index}`,
  })),
  stubs: {},
  neverReal: [],
}

describe('estimateShrink', () => {
  it('with a rule, every case is played as often as the rule needs', () => {
    const { conversations, mostIfFlaky } = estimateShrink(draft, caseResult(), {
      runs: { least: 9, most: 10 },
    })
    expect(conversations).toEqual({ least: 27, most: 150 })
    expect(mostIfFlaky).toBeUndefined()
  })

  it.each([
    ['nothing else is needed', () => true],
    ['all is needed', ({ turns }: Draft) => turns.length === 10],
  ])('what is played is within the estimate if %s', async (_, fails) => {
    let played = 0
    const play = async ({ draft }: { draft: Draft }) => {
      played += 1
      return { isSame: fails(draft), replies: [] }
    }
    await shrinkDraft(draft, { play, mayReplay: false })
    const { conversations } = estimateShrink(draft, caseResult(), {})
    expect(played).toBeGreaterThanOrEqual(conversations.least)
    expect(played).toBeLessThanOrEqual(conversations.most)
  })

  it('a flaky failure has a limit of its own', () => {
    const { conversations, mostIfFlaky } = estimateShrink(draft, caseResult(), {})
    expect(mostIfFlaky).toBeGreaterThan(conversations.most)
  })
})
