import { describe, expect, it } from 'vitest'
import type { JudgeFinding, JudgeQuestion } from '../results/judge-finding.ts'
import { type CheckHelpers, noCheckHelpers } from './check-helpers.ts'
import { judge, validationProblems } from './conversation.fixture.ts'
import { assertionSchema, findProblems } from './list.ts'

interface Asked {
  use: string
  request: JudgeQuestion
}

function judgeSaying(said: JudgeFinding | Error, asked: Asked[] = []): CheckHelpers {
  return {
    ...noCheckHelpers,
    expected: 'Good day',
    async judge(use, request) {
      asked.push({ use, request })
      if (said instanceof Error) throw said
      return said
    },
  }
}

const fine: JudgeFinding = { verdict: 'passed', reason: 'fine', score: 0.9, details: { agreement: 1 } }
const criteria = 'is polite'

describe('judge', () => {
  it.each([
    [fine, 'passed'],
    [{ verdict: 'failed', reason: 'rude' }, 'failed'],
    [{ verdict: 'unknown', reason: 'no data' }, 'unknown'],
  ] as const)('is what the judge finds: %j', async (finding, status) => {
    const result = await judge(
      { type: 'judge', criteria },
      { output: 'Hi' },
      { helpers: judgeSaying(finding) },
    )
    expect(result).toMatchObject({ status, reason: finding.reason })
  })

  it('in a group is named with its criterion', async () => {
    const rude = judgeSaying({ verdict: 'failed', reason: 'rude' })
    const group = { type: 'all_of', assertions: [{ type: 'judge', criteria }] }
    expect(await judge(group, { output: 'Hi' }, { helpers: rude })).toMatchObject({
      reason: '0 of 1 passed: judge "is polite": rude',
      actual: [{ type: 'judge', criteria, status: 'failed', reason: 'rude' }],
    })
  })

  it('keeps the score and what else was said', async () => {
    const result = await judge({ type: 'judge', criteria }, { output: 'Hi' }, { helpers: judgeSaying(fine) })
    expect(result).toMatchObject({ score: 0.9, details: { agreement: 1 } })
  })

  it('has not judged when the judge could not, and negation does not change that', async () => {
    for (const negate of [false, true]) {
      const broken = await judge(
        { type: 'judge', criteria, negate },
        {},
        { helpers: judgeSaying(new Error('gone')) },
      )
      expect(broken).toMatchObject({ status: 'error', reason: 'could not be judged: gone' })
      const open = { verdict: 'unknown', reason: 'no data' } as const
      const unknown = await judge({ type: 'judge', criteria, negate }, {}, { helpers: judgeSaying(open) })
      expect(unknown.status).toBe('unknown')
    }
  })

  it('shows the whole conversation with its tool calls, what is expected, and the reply', async () => {
    const asked: Asked[] = []
    const answers = [
      { output: 'One.', calls: [{ name: 'find', arguments: { a: 1 }, result: { b: 2 } }] },
      { output: 'Two.' },
    ]
    const written = {
      type: 'judge',
      criteria,
      rubric: { '1': 'well' },
      options: { metadata: { tone: 'warm' } },
    }
    await judge(written, answers, { where: 'final', helpers: judgeSaying(fine, asked) })
    expect(asked).toEqual([
      {
        use: 'viva.judge',
        request: {
          criteria,
          options: { metadata: { tone: 'warm' } },
          params: {
            tone: 'warm',
            test_mode: 'judge',
            test_id: 'plain',
            criteria,
            rubric: { '1': 'well' },
            output: 'Two.',
            input: 'hello',
            expected: 'Good day',
            conversation: [
              { role: 'user', content: 'hello' },
              {
                role: 'assistant',
                content: 'One.',
                tool_calls: [{ name: 'find', arguments: { a: 1 }, result: { b: 2 } }],
              },
              { role: 'user', content: 'hello' },
              { role: 'assistant', content: 'Two.' },
            ],
          },
        },
      },
    ])
  })

  it('that looks at one turn shows nothing of what came after it', async () => {
    const asked: Asked[] = []
    const written = { type: 'judge', criteria, turn: 1, use: 'agents:mine', threshold: 0.7, samples: 3 }
    const answers = [{ output: 'One.' }, { output: 'Two.' }]
    await judge(written, answers, { where: 'final', helpers: judgeSaying(fine, asked) })
    expect(asked[0]).toMatchObject({
      use: 'mine',
      request: { threshold: 0.7, samples: 3, params: { output: 'One.' } },
    })
    expect(asked[0]?.request.params.conversation).toHaveLength(2)
  })

  it.each([
    [{}, 'judge needs "criteria"'],
    [{ criteria: [] }, 'criteria'],
    [{ criteria: '' }, 'criteria'],
    [{ criteria, threshold: 0 }, 'threshold'],
    [{ criteria, threshold: 70 }, 'threshold'],
    [{ criteria, samples: 0 }, 'samples'],
    [{ criteria, rubric: 7 }, 'rubric'],
  ])('is refused as %j', (fields, problem) => {
    expect(validationProblems({ type: 'judge', ...fields }).join()).toContain(problem)
  })

  it('needs a judge that can be asked', () => {
    const problems: string[] = []
    const helpers: CheckHelpers = { ...noCheckHelpers, validatorProblem: (use) => `${use} needs a connector` }
    findProblems(assertionSchema.parse({ type: 'judge', criteria }), helpers, (_, message) =>
      problems.push(message),
    )
    expect(problems).toEqual(['viva.judge needs a connector'])
  })
})
