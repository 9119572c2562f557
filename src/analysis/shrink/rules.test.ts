import { describe, expect, it } from 'vitest'
import { atRate, type FailureCount, inSomeOf, isRateKnown, once, type Rule } from './rules.ts'

/** After which run a rule decides, and how, if these runs fail (x) or pass (.). */
function decide(rule: Rule, runs: string): string {
  let failed = 0
  for (const [index, run] of [...runs].entries()) {
    if (run === 'x') failed += 1
    const decision = rule({ runs: index + 1, failed })
    if (decision !== undefined) return `${decision ? 'fails' : 'passes'} after ${index + 1}`
  }
  return 'undecided'
}

describe('rules', () => {
  it.each([
    ['x', 'fails after 1'],
    ['.', 'passes after 1'],
  ])('one run decides: %s', (runs, expected) => {
    expect(once({ runs: 0, failed: 0 })).toBeUndefined()
    expect(decide(once, runs)).toBe(expected)
  })

  it.each([
    ['xx.', 'fails after 2'],
    ['..x', 'passes after 2'],
    ['x.x', 'fails after 3'],
    ['x..', 'passes after 3'],
  ])('two of three runs are played until that is decided: %s', (runs, expected) => {
    expect(decide(inSomeOf(2, 3), runs)).toBe(expected)
  })

  it.each([
    ['xxxxxxx', 'fails after 4'],
    ['..........', 'passes after 8'],
    ['x.x.x', 'undecided'],
    ['.'.repeat(4) + 'xxxxx'.repeat(3), 'fails after 11'],
  ])('a failure in 70 %% of runs is looked for until that is clear: %s', (runs, expected) => {
    expect(decide(atRate({ runs: 20, failed: 14 }), runs)).toBe(expected)
  })

  it('it ends, whatever the rate', () => {
    expect(decide(atRate({ runs: 80, failed: 1 }), '.'.repeat(400))).toMatch(/^passes after \d+$/)
    expect(decide(atRate({ runs: 80, failed: 8 }), 'x.....'.repeat(100))).toMatch(/after \d+$/)
    expect(decide(atRate({ runs: 16, failed: 16 }), 'x'.repeat(10))).toBe('fails after 4')
  })

  /**
   * How often a candidate with the same rate is rejected, and one with a third of it is accepted, when the rate is
   * estimated as in a real case. docs/shrink.md states these limits.
   */
  it.each([
    [0.9, 0.01, 0.04],
    [0.7, 0.01, 0.05],
    [0.5, 0.01, 0.08],
    [0.3, 0.02, 0.1],
    [0.2, 0.02, 0.12],
  ])('at a true rate of %d, errors are seldom', (rate, rejected, accepted) => {
    const random = createRandom(11)
    const rounds = 2000
    let [missed, mistaken] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const rule = atRate(play(rate, isRateKnown, random))
      const fails = (at: number) => rule(play(at, (trials) => rule(trials) !== undefined, random))
      if (!fails(rate)) missed += 1
      if (fails(rate / 3)) mistaken += 1
    }
    expect(missed / rounds).toBeLessThanOrEqual(rejected)
    expect(mistaken / rounds).toBeLessThanOrEqual(accepted)
  })
})

function play(rate: number, isEnough: (trials: FailureCount) => boolean, random: () => number): FailureCount {
  const trials = { runs: 0, failed: 0 }
  while (!isEnough(trials)) {
    trials.runs += 1
    if (random() < rate) trials.failed += 1
  }
  return trials
}

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
