import { describe, expect, it } from 'vitest'
import { type Answer, judge, validationProblems } from './conversation.fixture.ts'

async function verdictOn(fields: object, calls: NonNullable<Answer['calls']>): Promise<string> {
  const { status, reason } = await judge({ type: 'tool_not_called', ...fields }, { calls })
  return `${status}: ${reason}`
}

describe('tool_not_called', () => {
  it('passes when the tool was not called', async () => {
    expect(await verdictOn({ name: 'pay' }, [])).toBe('passed: tool pay was not called (no tool was called)')
    expect(await verdictOn({ name: 'pay' }, [{ name: 'repay' }])).toMatch(/^passed/)
  })

  it('fails when the tool was called on any server', async () => {
    expect(await verdictOn({ name: 'pay' }, [{ name: 'pay' }])).toBe(
      'failed: tool pay was called, expected it not to be called',
    )
    expect(await verdictOn({ name: 'pay' }, [{ name: 'bank__pay' }])).toBe(
      'failed: tool bank__pay was called, expected it not to be called',
    )
  })

  it('passes for a call with other arguments', async () => {
    const calls = [{ name: 'pay', arguments: { amount: 5 } }]
    expect(await verdictOn({ name: 'pay', arguments: { amount: { $gt: 100 } } }, calls)).toBe(
      'passed: pay was called, but not with these arguments',
    )
    expect(await verdictOn({ name: 'pay', args: { amount: 5 } }, calls)).toBe(
      'failed: tool pay was called with {"amount":5}, expected no such call',
    )
  })

  it('fails for any tool of a list', async () => {
    expect(await verdictOn({ value: ['pay', 'delete'] }, [{ name: 'delete' }])).toMatch(/^failed/)
    expect(await verdictOn({ value: ['pay', 'delete'] }, [{ name: 'read' }])).toMatch(/^passed/)
  })

  it('never passes for an agent that hides its tools', async () => {
    expect(await verdictOn({ name: 'pay' }, 'hidden')).toMatch(/^unknown: the agent hides its tool calls/)
    expect(await verdictOn({ name: 'pay', negate: true }, 'hidden')).toMatch(/^unknown/)
    const answers: Answer[] = [{ calls: [] }, { calls: 'hidden' }]
    const result = await judge({ type: 'tool_not_called', name: 'pay' }, answers, { where: 'final' })
    expect(result.status).toBe('unknown')
  })

  it('fails for a visible call even if others are hidden', async () => {
    const answers: Answer[] = [{ calls: [{ name: 'pay' }] }, { calls: 'hidden' }]
    const result = await judge({ type: 'tool_not_called', name: 'pay' }, answers, { where: 'final' })
    expect(result.status).toBe('failed')
  })

  it('is tool_called when negated', async () => {
    expect(await verdictOn({ name: 'pay', negate: true }, [{ name: 'pay' }])).toBe(
      'passed: tool pay was called',
    )
    expect(
      await verdictOn({ name: 'pay', args: { a: 1 }, negate: true }, [{ name: 'pay', arguments: { a: 2 } }]),
    ).toBe('failed: pay was called, but a was 2, expected 1')
  })

  it('requires a tool', () => {
    expect(validationProblems({ type: 'tool_not_called' })).toEqual([
      'name: tool_not_called needs the "name" of a tool',
    ])
    expect(validationProblems({ type: 'tool_not_called', name: 'a', arguments: { a: { $gtt: 1 } } })).toEqual(
      ['arguments.a.$gtt: unknown matcher "$gtt" (did you mean "$gt"?)'],
    )
  })
})
