import { describe, expect, it } from 'vitest'
import { atRate, inSomeOf, once, type Rule } from './rules.ts'

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
    ['xxx', 'fails after 3'],
    ['........', 'passes after 8'],
    ['x.x.x', 'undecided'],
    ['.'.repeat(4) + 'xxxxx'.repeat(2), 'fails after 10'],
  ])('a failure in 70 %% of runs is looked for until that is clear: %s', (runs, expected) => {
    expect(decide(atRate(0.7), runs)).toBe(expected)
  })

  it('it ends, whatever the rate', () => {
    expect(decide(atRate(0), '.'.repeat(100))).toMatch(/^passes after \d+$/)
    expect(decide(atRate(0.1), 'x...'.repeat(100))).toMatch(/after \d+$/)
    expect(decide(atRate(1), 'x'.repeat(10))).toBe('fails after 3')
  })

  it('a flaky candidate is seldom rejected by mistake, and one that seldom fails is seldom accepted', () => {
    let state = 11
    const random = () => {
      state = (state * 1103515245 + 12345) % 2147483648
      return state / 2147483648
    }
    const share = (rate: number) => {
      let fails = 0
      for (let round = 0; round < 4000; round++) {
        const runs = Array.from({ length: 60 }, () => (random() < rate ? 'x' : '.')).join('')
        if (decide(atRate(0.7), runs).startsWith('fails')) fails += 1
      }
      return fails / 4000
    }
    expect(share(0.7)).toBeGreaterThan(0.99)
    expect(share(0.2)).toBeLessThan(0.05)
    expect(share(0)).toBe(0)
  })
})
