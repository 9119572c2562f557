import { describe, expect, it } from 'vitest'
import { judge, problemsOf } from './conversation.fixture.ts'
import { type Helpers, noHelpers } from './helpers.ts'
import { assertionSchema, findProblems } from './list.ts'

interface Verdict {
  passed: boolean
  reason: string
  score?: number
}

/** A validator that says this. */
function saying(said: Verdict | Error, given: unknown[] = []): Helpers {
  return {
    ...noHelpers,
    async validate(use, shown, options) {
      given.push(use, shown, options)
      if (said instanceof Error) throw said
      return said
    },
  }
}

const ask = (said: Verdict | Error, more: object = {}) =>
  judge({ type: 'agent', use: 'agents:critic', ...more }, { output: 'Hello' }, { helpers: saying(said) })

describe('agent', () => {
  it('is what the validator says', async () => {
    expect(await ask({ passed: true, reason: 'polite', score: 0.9 })).toMatchObject({
      status: 'passed',
      reason: 'polite',
      score: 0.9,
    })
    expect(await ask({ passed: false, reason: 'rude' })).toMatchObject({ status: 'failed', reason: 'rude' })
    expect(await ask({ passed: false, reason: 'rude' }, { negate: true })).toMatchObject({ status: 'passed' })
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
    const options = { connector: 'cheap', metadata: { tone: 'warm' } }
    const written = { type: 'agent', use: 'critic', value: 'is polite', options }
    await judge(written, { output: 'Hello' }, { helpers: saying({ passed: true, reason: '' }, given) })
    expect(given).toEqual([
      'critic',
      {
        output: 'Hello',
        input: expect.any(String),
        conversation: [{ role: 'user', content: 'hello' }],
      },
      { ...options, criteria: 'is polite' },
    ])
  })

  it('needs a validator that is there', () => {
    expect(problemsOf({ type: 'agent' })).toEqual([expect.stringContaining('agent needs a "use"')])
    const helpers: Helpers = {
      ...noHelpers,
      validatorProblem: (use, connector) => `no ${use} on ${connector ?? 'its own'}`,
    }
    const problems: string[] = []
    const written = assertionSchema.parse({ type: 'agent', use: 'agents:critic' })
    findProblems(written, helpers, (path, message) => problems.push(`${String(path)}: ${message}`))
    expect(problems).toEqual(['use: no critic on its own'])
  })
})
