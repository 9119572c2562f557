import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Draft } from './draft.ts'
import { inSomeOf } from './rules.ts'
import { type ShrinkOptions, type ShrinkResult, shrinkDraft } from './shrink.ts'
import type { Candidate } from './tester.ts'

/** Every turn is a message of its own; the last one has the failing check. */
function conversation(inputs: readonly string[], more: Partial<Draft> = {}): Draft {
  const turns = inputs.map((input, index) => ({
    number: index + 1,
    isPinned: index === inputs.length - 1,
    input,
  }))
  return { history: [], turns, stubs: {}, neverReal: [], ...more }
}

/** What is left of a draft, which must be proven. */
async function shrunk(draft: Draft, options: ShrinkOptions): Promise<ShrinkResult & { status: 'proven' }> {
  const result = await shrinkDraft(draft, options)
  if (result.status !== 'proven') throw new Error(`it is ${result.status}`)
  return result
}

/** What the user has said in a candidate, in replayed turns too. */
const said = ({ draft }: Candidate) => draft.turns.map(({ input }) => String(input))

/** An agent that fails when the user has said all of these. */
function planted(triggers: readonly string[], fails = () => true) {
  const seen = { conversations: 0, turns: 0, candidates: [] as Candidate[] }
  const play: ShrinkOptions['play'] = async (candidate) => {
    seen.conversations += 1
    seen.turns += candidate.draft.turns.length - candidate.replayed.turns
    seen.candidates.push(candidate)
    const heard = said(candidate).join(' ').split(' ')
    const isSame = triggers.every((trigger) => heard.includes(trigger)) && fails()
    const sent = candidate.draft.turns.slice(candidate.replayed.turns)
    return { isSame, replies: sent.map(({ input }) => [{ role: 'assistant', content: `heard ${input}` }]) }
  }
  return { play, seen }
}

const inputs = (draft: Draft) => draft.turns.map(({ input }) => input)
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `t${index + 1}`)

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

describe('shrink', () => {
  it('keeps the turns that are needed and the one with the check', async () => {
    const { play, seen } = planted(['t3', 't9'])
    const { draft, last } = await shrunk(conversation(numbered(20)), { play, mayReplay: false })
    expect(inputs(draft)).toEqual(['t3', 't9', 't20'])
    expect(last).toEqual({ runs: 5, failed: 5 })
    expect(seen.turns).toBeLessThan(150)
  })

  it('shortens sentences and words, and says nothing that was not said', async () => {
    const texts = ['Good morning. How are you?', 'I live in Paris. It is nice here.', 'Please, book it now.']
    const { play } = planted(['Paris.'])
    const { draft } = await shrunk(conversation(texts), { play, mayReplay: false })
    expect(inputs(draft)).toEqual(['Paris.', 'Please,'])
  })

  it('does only what it is asked for', async () => {
    const { play } = planted(['Paris.'])
    const texts = ['Hello there', 'I live in Paris.', 'Book it']
    const { draft } = await shrunk(conversation(texts), { play, mayReplay: false, only: ['turns'] })
    expect(inputs(draft)).toEqual(['I live in Paris.', 'Book it'])
  })

  it('replays only turns that nothing was changed in or before', async () => {
    const { play, seen } = planted(['t3', 't9'])
    const { draft } = await shrunk(conversation(numbered(20)), { play, mayReplay: true })
    expect(inputs(draft)).toEqual(['t3', 't9', 't20'])
    const replaying = seen.candidates.filter(({ replayed }) => replayed.turns > 0)
    expect(replaying.length).toBeGreaterThan(3)
    for (const { draft, replayed } of replaying) {
      const start = draft.turns.slice(0, replayed.turns).map(({ input }) => input)
      expect(replayed.messages).toEqual(
        start.flatMap((input) => [
          { role: 'user', content: input },
          { role: 'assistant', content: `heard ${input}` },
        ]),
      )
    }
    const sent = planted(['t3', 't9'])
    await shrunk(conversation(numbered(20)), { play: sent.play, mayReplay: false })
    expect(seen.turns).toBeLessThan(sent.seen.turns)
  })

  it('an agent that does not fail with recorded replies is sent everything', async () => {
    const { play, seen } = planted(['t3'])
    const live: ShrinkOptions['play'] = async (candidate) => {
      const trial = await play(candidate)
      return candidate.replayed.turns > 0 ? { ...trial, isSame: false } : trial
    }
    const { draft } = await shrunk(conversation(numbered(12)), { play: live, mayReplay: true })
    expect(inputs(draft)).toEqual(['t3', 't12'])
    expect(seen.candidates.filter(({ replayed }) => replayed.turns > 0)).toHaveLength(1)
  })

  it('an agent that fails with recorded replies only is not believed', async () => {
    const { play } = planted(['t3', 't5'])
    const live: ShrinkOptions['play'] = async (candidate) => {
      const trial = await play(candidate)
      return candidate.replayed.turns > 0 ? { ...trial, isSame: true } : trial
    }
    const { draft } = await shrunk(conversation(numbered(12)), { play: live, mayReplay: true })
    expect(inputs(draft)).toEqual(['t3', 't5', 't12'])
  })

  it('history and stubs that are not needed go, and messages of tools go with their call', async () => {
    const call = { role: 'assistant', content: null, tool_calls: [{ id: '1' }] }
    const history = [
      { role: 'system', content: 'be nice' },
      { role: 'user', content: 'weather?' },
      call,
      { role: 'tool', content: 'rain', tool_call_id: '1' },
      { role: 'assistant', content: 'It rains.' },
    ]
    const draft = conversation(['x'], { history, stubs: { weather: { result: 1 }, time: { result: 2 } } })
    const play: ShrinkOptions['play'] = async (candidate) => {
      const { history, stubs } = candidate.draft
      const wellFormed = history.every(
        (message, index) => !('tool_call_id' in message) || history[index - 1] === call,
      )
      expect(wellFormed).toBe(true)
      return { isSame: history.includes(call) && 'time' in stubs, replies: [] }
    }
    const { draft: left } = await shrunk(draft, { play, mayReplay: false })
    expect(left.history).toEqual([call, history[3]])
    expect(left.stubs).toEqual({ time: { result: 2 } })
  })

  it('a case that does not fail any more is not reproduced, after several runs', async () => {
    const { play, seen } = planted(['never'])
    const result = await shrinkDraft(conversation(['a', 'b']), { play, mayReplay: false })
    expect(result).toEqual({ status: 'notReproduced', tries: { runs: 8, failed: 0 } })
    expect(seen.conversations).toBe(8)
  })

  it('an error while playing ends it, and what was found until then is known', async () => {
    const { play } = planted(['t3'])
    const smaller: Draft[] = []
    let left = 4
    const failing: ShrinkOptions['play'] = (candidate) => {
      left -= 1
      return left < 0 ? Promise.reject(new Error('no more')) : play(candidate)
    }
    const onSmaller = (draft: Draft) => void smaller.push(draft)
    const original = conversation(numbered(16))
    const shrinking = shrinkDraft(original, { play: failing, mayReplay: false, onSmaller })
    await expect(shrinking).rejects.toThrow('no more')
    expect(smaller.length).toBeGreaterThan(1)
    expect(smaller.at(-1)?.turns.length).toBeLessThan(16)
    expect(inputs(smaller.at(-1) ?? original)).toContain('t3')
  })

  it('whatever is needed, the result is minimal and was never larger than before', async () => {
    const scenario = fc.record({
      count: fc.integer({ min: 1, max: 24 }),
      needed: fc.array(fc.nat(23), { maxLength: 6 }),
      // Any of these makes it fail too.
      instead: fc.array(fc.nat(23), { maxLength: 2 }),
      mayReplay: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, needed, instead, mayReplay }) => {
        const all = numbered(count)
        const triggers = [...new Set(needed.map((at) => `t${(at % count) + 1}`))]
        const others = instead.map((at) => `t${(at % count) + 1}`)
        const fails = (texts: readonly string[]) =>
          triggers.every((each) => texts.includes(each)) ||
          (others.length > 0 && others.every((each) => texts.includes(each)))
        const sizes: number[] = []
        const { draft, last } = await shrunk(conversation(all), {
          mayReplay,
          onSmaller: ({ turns }) => void sizes.push(turns.length),
          play: async (candidate) => ({
            isSame: fails(said(candidate)),
            replies: candidate.draft.turns.slice(candidate.replayed.turns).map(() => []),
          }),
        })
        const left = inputs(draft).map(String)
        expect(last).toEqual({ runs: 5, failed: 5 })
        expect(fails(left)).toBe(true)
        expect(left.at(-1)).toBe(all.at(-1))
        for (const each of left.slice(0, -1)) expect(fails(left.filter((text) => text !== each))).toBe(false)
        expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
      }),
      { numRuns: 300 },
    )
  })
})

describe('shrink with a flaky failure', () => {
  it('a failure in 70 % of runs is noticed, and nearly always becomes minimal', async () => {
    let minimal = 0
    for (let seed = 1; seed <= 100; seed++) {
      const next = random(seed)
      const { play } = planted(['t3', 't9'], () => next() < 0.7)
      const draft = await shrinkDraft(conversation(numbered(20)), { play, mayReplay: false }).then(
        (result) => (result.status === 'proven' ? result.draft : undefined),
        () => undefined,
      )
      if (draft !== undefined && inputs(draft).join() === 't3,t9,t20') minimal += 1
    }
    expect(minimal).toBeGreaterThanOrEqual(90)
  })

  it('a given rule decides, and nothing is replayed', async () => {
    const next = random(7)
    const { play, seen } = planted(['t2'], () => next() < 0.7)
    const rule = inSomeOf(2, 8)
    const { draft, last } = await shrunk(conversation(numbered(8)), { play, rule, mayReplay: true })
    expect(inputs(draft)).toEqual(['t2', 't8'])
    expect(last.failed).toBe(2)
    expect(seen.candidates.every(({ replayed }) => replayed.turns === 0)).toBe(true)
  })

  it('a failure that is seen once and never again is not reproduced', async () => {
    let runs = 0
    const play: ShrinkOptions['play'] = async () => {
      runs += 1
      return { isSame: runs === 3, replies: [] }
    }
    const result = await shrinkDraft(conversation(numbered(4)), { play, mayReplay: false })
    expect(result).toEqual({ status: 'notReproduced', tries: { runs: 27, failed: 1 } })
  })

  it('what does not fail by the given rule at the end is not proven, and what was left before is', async () => {
    const { play } = planted(['t2'])
    const seen: string[] = []
    const playLast: ShrinkOptions['play'] = async (candidate) => {
      seen.push(said(candidate).join())
      // Played from the file, only what has both of these fails.
      const isSame = ['t2', 't7'].every((text) => said(candidate).includes(text))
      return { isSame, replies: [] }
    }
    const result = await shrunk(conversation(numbered(8)), {
      play,
      playLast,
      rule: inSomeOf(2, 2),
      mayReplay: false,
    })
    expect(seen[0]).toBe('t2,t8')
    expect(inputs(result.draft)).toEqual(expect.arrayContaining(['t2', 't7']))
    expect(result.last).toEqual({ runs: 2, failed: 2 })
  })

  it('if not even the original fails again, nothing is proven', async () => {
    const { play } = planted(['t2'])
    const playLast: ShrinkOptions['play'] = async () => ({ isSame: false, replies: [] })
    const rule = inSomeOf(1, 2)
    const result = await shrinkDraft(conversation(numbered(8)), { play, playLast, rule, mayReplay: false })
    expect(result).toMatchObject({ status: 'unproven', last: { runs: 2, failed: 0 } })
    expect(result.status === 'unproven' && inputs(result.draft)).toEqual(numbered(8))
  })
})

describe('shrink with tools that must not be real', () => {
  const stubbed = (more: Partial<Draft> = {}) =>
    conversation(numbered(4), { stubs: { pay: { result: 1 } }, neverReal: ['pay'], ...more })

  it('a stub stays if its tool is called in any run without it', async () => {
    const calls = [false, false, true]
    const play: ShrinkOptions['play'] = async ({ draft }) => {
      const isCalled = !('pay' in draft.stubs) && calls.shift() !== false
      return { isSame: !isCalled, replies: [], guardCalls: isCalled ? ['pay'] : [] }
    }
    const { draft, last } = await shrunk(stubbed(), { play, mayReplay: false })
    expect(draft.stubs).toEqual({ pay: { result: 1 } })
    expect(last).toEqual({ runs: 5, failed: 5 })
  })

  it('a case in which a tool of a turn that was left out is called is never accepted', async () => {
    const draft = stubbed({ stubs: {} })
    const play: ShrinkOptions['play'] = async (candidate) => {
      const isCalled = !said(candidate).includes('t2')
      // It fails nevertheless.
      return { isSame: true, replies: [], guardCalls: isCalled ? ['pay'] : [] }
    }
    const { draft: left } = await shrunk(draft, { play, mayReplay: false })
    expect(inputs(left)).toEqual(['t2', 't4'])
  })
})
