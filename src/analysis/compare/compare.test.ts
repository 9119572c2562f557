import { describe, expect, it } from 'vitest'
import type { CaseRuns } from './case-runs.ts'
import { compareRuns } from './compare.ts'
import { verdictText } from './words.ts'

type Given = Partial<Omit<CaseRuns, 'trials'>> & { of?: [passed: number, runs: number] }

function side(...cases: Given[]): CaseRuns[] {
  return cases.map(({ of: [passed, runs] = [1, 1], ...rest }, index) => ({
    file: 'a.jsonl',
    id: `case-${index}`,
    variant: 'v',
    hash: `hash-${index}`,
    sessionId: `session-${index}`,
    flaky: 0,
    durationMs: 100,
    ...rest,
    trials: { passed, runs },
  }))
}

const many = (count: number, given: Given): Given[] => Array.from({ length: count }, () => given)
const whole = (cases: CaseRuns[], missing = 0) => ({ cases, missing })
const compare = (base: Given[], head: Given[], alpha = 0.05) =>
  compareRuns(whole(side(...base)), whole(side(...head)), alpha)

describe('compareRuns', () => {
  it('leaves cases that were carried over out of the test, and misses none of them', () => {
    const cases = side({}, {}, {})
    const [first, ...others] = cases
    const head = { ...whole(first === undefined ? [] : [first]), carriedOver: others }
    const forward = compareRuns(whole(cases), head, 0.05)
    expect(forward).toMatchObject({ verdict: 'no regression', compared: 1, carriedOver: 2, onlyBase: [] })
    expect(forward.test).toEqual(compareRuns(whole(cases.slice(0, 1)), whole(cases.slice(0, 1)), 0.05).test)
    const backward = compareRuns(head, whole(cases), 0.05)
    expect(backward).toMatchObject({ compared: 1, onlyRunNow: 2, onlyHead: [] })
    const nothing = { ...whole([]), carriedOver: cases }
    expect(compareRuns(whole(cases), nothing, 0.05)).toMatchObject({ verdict: 'no regression', compared: 0 })
    expect(compareRuns(nothing, whole(cases), 0.05)).toMatchObject({ verdict: 'nothing compared' })
    expect(() => compareRuns(whole(cases), { ...whole([]), carriedOver: [] }, 0.05)).toThrow(
      'no case in common',
    )
  })

  it('uses McNemar’s test for single runs: six new failures are a regression, five may be chance', () => {
    const six = compare(many(10, { of: [1, 1] }), [...many(6, { of: [0, 1] }), ...many(4, { of: [1, 1] })])
    expect(six).toMatchObject({ verdict: 'regression', method: 'exact McNemar', compared: 10 })
    expect(six.test.twoSided).toBeCloseTo(2 / 64, 10)
    const five = compare(many(10, { of: [1, 1] }), [...many(5, { of: [0, 1] }), ...many(5, { of: [1, 1] })])
    expect(five).toMatchObject({ verdict: 'not enough runs', runsNeeded: 2 })
  })

  it('finds the one case of twenty that now always fails', () => {
    const base = many(20, { of: [10, 10] })
    const { verdict, changes } = compare(base, [{ of: [0, 10] }, ...many(19, { of: [10, 10] })])
    expect(verdict).toBe('regression')
    expect(changes).toMatchObject([{ head: { id: 'case-0' }, kinds: ['newly failing'], regressed: true }])
  })

  it('reports a case that became worse even if another became better', () => {
    const { verdict, changes } = compare(
      [{ of: [10, 10] }, { of: [0, 10] }],
      [{ of: [0, 10] }, { of: [10, 10] }],
    )
    expect(verdict).toBe('regression')
    expect(changes.map(({ regressed }) => regressed)).toEqual([true, false])
  })

  it('finds no regression between equal runs', () => {
    const same = [{ of: [3, 5] as [number, number] }, { of: [5, 5] as [number, number] }]
    expect(compare(same, same)).toMatchObject({ verdict: 'no regression', changes: [] })
  })

  it('gives no verdict when the new run is incomplete or nothing could be judged', () => {
    const cases = side({ of: [5, 5] })
    expect(compareRuns(whole(cases), whole(cases, 3), 0.05).verdict).toBe('incomplete')
    const worse = compareRuns(whole(side({ of: [9, 9] })), whole(side({ of: [0, 9] }), 3), 0.05)
    expect(worse.verdict).toBe('regression')
    const nothing = compare([{ of: [5, 5] }], [{ of: [0, 0] }])
    expect(nothing).toMatchObject({ verdict: 'nothing compared', compared: 0 })
    expect(nothing.difference).toBeUndefined()
  })

  it('recommends more runs than there were, and exactly as many as are needed', () => {
    expect(compare(many(6, { of: [4, 5] }), many(6, { of: [3, 5] })).runsNeeded).toBeGreaterThan(5)
    expect(compare(many(2, { of: [5, 7] }), many(2, { of: [2, 7] })).runsNeeded).toBeGreaterThan(7)
    const { runsNeeded = 0 } = compare([{ of: [1, 1] }, {}, {}], [{ of: [0, 1] }, {}, {}])
    const again = (runs: number) =>
      compare([{ of: [runs, runs] }, {}, {}], [{ of: [0, runs] }, {}, {}]).verdict
    expect([again(runsNeeded - 1), again(runsNeeded)]).toEqual(['not enough runs', 'regression'])
  })

  it('reports an improvement even if one case looks slightly worse', () => {
    const base = [...many(20, { of: [0, 5] }), { of: [5, 5] as [number, number] }]
    const head = [...many(20, { of: [5, 5] }), { of: [4, 5] as [number, number] }]
    expect(compare(base, head).verdict).toBe('improvement')
  })

  it('names the one case of a hundred that fails in all of five runs', () => {
    const { changes } = compare(many(100, { of: [5, 5] }), [{ of: [0, 5] }, ...many(99, { of: [5, 5] })])
    expect(changes).toMatchObject([{ head: { id: 'case-0' }, regressed: true }])
  })

  it('pairs the only agent of each side when there are script tests too', () => {
    const tests = side({ id: 'TestSum', variant: 'scripts' })
    const { compared } = compareRuns(
      whole([...side({ variant: 'old' }), ...tests]),
      whole([...side({ variant: 'new' }), ...tests]),
      0.05,
    )
    expect(compared).toBe(2)
  })

  it('handles thousands of cases with several runs', () => {
    const runs = (shift: number) =>
      Array.from({ length: 3000 }, (_, index): Given => ({ of: [(index + shift) % 11, 10] }))
    expect(['not enough runs', 'no regression', 'regression']).toContain(compare(runs(0), runs(1)).verdict)
  })

  it('reports an improvement only if it is not chance', () => {
    expect(compare(many(4, { of: [1, 5] }), many(4, { of: [5, 5] })).verdict).toBe('improvement')
    expect(compare([{ of: [0, 1] }], [{ of: [1, 1] }]).verdict).toBe('no regression')
  })

  it('lists other changes without making them a regression', () => {
    const base = { of: [5, 5] as [number, number], durationMs: 1000, cost: 0.1, output: 'a' }
    const { verdict, changes } = compare(
      [base, base],
      [{ ...base, durationMs: 1800, cost: 0.2, output: { b: 1 }, flaky: 1 }, base],
    )
    expect(verdict).toBe('no regression')
    expect(changes[0]?.kinds).toEqual(['flakier', 'slower', 'more expensive', 'changed output'])
    expect(changes).toHaveLength(1)
  })

  it('does not compare cases that were edited or could not be judged', () => {
    const { verdict, compared, edited, unjudged } = compare(
      [{ of: [5, 5] }, { of: [5, 5] }, { of: [0, 0] }],
      [{ of: [0, 5], hash: 'new' }, { of: [5, 5] }, { of: [5, 5] }],
    )
    expect([verdict, compared, edited.length, unjudged.length]).toEqual(['no regression', 1, 1, 1])
  })

  it('pairs the only variant of each side, and several variants by name', () => {
    expect(compareRuns(whole(side({ variant: 'old' })), whole(side({ variant: 'new' })), 0.05).compared).toBe(
      1,
    )
    const two = [...side({ variant: 'a' }), ...side({ variant: 'b' })]
    expect(compareRuns(whole(two), whole(side({ variant: 'b' })), 0.05)).toMatchObject({
      compared: 1,
      onlyBase: [{ variant: 'a' }],
    })
    expect(() => compareRuns(whole(side({ id: 'x' })), whole(side({ id: 'y' })), 0.05)).toThrow(
      'no case in common',
    )
  })

  it('reports a regression between runs of the same agent no more often than alpha', () => {
    let seed = 42
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    const rates = Array.from({ length: 8 }, (_, index) => 0.5 + index / 16)
    const played = () =>
      rates.map(
        (rate): Given => ({ of: [Array.from({ length: 5 }, random).filter((at) => at < rate).length, 5] }),
      )
    let wrong = 0
    for (let round = 0; round < 400; round++)
      if (compare(played(), played()).verdict === 'regression') wrong += 1
    expect(wrong).toBeLessThanOrEqual(20)
  })

  it('compares edited cases if one run grades the conversations of the other, and says that the checks changed', () => {
    const edited = side({ of: [0, 1], hash: 'edited' })
    const comparison = compareRuns(
      whole(side({})),
      { cases: edited, missing: 0, origin: { kind: 'graded', from: 'results.jsonl' } },
      0.05,
    )
    expect(comparison).toMatchObject({ compared: 1, edited: [], sameConversations: true })
    expect(verdictText(comparison)).toMatch(/the checks changed, not the agent$/)
  })

  it('does not compare an edited case whose conversation is another one', () => {
    const edited = side({ hash: 'edited', sessionId: 'another' }, {})
    const comparison = compareRuns(
      whole(side({}, {})),
      { cases: edited, missing: 0, origin: { kind: 'graded', from: 'results.jsonl' } },
      0.05,
    )
    expect(comparison.compared).toBe(1)
    expect(comparison.edited).toHaveLength(1)
  })
})
