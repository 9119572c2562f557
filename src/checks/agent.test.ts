import { describe, expect, it } from 'vitest'
import type { JudgeFinding } from '../results/judge-finding.ts'
import { type CheckHelpers, noCheckHelpers } from './check-helpers.ts'
import { judge, validationProblems } from './conversation.fixture.ts'
import { assertionSchema, findProblems } from './list.ts'

/** A validator that says this. */
function saying(said: JudgeFinding | Error, given: unknown[] = []): CheckHelpers {
  return {
    ...noCheckHelpers,
    async validate(use, shown, options) {
      given.push(use, shown, options)
      if (said instanceof Error) throw said
      return said
    },
  }
}

const ask = (said: JudgeFinding | Error, more: object = {}) =>
  judge({ type: 'agent', use: 'agents:critic', ...more }, { output: 'Hello' }, { helpers: saying(said) })

describe('agent', () => {
  it('is what the validator says', async () => {
    expect(
      await ask({ verdict: 'passed', reason: 'polite', score: 0.9, details: { suggestions: [] } }),
    ).toMatchObject({
      status: 'passed',
      reason: 'polite',
      score: 0.9,
      details: { suggestions: [] },
    })
    expect(await ask({ verdict: 'failed', reason: 'rude' })).toMatchObject({
      status: 'failed',
      reason: 'rude',
    })
    expect(await ask({ verdict: 'failed', reason: 'rude' }, { negate: true })).toMatchObject({
      status: 'passed',
    })
  })

  it('is unknown when the validator cannot tell, negated too', async () => {
    for (const negate of [false, true])
      expect(await ask({ verdict: 'unknown', reason: 'no data' }, { negate })).toMatchObject({
        status: 'unknown',
      })
  })

  it('has judged nothing when the validator cannot be asked or read, negated too', async () => {
    for (const negate of [false, true])
      expect(await ask(new Error('critic gave no verdict'), { negate })).toMatchObject({
        status: 'error',
        reason: 'could not be judged: critic gave no verdict',
      })
  })

  it('shows the validator the reply, the input and the conversation, and tells it the criteria', async () => {
    const given: unknown[] = []
    const options = {
      connector: 'cheap',
      skip: { history: true },
      mode: 'strict',
      search: { depth: 1 },
      metadata: { tone: 'warm' },
    }
    const written = { type: 'agent', use: 'critic', value: 'is polite', options }
    await judge(written, { output: 'Hello' }, { helpers: saying({ verdict: 'passed', reason: '' }, given) })
    expect(given).toEqual([
      'critic',
      {
        output: 'Hello',
        input: expect.any(String),
        test_id: 'plain',
        conversation: [
          { role: 'user', content: 'hello' },
          { role: 'assistant', content: 'Hello' },
        ],
      },
      { ...options, criteria: 'is polite' },
    ])
  })

  it('needs a validator that is there', () => {
    expect(validationProblems({ type: 'agent', use: '' })).toHaveLength(1)
    const helpers: CheckHelpers = {
      ...noCheckHelpers,
      validatorProblem: (use, connector) => `no ${use} on ${connector ?? 'its own'}`,
    }
    const problems: string[] = []
    const written = assertionSchema.parse({ type: 'agent', use: 'agents:critic' })
    findProblems(written, helpers, (path, message) => problems.push(`${String(path)}: ${message}`))
    expect(problems).toEqual(['use: no critic on its own'])
  })
})
