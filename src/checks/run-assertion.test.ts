import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainScope } from '../scope/plain-scope.ts'
import { noCheckHelpers } from './check-helpers.ts'
import { conversation, judge, verdict } from './conversation.fixture.ts'
import { type AssertionDefinition, defineAssertion, type JudgeSubject } from './definition.ts'
import { compileCheck } from './run-assertion.ts'

const contains = (value: unknown, more = {}) => ({ type: 'contains', value, ...more })

/** A check whose judging is given, for what no built-in one does. */
function checkWith(judging: JudgeSubject, more = {}) {
  const definition: AssertionDefinition = defineAssertion({
    type: 'own',
    about: '',
    fields: {},
    example: {},
    looksAt: 'output',
    compile: () => judging,
  })
  const view = conversation([{ output: 'x' }])
  return compileCheck(definition, { type: 'own', ...more }, 'turn', noCheckHelpers).run(
    view,
    1,
    createPlainScope(),
  )
}

describe('the reply that is judged', () => {
  const answers = [{ output: 'one' }, { output: 'two' }, { output: 'three' }]

  it('is that of the turn to which the check belongs', async () => {
    expect((await judge(contains('two'), answers, { turn: 2 })).status).toBe('passed')
    expect((await judge(contains('two'), answers, { turn: 3 })).status).toBe('failed')
  })

  it('is the last one after the conversation', async () => {
    expect((await judge(contains('three'), answers, { where: 'final' })).status).toBe('passed')
    expect((await judge(contains('two'), answers, { where: 'final' })).status).toBe('failed')
  })

  it('is that of the given turn', async () => {
    expect(await judge(contains('two', { turn: 2 }), answers, { where: 'final' })).toMatchObject({
      status: 'passed',
      reason: 'turn 2: output contains "two"',
    })
    expect((await judge(contains('one', { turn: 1 }), answers, { turn: 3 })).status).toBe('passed')
  })

  it.each([
    ['any', 'two', 'passed', 'turn 2: output contains "two"'],
    ['any', 'x', 'failed', 'in none of 3 turns; turn 3: output does not contain "x"'],
    ['all', 'two', 'failed', 'turn 1: output does not contain "two"'],
    ['last', 'three', 'passed', 'output contains "three"'],
    ['last', 'two', 'failed', 'output does not contain "two"'],
  ])('is selected by scope %s, for %j: %s', async (scope, value, status, reason) => {
    expect(await judge(contains(value, { scope }), answers, { where: 'final' })).toMatchObject({
      status,
      reason,
    })
  })

  it('is each of them with scope all', async () => {
    const same = [{ output: 'a1' }, { output: 'a2' }]
    expect(await judge(contains('a', { scope: 'all' }), same, { where: 'final' })).toMatchObject({
      status: 'passed',
      reason: 'in each of 2 turns; turn 2: output contains "a"',
    })
  })

  it('is negated as a whole: not any means none', async () => {
    const negated = (value: string) => contains(value, { scope: 'any', negate: true })
    expect((await judge(negated('x'), answers, { where: 'final' })).status).toBe('passed')
    expect((await judge(negated('two'), answers, { where: 'final' })).status).toBe('failed')
  })

  it('is never after the turn for which the check is run', async () => {
    expect((await judge(contains('three', { scope: 'any' }), answers, { turn: 2 })).status).toBe('failed')
    expect(await judge(contains('three', { turn: 3 }), answers, { turn: 2 })).toMatchObject({
      status: 'unknown',
      reason: 'there is no turn 3 (2 so far)',
    })
  })
})

describe('a check with nothing to judge', () => {
  it('is unknown, also when negated', async () => {
    for (const negate of [false, true]) {
      expect(await judge(contains('a', { negate, turn: 9 }), { output: 'a' })).toMatchObject({
        status: 'unknown',
      })
      expect(await judge(contains('a', { negate }), { silent: true })).toMatchObject({
        status: 'unknown',
        reason: 'the agent gave no reply',
      })
      expect(await judge(contains('a', { negate }), [], { where: 'final' })).toMatchObject({
        status: 'unknown',
      })
    }
  })

  it('uses the last existing reply after the conversation', async () => {
    const answers = [{ output: 'a' }, { silent: true }]
    expect((await judge(contains('a'), answers, { where: 'final' })).status).toBe('passed')
  })

  it('is unknown if no turn decides the scope', async () => {
    const answers = [{ output: 'a' }, { silent: true }]
    const run = (value: string, scope: string) =>
      judge(contains(value, { scope }), answers, { where: 'final' })
    expect((await run('a', 'any')).status).toBe('passed')
    expect((await run('x', 'any')).status).toBe('unknown')
    expect((await run('x', 'all')).status).toBe('failed')
    expect((await run('a', 'all')).status).toBe('unknown')
  })
})

describe('path', () => {
  const output = '{"user": {"name": "Ada"}, "tags": ["x", "y"], "text": "[1]"}'

  it('checks a part of the output and names it', async () => {
    expect(await verdict(contains('Ad', { path: '$.user.name' }), output)).toBe(
      'passed: $.user.name contains "Ad"',
    )
    expect(await verdict(contains('x', { path: 'tags' }), output)).toBe('passed: tags contains "x"')
    expect(await verdict({ type: 'regex', pattern: '^Ada$', path: '$..name' }, output)).toMatch(/^passed/)
    expect(await verdict({ type: 'equals', value: { name: 'Ada' }, path: 'user' }, output)).toMatch(/^passed/)
  })

  it('returns several matches as an array', async () => {
    expect(await verdict({ type: 'equals', value: ['x', 'y'], path: '$.tags[*]' }, output)).toMatch(/^passed/)
  })

  it('does not parse JSON in the text of a part', async () => {
    expect(await verdict({ type: 'equals', value: [1], path: 'text' }, output)).toBe(
      'failed: text is "[1]", expected [1]',
    )
  })

  it('fails if the part is missing', async () => {
    expect(await verdict(contains('a', { path: '$.x' }), output)).toBe('failed: $.x is missing')
    expect(await verdict(contains('a', { path: '$.x' }), 'words')).toBe(
      'failed: $.x is missing (the reply contains no JSON)',
    )
  })
})

describe('the result', () => {
  it("starts with the author's message when the check does not pass", async () => {
    const message = 'It must ask for the type'
    expect(await verdict(contains('type', { message }), 'no')).toBe(
      'failed: It must ask for the type: output does not contain "type"',
    )
    expect(await verdict(contains('type', { message }), 'type?')).toBe('passed: output contains "type"')
  })

  it('gates by default', async () => {
    expect((await judge(contains('a'), { output: 'a' })).gates).toBe(true)
    expect((await judge(contains('a', { gates: false }), { output: 'b' })).gates).toBe(false)
  })

  it('shows the fields the author wrote', async () => {
    const written = { value: 'a', weight: 2, path: '$.x', negate: true }
    expect((await judge(contains('a', written), { output: 'a' })).fields).toEqual(written)
    expect((await judge(contains('a', { negate: false }), { output: 'a' })).fields).toEqual({ value: 'a' })
  })

  it('has a reason of one short line for any output', async () => {
    const nasty = 'line\nbreak \u001b[31m red '.repeat(10_000)
    for (const assertion of [
      { type: 'equals', value: 'a' },
      { type: 'regex', pattern: '(?s).+', negate: true },
    ]) {
      const { reason } = await judge(assertion, { output: nasty })
      expect(reason.length).toBeLessThan(510)
      expect(reason).not.toMatch(/[\u0000-\u001f]/)
    }
  })

  it('does not repeat a very long output', async () => {
    const long = await judge(contains('a'), { output: 'x'.repeat(1_000_000) })
    expect(String(long.actual).length).toBeLessThan(21_000)
    const large = await judge(contains('a'), { output: { x: 'y'.repeat(1_000_000) } })
    expect(String(large.actual).length).toBeLessThan(21_000)
  })

  it('can be written as JSON', async () => {
    const result = await judge({ type: 'tool_called', name: 'a' }, { calls: [] })
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })
})

describe('a check that throws', () => {
  it('is an error with the reason', async () => {
    const thrown = () => {
      throw new Error('no such\nthing')
    }
    for (const judging of [thrown, async () => thrown()]) {
      expect(await checkWith(judging)).toMatchObject({
        status: 'error',
        reason: 'could not be judged: no such thing',
      })
    }
  })

  it('stays an error or unknown when negated', async () => {
    const judging = () => Promise.reject(new Error('x'))
    expect((await checkWith(judging, { negate: true })).status).toBe('error')
    expect((await checkWith(() => ({ status: 'unknown', reason: '' }), { negate: true })).status).toBe(
      'unknown',
    )
  })

  it('is an error if the output is not JSON data', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(await judge(contains('a'), { output: circular })).toMatchObject({ status: 'error' })
    expect(await judge({ type: 'regex', pattern: 'a' }, { output: { n: 1n } })).toMatchObject({
      status: 'error',
    })
  })

  it('survives an error that cannot be converted to text', async () => {
    const judging = () => {
      throw Object.create(null)
    }
    expect((await checkWith(judging)).status).toBe('error')
  })
})

describe('deep data', () => {
  it('is judged up to the allowed depth', async () => {
    let output: unknown = 'end'
    for (let depth = 0; depth < 500; depth++) output = { a: output }
    const assertions = [
      { type: 'equals', value: output },
      { type: 'contains', value: 'end' },
      { type: 'regex', pattern: 'end' },
      { type: 'json_path', path: '$..a', exists: true },
      { type: 'type', value: 'object' },
    ]
    for (const assertion of assertions) {
      expect((await judge(assertion, { output })).status, assertion.type).toBe('passed')
      expect((await judge(assertion, { output: JSON.stringify(output) })).status, assertion.type).toBe(
        'passed',
      )
    }
  })
})

describe('a negated check that fails', () => {
  const answer = {
    output: '{"total": 5}',
    calls: [{ name: 'pay', arguments: { amount: 5 }, result: 'paid' }],
  }
  const group = (type: string) => ({ type, assertions: [contains('total'), contains('5')] })

  it.each<[Record<string, unknown>, string]>([
    [contains('total'), 'output contains "total", expected not to contain it'],
    [
      { type: 'icontains', value: 'TOTAL' },
      'output contains "TOTAL" in any case, expected not to contain it',
    ],
    [
      { type: 'contains_any', value: ['total', 'x'] },
      'output contains "total", expected not to contain any of them',
    ],
    [
      { type: 'contains_all', value: ['total', '5'] },
      'output contains "total", "5", expected not to contain all of them',
    ],
    [{ type: 'equals', value: { total: 5 } }, 'output is {"total":5}, expected anything else'],
    [{ type: 'regex', pattern: 'tot' }, 'output matches /tot/ with "tot", expected not to match it'],
    [{ type: 'json_path', path: '$.total', exists: true }, '$.total exists: 5, expected it not to exist'],
    [{ type: 'json_path', path: '$.x', exists: false }, '$.x is missing, expected it to exist'],
    [
      { type: 'json_schema', value: { type: 'object' } },
      'output satisfies the schema, expected not to satisfy it',
    ],
    [{ type: 'tool_called', name: 'pay' }, 'tool pay was called, expected it not to be called'],
    [
      { type: 'tool_called', name: 'pay', arguments: { amount: 5 } },
      'tool pay was called with {"amount":5}, expected no such call',
    ],
    [
      { type: 'tool_order', value: ['pay'] },
      'the tool calls are exactly these (strict), expected others; called: pay',
    ],
    [{ type: 'tool_result', name: 'pay', value: 'paid' }, 'tool pay returned "paid", expected anything else'],
    [
      group('any_of'),
      '2 of 2 passed, expected fewer than 1: contains: output contains "total"; contains: output contains "5"',
    ],
  ])('says what it expected: %j', async (assertion, reason) => {
    expect(await judge({ ...assertion, negate: true }, answer)).toMatchObject({ status: 'failed', reason })
  })

  it('says so after words that are not ours', async () => {
    const judging: JudgeSubject = () => ({ status: 'passed', reason: 'It is polite.' })
    expect((await checkWith(judging, { negate: true })).reason).toBe('It is polite. (expected the opposite)')
  })
})

describe('negate with nothing to judge', () => {
  const noJson = 'all is well'
  const missing = (more: object) => ({ path: '$.error', negate: true, ...more })

  it.each([
    [missing({ type: 'contains', value: 'x' }), '$.error is missing (the reply contains no JSON)'],
    [missing({ type: 'equals', value: 'x' }), '$.error is missing (the reply contains no JSON)'],
    [missing({ type: 'json_path', value: 'x' }), '$.error is missing (the reply contains no JSON)'],
    [{ type: 'json_schema', value: { type: 'object' }, negate: true }, 'output contains no JSON'],
    [{ type: 'length', unit: 'items', max: 3, negate: true }, 'output is neither a list nor an object'],
  ])('fails as without negate: %j', async (assertion, reason) => {
    expect(await verdict(assertion, noJson)).toBe(`failed: ${reason}`)
  })

  it('fails for a group unless enough of its assertions really fail', async () => {
    const part = { type: 'contains', path: '$.error', value: 'x' }
    const other = contains('sorry')
    const group = (type: string, ...assertions: object[]) => ({ type, assertions, negate: true })
    expect(await verdict(group('any_of', part, other), noJson)).toMatch(/^failed/)
    expect(await verdict(group('all_of', part), noJson)).toMatch(/^failed/)
    expect(await verdict(group('all_of', part, other), noJson)).toMatch(/^passed/)
    expect(await verdict(group('any_of', other), noJson)).toMatch(/^passed/)
  })

  it.each([
    ['any', ['no', '{"a":"y"}'], 'failed'],
    ['any', ['{"a":"y"}', '{"a":"z"}'], 'passed'],
    ['all', ['no', '{"a":"y"}'], 'passed'],
    ['all', ['no', '{"a":"x"}'], 'failed'],
  ])('with scope %s over the turns %j: %s', async (scope, outputs, status) => {
    const assertion = { type: 'contains', path: '$.a', value: 'x', scope, negate: true }
    const answers = outputs.map((output) => ({ output }))
    expect((await judge(assertion, answers, { where: 'final' })).status).toBe(status)
  })

  it('makes contains the same as not_contains for any output and path', async () => {
    const output = fc.oneof(fc.string(), fc.json(), fc.jsonValue())
    const path = fc.constantFrom(undefined, '$.a', '$[0]', 'a.b')
    await fc.assert(
      fc.asyncProperty(
        output,
        fc.string({ minLength: 1, maxLength: 2 }),
        path,
        async (output, value, path) => {
          const more = { value, ...(path === undefined ? {} : { path }) }
          const negated = await verdict({ type: 'contains', negate: true, ...more }, output)
          expect(await verdict({ type: 'not_contains', ...more }, output)).toBe(negated)
        },
      ),
    )
  })
})
