import { describe, expect, it } from 'vitest'
import { type Answer, judge, validationProblems } from './conversation.fixture.ts'

const broken = {
  toJSON() {
    throw new Error('no JSON')
  },
}

/** A reply for which each of the members has the status that it is named after. */
const answer: Answer = { output: { word: 'yes', broken }, calls: 'hidden' }

const members = {
  passed: { type: 'contains', path: 'word', value: 'yes' },
  failed: { type: 'contains', path: 'word', value: 'no' },
  unknown: { type: 'tool_called', name: 'pay' },
  error: { type: 'regex', path: 'broken', pattern: 'x' },
}

async function judgeGroup(group: object, statuses: string): Promise<string> {
  const assertions = statuses.split(' ').map((status) => members[status as keyof typeof members])
  return (await judge({ assertions, ...group }, answer)).status
}

describe('groups', () => {
  it.each([
    // all_of, any_of, n_of 2
    ['passed passed', 'passed', 'passed', 'passed'],
    ['passed failed', 'failed', 'passed', 'failed'],
    ['failed failed', 'failed', 'failed', 'failed'],
    ['passed unknown', 'unknown', 'passed', 'unknown'],
    ['failed unknown', 'failed', 'unknown', 'failed'],
    ['unknown unknown', 'unknown', 'unknown', 'unknown'],
    ['passed error', 'error', 'passed', 'error'],
    ['failed error', 'failed', 'error', 'failed'],
    ['unknown error', 'error', 'error', 'error'],
    ['passed failed unknown', 'failed', 'passed', 'unknown'],
    ['passed passed unknown', 'unknown', 'passed', 'passed'],
    ['passed passed error', 'error', 'passed', 'passed'],
    ['passed unknown error', 'error', 'passed', 'error'],
    ['failed failed unknown', 'failed', 'unknown', 'failed'],
    ['passed failed failed', 'failed', 'passed', 'failed'],
  ])('combine %s: all_of %s, any_of %s, n_of 2 %s', async (statuses, all, any, two) => {
    expect(await judgeGroup({ type: 'all_of' }, statuses)).toBe(all)
    expect(await judgeGroup({ type: 'any_of' }, statuses)).toBe(any)
    expect(await judgeGroup({ type: 'n_of', n: 2 }, statuses)).toBe(two)
  })

  it('negate only passed and failed', async () => {
    expect(await judgeGroup({ type: 'all_of', negate: true }, 'passed failed')).toBe('passed')
    expect(await judgeGroup({ type: 'any_of', negate: true }, 'passed failed')).toBe('failed')
    expect(await judgeGroup({ type: 'all_of', negate: true }, 'passed unknown')).toBe('unknown')
    expect(await judgeGroup({ type: 'any_of', negate: true }, 'failed error')).toBe('error')
  })

  it('may contain negated assertions', async () => {
    const not = { ...members.failed, negate: true }
    const unknown = { ...members.unknown, negate: true }
    const run = async (type: string, assertions: object[]) =>
      (await judge({ type, assertions }, answer)).status
    expect(await run('all_of', [members.passed, not])).toBe('passed')
    expect(await run('all_of', [unknown])).toBe('unknown')
    expect(await run('any_of', [unknown])).toBe('unknown')
  })

  it('may contain groups', async () => {
    const inner = {
      type: 'any_of',
      assertions: [members.failed, { type: 'all_of', assertions: [members.passed] }],
    }
    expect(await judge({ type: 'all_of', assertions: [inner, members.passed] }, answer)).toMatchObject({
      status: 'passed',
      score: 1,
    })
    const failing = { type: 'all_of', assertions: [members.passed, { ...inner, negate: true }] }
    expect((await judge(failing, answer)).reason).toMatch(/^1 of 2 passed: any_of: 1 of 2 passed/)
  })

  it('record the weighted share that passed', async () => {
    const scoreOf = async (...weights: [number?, number?, number?]) => {
      const all = [members.passed, members.failed, members.passed]
      const assertions = all.map((each, index) => ({ ...each, weight: weights[index] }))
      return (await judge({ type: 'any_of', assertions }, answer)).score
    }
    expect(await scoreOf()).toBe(2 / 3)
    expect(await scoreOf(1, 8, 1)).toBe(0.2)
    expect(await scoreOf(2, 1)).toBe(3 / 4)
    expect(await scoreOf(0, 0, 0)).toBeUndefined()
  })

  it('record the result of each assertion', async () => {
    expect(
      await judge({ type: 'all_of', assertions: [members.passed, members.failed] }, answer),
    ).toMatchObject({
      actual: [
        { type: 'contains', status: 'passed', reason: 'word contains "yes"' },
        { type: 'contains', status: 'failed', reason: 'word does not contain "no"' },
      ],
    })
  })

  describe('select turns', () => {
    const answers: Answer[] = [
      { output: 'a b', calls: [{ name: 'pay' }] },
      { output: 'a', calls: [] },
      { output: 'b', calls: [] },
    ]
    const both = [
      { type: 'contains', value: 'a' },
      { type: 'contains', value: 'b' },
    ]
    const run = async (fields: object, where: 'turn' | 'final' = 'final', turn?: number) =>
      (
        await judge({ type: 'all_of', assertions: both, ...fields }, answers, {
          where,
          ...(turn && { turn }),
        })
      ).status

    it('by the fields of their assertions', async () => {
      expect(await run({})).toBe('failed')
      expect(await run({}, 'turn', 1)).toBe('passed')
      expect(await run({ assertions: both.map((each) => ({ ...each, scope: 'any' })) })).toBe('passed')
      expect(await run({ assertions: [{ type: 'tool_called', name: 'pay' }] })).toBe('passed')
      expect(await run({ assertions: [{ type: 'tool_called', name: 'pay' }] }, 'turn')).toBe('failed')
    })

    it('by their own fields for all assertions', async () => {
      expect(await run({ turn: 1 })).toBe('passed')
      expect(await run({ turn: 2 })).toBe('failed')
      expect(await run({ scope: 'any' })).toBe('passed')
      expect(await run({ scope: 'all' })).toBe('failed')
      expect(await run({ turn: 9 })).toBe('unknown')
      // If the group has a `turn`, its assertions belong to that turn.
      expect(await run({ turn: 3, assertions: [{ type: 'tool_called', name: 'pay' }] })).toBe('failed')
    })
  })

  describe('are validated', () => {
    const inGroup = (assertion: unknown, type = 'all_of') =>
      validationProblems({ type, assertions: [members.passed, assertion] })

    it('including their assertions, with path and suggestion', () => {
      expect(inGroup({ type: 'contains', vaule: 1 })).toEqual([
        'assertions.1.value: contains needs a "value"',
        'assertions.1: unknown key "vaule" (did you mean "value"?)',
      ])
      expect(inGroup({ type: 'contain', value: 1 })).toEqual([
        expect.stringContaining(
          'assertions.1.type: unknown assertion type "contain" (did you mean "contains" or "icontains"',
        ),
      ])
      expect(inGroup({ type: 'regex', pattern: '(' })).toEqual([
        expect.stringMatching(/^assertions\.1\.pattern: /),
      ])
      expect(inGroup({ type: 'any_of', assertions: [{ type: 'equals' }] })).toEqual([
        'assertions.1.assertions.0.value: equals needs a "value"',
      ])
    })

    it('for their required fields', () => {
      for (const assertions of [undefined, [], members.passed]) {
        expect(validationProblems({ type: 'any_of', assertions })).toEqual([
          'assertions: any_of needs "assertions": a list of them',
        ])
      }
      expect(
        validationProblems({ type: 'all_of', assert: [members.passed], assertions: [members.passed] }),
      ).toEqual([': unknown key "assert" (did you mean "assertions"?)'])
      expect(validationProblems({ type: 'all_of', path: 'a', assertions: [members.passed] })).toEqual([
        'path: "path" selects a part of the output, but all_of leaves that to the assertions in it',
      ])
      expect(inGroup({ ...members.failed, gates: false })).toEqual([
        'assertions.1.gates: in a group every assertion counts: "gates" belongs to the group',
      ])
    })
  })
})
