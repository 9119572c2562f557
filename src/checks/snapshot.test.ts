import { describe, expect, it } from 'vitest'
import { noCheckHelpers, type SnapshotAnswer, type SnapshotQuestion } from './check-helpers.ts'
import { type Answer, judge, validationProblems } from './conversation.fixture.ts'

/** Judges a reply, and returns the result and what was asked for. */
async function ask(
  fields: object,
  answers: Answer | Answer[],
  answer: SnapshotAnswer = { is: 'same' },
  where: 'turn' | 'final' = 'turn',
) {
  const asked: SnapshotQuestion[] = []
  const snapshot = (question: SnapshotQuestion) => {
    asked.push(question)
    return answer
  }
  const helpers = { ...noCheckHelpers, snapshot }
  return {
    result: await judge({ type: 'snapshot', ...fields }, answers, { helpers, where }),
    asked: asked[0],
  }
}

describe('snapshot', () => {
  it('passes when it is the same, and fails when it is not', async () => {
    expect((await ask({}, { output: 'a' })).result).toMatchObject({ status: 'passed' })
    const { result } = await ask({}, { output: 'a' }, { is: 'different', text: 'a', expected: 'b' })
    expect(result).toMatchObject({ status: 'failed', expected: 'b', actual: 'a' })
    expect(result.reason).toBe('it is "a", the snapshot has "b" (--update-snapshots accepts the change)')
  })

  it('says so if characters are only composed in another way', async () => {
    const [text, expected] = ['caf\u00e9', 'cafe\u0301']
    const { result } = await ask({}, { output: text }, { is: 'different', text, expected })
    expect(result.reason).toBe(
      `it is "${text}" (U+00E9), the snapshot has "${expected}" (U+0065 U+0301) (--update-snapshots accepts the change)`,
    )
  })

  it('a missing snapshot fails', async () => {
    const { result } = await ask({}, { output: 'a' }, { is: 'missing', text: 'a', why: 'there is none' })
    expect(result).toMatchObject({ status: 'failed', reason: 'there is none' })
  })

  it('what was written counts as unchecked', async () => {
    for (const replaces of [true, false])
      expect((await ask({}, { output: 'a' }, { is: 'written', replaces })).result).toMatchObject({
        status: 'passed',
        unchecked: true,
      })
  })

  it('each part has a name of its own', async () => {
    const answers = [{ output: 'a' }, { output: { status: 'ok' }, calls: [{ name: 'pay' }] }]
    const part = async (fields: object, where: 'turn' | 'final' = 'turn') =>
      (await ask(fields, answers, { is: 'same' }, where)).asked?.part
    expect(await part({})).toBe('turn 2, output')
    expect(await part({ path: 'status' })).toBe('turn 2, status')
    expect(await part({ of: 'tool_calls' })).toBe('turn 2, tool calls')
    expect(await part({ name: 'receipt' })).toBe('turn 2, receipt')
    expect(await part({ of: 'conversation' }, 'final')).toBe('end, conversation')
  })

  it('a path selects a part of the output', async () => {
    expect((await ask({ path: 'status' }, { output: { status: 'ok' } })).asked?.text).toBe('ok')
  })

  it('at the end, the tool calls of all turns are compared', async () => {
    const answers = [{ calls: [{ name: 'find' }] }, { calls: [{ name: 'pay' }] }]
    const { asked } = await ask({ of: 'tool_calls' }, answers, { is: 'same' }, 'final')
    expect(asked?.text).toBe('find {}\npay {}')
  })

  it('hidden tool calls are unknown', async () => {
    const { result } = await ask({ of: 'tool_calls' }, { calls: 'hidden' })
    expect(result.status).toBe('unknown')
  })

  it('a negated group cannot contain one', () => {
    const nested = { type: 'any_of', assertions: [{ type: 'snapshot' }] }
    const problems = validationProblems({ type: 'all_of', negate: true, assertions: [nested] })
    expect(problems.join()).toContain('a group with a snapshot cannot be negated')
  })

  it.each([
    [{ negate: true }, 'negate: a snapshot cannot be negated: it would accept any change'],
    [{ of: 'tool_calls', path: 'a' }, 'path: "path" selects a part of the output, not of the tool_calls'],
    [{ of: 'output', normalize: ['date'] }, 'normalize.0'],
    [{ normalize: [{ pattern: '(', as: 'x' }] }, 'normalize.0'],
  ])('rejects %j', (fields, message) => {
    expect(validationProblems({ type: 'snapshot', ...fields }).join('\n')).toContain(message)
  })
})
