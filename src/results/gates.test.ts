import { describe, expect, it } from 'vitest'
import type { CaseStability } from './case-stability.ts'
import { decideCaseGate, decideStableGate, type Gates, judgeGates } from './gates.ts'

function found(passed: number, failed: number, rest: Partial<CaseStability> = {}): CaseStability {
  return {
    file: 'a.jsonl',
    id: 'a',
    variant: 'v',
    runs: passed + failed,
    passed,
    failed,
    expectedFailures: 0,
    known: false,
    skipped: 0,
    unjudged: 0,
    infrastructureErrors: 0,
    flaky: 0,
    failureKinds: {},
    durations: { average: 1, least: 1, most: 1, deviation: 0, p50: 1, p95: 1, p99: 1 },
    ...rest,
  }
}

const judge = (gates: Gates, cases: readonly CaseStability[]) =>
  judgeGates(gates, cases, { isComplete: true })
const firstStatus = (gates: Gates, cases: readonly CaseStability[]) => judge(gates, cases)[0]?.status

describe('gates', () => {
  it('say how many cases of their variant were carried over', () => {
    const carriedOver = ['v', 'v', 'w'].map(
      (variant) => ['a.jsonl', 'b', variant, ''] as [string, string, string, string],
    )
    const cases = [found(1, 0), found(1, 0, { variant: 'w' })]
    const judged = judgeGates({ suite: 0.5 }, cases, { isComplete: true, carriedOver })
    expect(judged.map(({ variant, carried_over: count }) => [variant, count])).toEqual([
      ['v', 2],
      ['w', 1],
    ])
    expect(judge({ suite: 0.5 }, cases)[0]).not.toHaveProperty('carried_over')
  })

  it('are reached by a rate that equals the gate', () => {
    expect(decideCaseGate({ case: 0.9 }, found(9, 1))).toBe('reached')
    expect(decideCaseGate({ case: 0.9 }, found(8, 1))).toBe('missed')
    expect(decideCaseGate({}, found(9, 1))).toBeUndefined()
  })

  it('with a confidence are undecided until there is enough evidence', () => {
    const gates = { case: 0.9, confidence: 0.95 }
    expect(
      [found(18, 0), found(19, 0), found(0, 1), found(0, 2)].map((each) => decideCaseGate(gates, each)),
    ).toEqual(['undecided', 'reached', 'undecided', 'missed'])
  })

  it('do not apply to expected failures, skipped cases, and cases that could not be judged', () => {
    const known = found(1, 9, { expectedFailures: 9, known: true })
    const skipped = found(0, 0, { runs: 3, unjudged: 3, skipped: 3 })
    const broken = found(0, 0, { runs: 3, unjudged: 3, infrastructureErrors: 3 })
    for (const each of [known, skipped, broken]) expect(decideCaseGate({ case: 0.9 }, each)).toBeUndefined()
    expect(judge({ case: 0.9 }, [found(3, 0), known, skipped])).toMatchObject([
      { status: 'reached', reached: 1, unjudged: 0 },
    ])
    expect(judge({ case: 0.9, stable: true }, [found(3, 0), broken])).toMatchObject([
      { status: 'reached', reached: 1, unjudged: 1 },
      { status: 'reached', reached: 1, unjudged: 1 },
    ])
    expect(firstStatus({ case: 0.9 }, [known, skipped])).toBe('undecided')
    expect(firstStatus({ case: 0.9 }, [broken])).toBe('undecided')
    expect(firstStatus({ case: 0.9 }, [])).toBe('undecided')
    expect(firstStatus({ suite: 0.9 }, [found(0, 0, { runs: 1, unjudged: 1 })])).toBe('undecided')
  })

  it('are not reached by an incomplete run', () => {
    const gates = { case: 0.9, suite: 0.9, stable: true }
    const statuses = (...cases: CaseStability[]) =>
      judgeGates(gates, cases, { isComplete: false }).map(({ status }) => status)
    expect(statuses(found(3, 0))).toEqual(['undecided', 'undecided', 'undecided'])
    expect(statuses(found(0, 3))).toEqual(['missed', 'missed', 'missed'])
  })

  it('on stability are missed by a case that passes only on retry', () => {
    expect(decideStableGate({ stable: true }, found(3, 0))).toBe('reached')
    expect(decideStableGate({ stable: true }, found(3, 0, { flaky: 1 }))).toBe('missed')
    expect(decideStableGate({}, found(3, 0))).toBeUndefined()
  })

  it('on the suite give every case the same weight, whatever its number of runs', () => {
    const [gate] = judge({ suite: 0.5 }, [found(1, 0), found(0, 30)])
    expect(gate).toMatchObject({ status: 'reached', rate: 50 })
    expect(firstStatus({ suite: 0.51 }, [found(1, 0), found(0, 30)])).toBe('missed')
  })

  it('are not missed by a rounding error', () => {
    expect(firstStatus({ suite: 0.7 }, [found(7, 3), found(7, 3), found(7, 3)])).toBe('reached')
    expect(
      firstStatus(
        { suite: 0.8 },
        Array.from({ length: 10 }, () => found(8, 2)),
      ),
    ).toBe('reached')
  })

  it('on the suite apply to each variant', () => {
    const cases = [found(10, 0, { variant: 'good' }), found(6, 4, { variant: 'bad' })]
    expect(judge({ suite: 0.8 }, cases)).toMatchObject([
      { variant: 'good', status: 'reached' },
      { variant: 'bad', status: 'missed' },
    ])
  })

  it('on stability are missed if one case was retried or failed', () => {
    expect(firstStatus({ stable: true }, [found(3, 0)])).toBe('reached')
    expect(firstStatus({ stable: true }, [found(3, 0, { flaky: 1 })])).toBe('missed')
    expect(firstStatus({ stable: true }, [found(3, 0), found(2, 1)])).toBe('missed')
  })
})
