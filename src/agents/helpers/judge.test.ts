import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../../errors.ts'
import type { Data } from '../../results/transcript/message.ts'
import { createPlainScope } from '../../scope/plain-scope.ts'
import type { Agent } from '../agent.ts'
import { askJudge, type JudgeRequest } from './judge.ts'

/** A judge that says these in turn, the last one for ever. */
function judgeSaying(...said: unknown[]): { agent: Agent; asked: Data[] } {
  const asked: Data[] = []
  const agent: Agent = {
    id: 'judge',
    input: 'messages',
    history: 'given',
    tools: 'hidden',
    open: async () => ({
      async send({ options }) {
        asked.push(options.metadata as Data)
        const output = said[asked.length - 1] ?? said.at(-1)
        if (output instanceof Error) throw output
        return {
          output,
          content: typeof output === 'string' ? output : '',
          messages: [],
          toolCalls: 'hidden',
        }
      },
      close: async () => {},
    }),
  }
  return { agent, asked }
}

const logs: string[] = []
const scope = createPlainScope({ log: (line) => logs.push(line) })

async function ask(said: unknown[], more: Partial<JudgeRequest> = {}) {
  const { agent, asked } = judgeSaying(...said)
  const criteria = more.criteria ?? 'is polite'
  const request = { criteria, params: { criteria, output: 'Hello' }, options: {}, ...more }
  return { asked, finding: await askJudge(agent, request, scope) }
}

const pass = { reason: 'fine', verdict: 'pass', score: 0.9 }
const fail = { reason: 'rude', verdict: 'fail', score: 0.1 }
const unknown = { reason: 'no data', verdict: 'unknown' }

describe('a judge', () => {
  it('is asked once, and its verdict is the verdict', async () => {
    for (const said of [pass, fail, unknown]) {
      const { asked, finding } = await ask([said])
      expect(asked).toHaveLength(1)
      expect(finding).toMatchObject({ reason: said.reason })
    }
    expect((await ask([unknown])).finding.verdict).toBe('unknown')
  })

  it('that cannot be understood is asked once more, told why', async () => {
    logs.length = 0
    const { asked, finding } = await ask(['I would say it passes.', pass])
    expect(finding.verdict).toBe('passed')
    expect(asked[1]).toMatchObject({ last_answer: 'I would say it passes.' })
    expect(asked[1]?.last_answer_problem).toMatch(/^gave no verdict/)
    expect(logs).toEqual([
      expect.stringMatching(/^judge gave no verdict .*I would say it passes\.; it is asked again$/),
    ])
  })

  it.each([
    ['prose', 'It passes.'],
    ['half JSON', '{"reason": "ok", "verdict": "pa'],
    ['a score alone', { score: 1 }],
    ['nothing', ''],
    ['a list', [pass]],
    ['the wrong type', { passed: 'yes' }],
  ])('that says %s twice has not judged', async (_, said) => {
    const failed = ask([said])
    await expect(failed).rejects.toBeInstanceOf(InfrastructureError)
    await expect(failed).rejects.toThrow(/^judge .*\(asked twice\): /)
  })

  it('that fails has not judged', async () => {
    const broken = new InfrastructureError('http', 'the judge answered 500')
    await expect(ask([broken])).rejects.toBe(broken)
  })
})

describe('a threshold', () => {
  it('needs the verdict and the score', async () => {
    expect((await ask([pass], { threshold: 0.9 })).finding.verdict).toBe('passed')
    expect((await ask([pass], { threshold: 0.95 })).finding).toMatchObject({
      verdict: 'failed',
      reason: 'score 0.9 is below 0.95: fine',
    })
    expect((await ask([{ ...fail, score: 1 }], { threshold: 0.5 })).finding.verdict).toBe('failed')
  })

  it('asks again for a score that is missing', async () => {
    const { asked, finding } = await ask([{ reason: 'ok', verdict: 'pass' }, pass], { threshold: 0.5 })
    expect(asked).toHaveLength(2)
    expect(finding.verdict).toBe('passed')
    await expect(ask([{ reason: 'ok', verdict: 'pass' }], { threshold: 0.5 })).rejects.toThrow(
      'gave no score',
    )
  })

  it('leaves unknown unknown', async () => {
    expect((await ask([unknown], { threshold: 0.5 })).finding.verdict).toBe('unknown')
  })
})

describe('several criteria', () => {
  const criteria = ['is polite', 'names the total']
  const findings = (...list: object[]) => ({ criteria: list })
  const first = { criterion: 1, ...pass }
  const second = { criterion: 2, reason: 'no total', verdict: 'fail', score: 0 }

  it('must all hold', async () => {
    const both = await ask([findings(first, { criterion: 2, ...pass })], { criteria })
    expect(both.finding).toMatchObject({ verdict: 'passed', score: 0.9 })
    const one = await ask([findings(second, first)], { criteria })
    expect(one.finding).toMatchObject({
      verdict: 'failed',
      reason: '1 of 2 criteria hold; names the total: no total',
      score: 0.45,
      details: {
        criteria: [{ criterion: 'is polite', verdict: 'passed' }, { criterion: 'names the total' }],
      },
    })
  })

  it('are unknown when one of them is, and none failed', async () => {
    const { finding } = await ask([findings(first, { criterion: 2, ...unknown })], { criteria })
    expect(finding.verdict).toBe('unknown')
    const failed = await ask([findings({ criterion: 1, ...unknown }, second)], { criteria })
    expect(failed.finding.verdict).toBe('failed')
  })

  it('may be named by their text, or be a bare list', async () => {
    const { finding } = await ask(
      [
        [
          { ...first, criterion: 'is polite' },
          { ...first, criterion: '2' },
        ],
      ],
      { criteria },
    )
    expect(finding.verdict).toBe('passed')
  })

  it.each([
    ['one is missing', findings(first), 'did not judge criterion 2'],
    [
      'one is too many',
      findings(first, second, { criterion: 3, ...pass }),
      'judged a criterion that there is not',
    ],
    ['one is unheard of', findings(first, { criterion: 'is brief', ...pass }), 'that there is not'],
    ['one comes twice', findings(first, first), 'judged criterion 1 twice'],
    [
      'the whole is said to fail',
      { ...findings(first, { criterion: 2, ...pass }), passed: false },
      'contradicts itself',
    ],
    ['one has no verdict', findings(first, { criterion: 2 }), 'gave no verdict'],
    ['there is one verdict for all', pass, 'gave no list of verdicts'],
  ])('are not judged when %s', async (_, said, message) => {
    await expect(ask([said], { criteria })).rejects.toThrow(message)
  })
})

describe('a threshold for several criteria', () => {
  const criteria = ['a', 'b']
  const findings = (...scores: (number | undefined)[]) => ({
    criteria: scores.map((score, index) => ({ criterion: index + 1, reason: 'r', verdict: 'pass', score })),
  })

  it('is for the mean of their scores, all of which must be there', async () => {
    expect((await ask([findings(0.9, 0.7)], { criteria, threshold: 0.8 })).finding.verdict).toBe('passed')
    expect((await ask([findings(0.9, 0.1)], { criteria, threshold: 0.8 })).finding.verdict).toBe('failed')
    for (const scores of [
      [0.1, undefined],
      [3, 4],
    ])
      await expect(ask([findings(...scores)], { criteria, threshold: 0.9 })).rejects.toThrow('gave no score')
  })
})

describe('samples', () => {
  const verdictOf = async (...said: object[]) => (await ask(said, { samples: said.length })).finding

  it('are decided by more than half of them', async () => {
    expect(await verdictOf(pass, fail, pass)).toMatchObject({
      verdict: 'passed',
      reason: '2 of 3 say passed: fine',
      details: {
        agreement: 2 / 3,
        samples: [{ verdict: 'passed' }, { verdict: 'failed' }, { verdict: 'passed' }],
      },
    })
    expect((await verdictOf(fail, fail, pass)).verdict).toBe('failed')
    expect((await verdictOf(unknown, unknown, pass)).verdict).toBe('unknown')
  })

  it('are unknown when they do not agree', async () => {
    expect(await verdictOf(pass, fail)).toMatchObject({
      verdict: 'unknown',
      reason: '2 samples do not agree: 1 passed, 1 failed',
    })
    expect((await verdictOf(pass, fail, unknown)).verdict).toBe('unknown')
    expect((await verdictOf(pass, pass, fail, fail)).verdict).toBe('unknown')
  })

  it('have the mean of the scores of those who decided', async () => {
    expect((await verdictOf(pass, { ...pass, score: 0.7 }, fail)).score).toBeCloseTo(0.8)
  })
})
