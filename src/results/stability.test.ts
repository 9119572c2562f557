import { describe, expect, it } from 'vitest'
import { caseResult } from './result.fixture.ts'
import type { CaseResult } from './result.ts'
import { listTrials, StabilityTally } from './stability.ts'
import { classifyStability } from './stability-class.ts'
import { stabilityToLine } from './stability-line.ts'

function result(run: number, rest: Partial<CaseResult> & { output?: unknown; ms?: number } = {}): CaseResult {
  const { output, ms = 100, ...fields } = rest
  const turn = {
    number: 1,
    source: 'initial' as const,
    input: { value: 'hi', message: { role: 'user' as const, content: 'hi' } },
    reply: { output, content: '', messages: [], toolCalls: [] },
    checks: [],
    awaiting: { awaiting: false, reason: 'completed' as const },
    durationMs: 1,
  }
  return caseResult({
    key: { file: 'a.jsonl', id: 'T1', variant: 'a', run, attempt: 1 },
    view: { history: [], turns: output === undefined ? [] : [turn] },
    durationMs: ms,
    ...fields,
  })
}

const failed = {
  status: 'failed',
  fault: 'agent',
  failure: { kind: 'assertion', message: '' },
} as const

function over(...results: CaseResult[]) {
  const tally = new StabilityTally()
  for (const one of results) tally.add(one)
  return [...tally.cases()]
}

describe('stability', () => {
  it('has runs, rate, consistency and durations', () => {
    expect(
      over(
        result(1, { output: { a: 1, b: 2 }, ms: 234 }),
        result(2, { output: { b: 2, a: 1 }, ms: 210 }),
        result(3, { ...failed, output: { a: 2 }, ms: 256 }),
      ),
    ).toEqual([
      {
        file: 'a.jsonl',
        id: 'T1',
        variant: 'a',
        runs: 3,
        passed: 2,
        failed: 1,
        expectedFailures: 0,
        known: false,
        unjudged: 0,
        infrastructureErrors: 0,
        skipped: 0,
        flaky: 0,
        failureKinds: { assertion: 1 },
        passRate: 66.7,
        interval: { low: 20.8, high: 93.9 },
        stability: 'unstable',
        consistency: 0.67,
        durations: {
          average: 700 / 3,
          least: 210,
          most: 256,
          deviation: expect.closeTo(18.79, 1),
          p50: 234,
          p95: 256,
          p99: 256,
        },
      },
    ])
  })

  it("does not count skips and failures that are not the agent's fault in the rate", () => {
    const [one] = over(
      result(1, { output: 'x' }),
      result(2, { status: 'failed', fault: 'infrastructure' }),
      result(3, { status: 'skipped' }),
    )
    expect(one).toMatchObject({
      runs: 3,
      passed: 1,
      failed: 0,
      unjudged: 2,
      passRate: 100,
      stability: 'stable',
    })
    const [none] = over(result(1, { status: 'failed', fault: 'infrastructure' }))
    expect(none).not.toHaveProperty('passRate')
    expect(none).not.toHaveProperty('stability')
    expect(none).not.toHaveProperty('consistency')
  })

  it('distinguishes ten equal failures from ten different ones', () => {
    const alike = Array.from({ length: 10 }, (_, index) => result(index + 1, { ...failed, output: 'No.\n' }))
    const apart = alike.map((one, index) => result(one.key.run, { ...failed, output: `No ${index}` }))
    expect(over(...alike)[0]).toMatchObject({ passRate: 0, consistency: 1 })
    expect(over(...apart)[0]).toMatchObject({ passRate: 0, consistency: 0.1 })
  })

  it.each([
    [100, 'stable'],
    [99.9, 'mostly stable'],
    [80, 'mostly stable'],
    [79.9, 'unstable'],
    [50, 'unstable'],
    [49.9, 'highly unstable'],
    [0, 'highly unstable'],
  ])('of %d%% is %s', (rate, stability) => {
    expect(classifyStability(rate)).toBe(stability)
  })
})

describe('the stability of runs that are not live', () => {
  it('has counts, but no rate and no class', () => {
    const replayed = { origin: 'replayed' as const }
    const [found] = over(result(1, replayed), result(2, { ...failed, ...replayed }))
    expect(found).toMatchObject({ runs: 2, passed: 1, failed: 1, origin: 'replayed' })
    for (const figure of ['passRate', 'interval', 'stability']) expect(found).not.toHaveProperty(figure)
    expect(found && stabilityToLine(found)).toMatchObject({ pass_rate: null, stable: false, stability: null })
    expect(listTrials(found ? [found] : [])).toEqual([])
  })
})
