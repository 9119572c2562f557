import { describe, expect, it } from 'vitest'
import type { CaseStability } from './case-stability.ts'
import { gateOf, judgeGates } from './gates.ts'

function found(passed: number, failed: number, rest: Partial<CaseStability> = {}): CaseStability {
  return {
    file: 'a.jsonl',
    id: 'a',
    variant: 'v',
    runs: passed + failed,
    passed,
    failed,
    expectedFailures: 0,
    unjudged: 0,
    worldFailures: 0,
    flaky: 0,
    failureKinds: {},
    durations: { average: 1, least: 1, most: 1, deviation: 0, p50: 1, p95: 1, p99: 1 },
    ...rest,
  }
}

const statusOf = (...parameters: Parameters<typeof judgeGates>) => judgeGates(...parameters)[0]?.status

describe('gates', () => {
  it('take a rate that is just reached', () => {
    expect(gateOf({ case: 0.9 }, found(9, 1))).toBe('reached')
    expect(gateOf({ case: 0.9 }, found(8, 1))).toBe('missed')
    expect(gateOf({}, found(9, 1))).toBeUndefined()
  })

  it('with a confidence are undecided as long as nobody can tell', () => {
    const gates = { case: 0.9, confidence: 0.95 }
    expect([found(18, 0), found(19, 0), found(0, 1), found(0, 2)].map((each) => gateOf(gates, each))).toEqual(
      ['undecided', 'reached', 'undecided', 'missed'],
    )
  })

  it('are not there for what its author expects to fail, and undecided for what could not be judged', () => {
    expect(gateOf({ case: 0.9 }, found(0, 3, { expectedFailures: 3 }))).toBeUndefined()
    expect(gateOf({ case: 0.9 }, found(0, 0, { unjudged: 3 }))).toBe('undecided')
    expect(statusOf({ case: 0.9 }, [found(3, 0), found(0, 3, { expectedFailures: 3 })])).toBe('reached')
    expect(statusOf({ case: 0.9 }, [found(0, 3, { expectedFailures: 3 })])).toBe('undecided')
    expect(statusOf({ case: 0.9 }, [])).toBe('undecided')
    expect(statusOf({ suite: 0.9 }, [found(0, 0, { unjudged: 1 })])).toBe('undecided')
  })

  it('of the suite weigh every case the same, however often it was played', () => {
    const [gate] = judgeGates({ suite: 0.5 }, [found(1, 0), found(0, 30)])
    expect(gate).toMatchObject({ status: 'reached', rate: 50 })
    expect(statusOf({ suite: 0.51 }, [found(1, 0), found(0, 30)])).toBe('missed')
  })

  it('of stability let nothing pass that took a retry', () => {
    expect(statusOf({ stable: true }, [found(3, 0)])).toBe('reached')
    expect(statusOf({ stable: true }, [found(3, 0, { flaky: 1 })])).toBe('missed')
    expect(statusOf({ stable: true }, [found(3, 0), found(2, 1)])).toBe('missed')
  })
})
