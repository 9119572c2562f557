import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../results/transcript/message.ts'
import { type Answer, judge, validationProblems } from './conversation.fixture.ts'
import { compileCall, meetsExpectation } from './expected-call.ts'
import { readExpectedCalls } from './tool-fields.ts'

type Calls = Exclude<Answer['calls'], 'hidden' | undefined>
type Expected = string | { name: string; arguments?: Record<string, unknown> }

const calls = (...names: string[]): Calls => names.map((name) => ({ name }))
const order = (value: Expected[], more = {}) => ({ type: 'tool_order', value, ...more })

async function verdictOn(assertion: Record<string, unknown>, made: Answer['calls']): Promise<string> {
  const { status, reason } = await judge(assertion, { calls: made ?? [] })
  return `${status}: ${reason}`
}

describe('tool_order', () => {
  it.each([
    // expected a, b
    ['strict', ['a', 'b'], 'passed'],
    ['strict', ['b', 'a'], 'failed'],
    ['strict', ['a', 'b', 'b'], 'failed'],
    ['strict', ['a'], 'failed'],
    ['strict', ['x', 'a', 'b'], 'failed'],
    ['unordered', ['b', 'a'], 'passed'],
    ['unordered', ['b', 'a', 'a'], 'failed'],
    ['unordered', ['a'], 'failed'],
    ['subset', ['b'], 'passed'],
    ['subset', [], 'passed'],
    ['subset', ['b', 'a'], 'passed'],
    ['subset', ['a', 'a'], 'failed'],
    ['subset', ['a', 'x'], 'failed'],
    ['superset', ['b', 'x', 'a'], 'passed'],
    ['superset', ['a', 'a', 'x'], 'failed'],
    ['superset', [], 'failed'],
  ])('%s: expected a, b and called %j is %s', async (mode, names, status) => {
    expect(await verdictOn(order(['a', 'b'], { mode }), calls(...names))).toMatch(new RegExp(`^${status}`))
  })

  it.each([
    ['superset', ['a', 'x', 'b'], 'passed'],
    ['superset', ['b', 'a', 'b'], 'passed'],
    ['superset', ['b', 'a'], 'failed'],
    ['subset', ['a'], 'passed'],
    ['subset', ['b'], 'passed'],
    ['subset', ['b', 'a'], 'failed'],
  ])('%s in order: expected a, b and called %j is %s', async (mode, names, status) => {
    expect(await verdictOn(order(['a', 'b'], { mode, in_order: true }), calls(...names))).toMatch(
      new RegExp(`^${status}`),
    )
  })

  it('is strict by default, and reports the first difference', async () => {
    const expected = ['a', { name: 'b', arguments: { n: 1 } }]
    expect(await verdictOn(order(expected), calls('a', 'c'))).toBe(
      'failed: call 2 was c, expected b (strict; called: a, c)',
    )
    expect(await verdictOn(order(expected), [{ name: 'a' }, { name: 's__b', arguments: { n: 2 } }])).toBe(
      'failed: call 2 was s__b, but n was 2, expected 1 (strict; called: a, s__b)',
    )
    expect(await verdictOn(order(expected), calls('a'))).toBe(
      'failed: call 2 is missing, expected b {"n":1} (strict; called: a)',
    )
    expect(await verdictOn(order(['a']), calls('a', 'b'))).toBe(
      'failed: call 2 was b, expected no more (strict; called: a, b)',
    )
    expect(await verdictOn(order(['a']), calls('a'))).toBe(
      'passed: the tool calls are as expected (strict); called: a',
    )
  })

  it('names missing and unexpected calls', async () => {
    expect(await verdictOn(order(['a', 'b'], { mode: 'unordered' }), calls('b', 'c'))).toBe(
      'failed: missing: a; unexpected: c {} (unordered; called: b, c)',
    )
  })

  it('expects no calls for an empty list', async () => {
    expect(await verdictOn(order([]), [])).toBe(
      'passed: the tool calls are as expected (strict); no tool was called',
    )
    expect(await verdictOn(order([]), calls('a'))).toMatch(/^failed/)
  })

  it('judges all turns together after the conversation, and records a score', async () => {
    const answers = [{ calls: calls('a') }, { calls: calls('b', 'x') }]
    expect(await judge(order(['a', 'b', 'x']), answers, { where: 'final' })).toMatchObject({
      status: 'passed',
      score: 1,
    })
    expect(
      await judge(order(['a', 'b', 'c', 'd'], { mode: 'superset' }), answers, { where: 'final' }),
    ).toMatchObject({
      status: 'failed',
      score: 0.5,
      expected: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
      actual: [{ name: 'a' }, { name: 'b' }, { name: 'x' }],
    })
  })

  it('is unknown if hidden calls could change the verdict', async () => {
    const answers: Answer[] = [{ calls: calls('a') }, { calls: 'hidden' }]
    const statusOf = async (value: Expected[], mode: string) =>
      (await judge(order(value, { mode }), answers, { where: 'final' })).status
    for (const mode of ['strict', 'unordered', 'subset']) expect(await statusOf(['a'], mode)).toBe('unknown')
    expect(await statusOf(['a', 'b'], 'superset')).toBe('unknown')
    // More calls cannot change these two verdicts.
    expect(await statusOf(['a'], 'superset')).toBe('passed')
    expect(await statusOf(['b'], 'subset')).toBe('failed')
  })

  it('rejects invalid combinations', () => {
    expect(validationProblems({ type: 'tool_order' })).toEqual([
      'value: tool_order needs a "value" that is a list of calls',
    ])
    expect(validationProblems(order(['a'], { mode: 'exact' }))).toHaveLength(1)
    expect(validationProblems(order(['a'], { in_order: true }))).toEqual([
      'in_order: "in_order" is only for subset and superset, not for strict',
    ])
    expect(validationProblems(order([], { mode: 'superset' }))).toHaveLength(1)
    expect(validationProblems(order([{ name: 'a', arguments: { x: { $gtt: 1 } } }]))).toEqual([
      'value.0.arguments.x.$gtt: unknown matcher "$gtt" (did you mean "$gt"?)',
    ])
  })
})

/** A call of `t` with these arguments, expected or actual. */
const t = (written: Record<string, unknown>) => ({ name: 't', arguments: written })

/** Title, mode, expected calls, actual calls, correct verdict. */
const trapsForGreedy: [string, string, Expected[], Calls, 'passed' | 'failed'][] = [
  [
    'a bare name before a call with arguments',
    'unordered',
    ['t', t({ n: 1 })],
    [t({ n: 1 }), t({ n: 2 })],
    'passed',
  ],
  [
    '$any before a value',
    'superset',
    [t({ n: { $any: true } }), t({ n: 1 })],
    [t({ n: 1 }), t({ n: 2 })],
    'passed',
  ],
  [
    '$any before a value, none to spare',
    'subset',
    [t({ n: { $any: true } }), t({ n: 1 })],
    [t({ n: 1 }), t({ n: 2 })],
    'passed',
  ],
  [
    'overlapping limits',
    'unordered',
    [t({ n: { $gt: 0 } }), t({ n: { $lt: 10 } })],
    [t({ n: 5 }), t({ n: 50 })],
    'passed',
  ],
  [
    'a chain in which each must give way to the next',
    'unordered',
    [t({ n: { $lte: 2 } }), t({ n: { $lte: 1 } }), t({ n: { $lte: 3 } })],
    [t({ n: 1 }), t({ n: 2 }), t({ n: 3 })],
    'passed',
  ],
  [
    'a long chain',
    'superset',
    [5, 4, 3, 2, 1].map((n) => t({ n: { $lte: n } })),
    [1, 2, 3, 4, 5, 6].map((n) => t({ n })),
    'passed',
  ],
  [
    'patterns of which one is wider',
    'unordered',
    [t({ city: { $regex: 'on' } }), t({ city: { $regex: '^London$' } })],
    [t({ city: 'London' }), t({ city: 'Lyon' })],
    'passed',
  ],
  [
    'fewer keys before more',
    'superset',
    [t({ a: 1 }), t({ a: 1, b: 2 })],
    [t({ a: 1, b: 2 }), t({ a: 1, b: 3 }), t({ z: 1 })],
    'passed',
  ],
  [
    'a server left out before a server named',
    'unordered',
    ['create', 'expenses__create'],
    [{ name: 'expenses__create' }, { name: 'travel__create' }],
    'passed',
  ],
  [
    'a small subset that only fits the other way round',
    'subset',
    ['t', t({ a: 1 }), t({ b: 1 })],
    [t({ a: 1 }), t({ b: 1 }), t({ c: 1 })],
    'passed',
  ],
  [
    'the narrowest written last',
    'unordered',
    [t({ n: { $gte: 1 } }), t({ n: { $gte: 2 } }), t({ n: 1 })],
    [t({ n: 1 }), t({ n: 2 }), t({ n: 3 })],
    'passed',
  ],
]

/** A simple but wrong algorithm: each call takes the first one that fits. */
function greedyVerdict(mode: string, value: Expected[], made: Calls, first: 'expected' | 'actual'): string {
  const expectations = readExpectedCalls({ value }).map(compileCall)
  const actual = made.map((call, index): ToolCall => ({ id: String(index), arguments: {}, ...call }))
  const fits = (e: number, a: number) => {
    const [expectation, call] = [expectations[e], actual[a]]
    return expectation !== undefined && call !== undefined && meetsExpectation(call, expectation)
  }
  const [outer, inner] = first === 'expected' ? [expectations, actual] : [actual, expectations]
  const taken = new Set<number>()
  for (const i of outer.keys()) {
    const found = [...inner.keys()].find(
      (j) => !taken.has(j) && (first === 'expected' ? fits(i, j) : fits(j, i)),
    )
    if (found !== undefined) taken.add(found)
  }
  const needsExpected = mode !== 'subset' && taken.size < expectations.length
  const needsActual = mode !== 'superset' && taken.size < actual.length
  return needsExpected || needsActual ? 'failed' : 'passed'
}

describe('the best pairing, where a greedy choice is wrong', () => {
  it.each(trapsForGreedy)('%s (%s)', async (_, mode, value, made, right) => {
    expect(greedyVerdict(mode, value, made, 'expected')).not.toBe(right)
    expect((await judge(order(value, { mode }), { calls: made })).status).toBe(right)
    // The order of the expected calls does not matter either.
    expect((await judge(order(value.toReversed(), { mode }), { calls: made.toReversed() })).status).toBe(
      right,
    )
  })

  it('also beats a greedy choice from the other side', () => {
    const wrong = trapsForGreedy.filter(
      ([, mode, value, made, right]) => greedyVerdict(mode, value, made, 'actual') !== right,
    )
    expect(wrong.length).toBeGreaterThanOrEqual(8)
  })

  it('still fails if no pairing is good enough', async () => {
    const value = [t({ n: { $lte: 1 } }), t({ n: { $lte: 1 } }), 't']
    const made = [t({ n: 1 }), t({ n: 2 }), t({ n: 3 })]
    for (const mode of ['unordered', 'superset', 'subset']) {
      expect(await judge(order(value, { mode }), { calls: made })).toMatchObject({
        status: 'failed',
        score: 2 / 3,
      })
    }
  })

  it('passes when negated only if no pairing is good enough', async () => {
    const value = ['t', t({ n: 1 })]
    const negated = order(value, { mode: 'unordered', negate: true })
    expect((await judge(negated, { calls: [t({ n: 1 }), t({ n: 2 })] })).status).toBe('failed')
    expect((await judge(negated, { calls: [t({ n: 2 }), t({ n: 2 })] })).status).toBe('passed')
  })
})
