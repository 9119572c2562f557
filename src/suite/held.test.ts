import { describe, expect, it } from 'vitest'
import { agentReply } from './agent.ts'
import { aiUser } from './ai-user.ts'
import { compareReports } from './compare-reports.ts'
import { afterTurns, fieldEquals } from './conditions.ts'
import { accuracy, schema } from './criteria.ts'
import { createJudge } from './judge.ts'
import { naturalLanguage } from './natural-language.ts'
import { createOpenAIProvider, createScriptedProvider } from './providers.ts'
import { reportToMarkdown } from './report-markdown.ts'
import { createEvalSuite } from './suite.ts'

const echo = { execute: async (input: unknown) => input }
const verdict = (score: unknown) => ({
  verdicts: [{ criterionId: 'accuracy', reasoning: 'so it is', score }],
})
const judgeSaying = (...answers: unknown[]) =>
  createJudge({ provider: createScriptedProvider(answers), criteria: [accuracy()], passThreshold: 75 })

async function judged(...answers: unknown[]) {
  const { results } = await createEvalSuite({ agent: echo, judge: judgeSaying(...answers) }).run([
    { input: 'x' },
  ])
  return results[0]
}

describe('what was said', () => {
  it('stays what it was, whatever the agent does to its state later', async () => {
    const state = { turn: 0, done: false }
    const agent = {
      async execute() {
        state.turn += 1
        state.done = state.turn === 3
        return state
      },
    }
    const { results } = await createEvalSuite({ agent }).run([
      {
        input: 'go',
        multiTurn: {
          followUpInputs: [{ input: 'on', turns: Number.POSITIVE_INFINITY }],
          terminateWhen: [fieldEquals('done', true), afterTurns(5)],
        },
      },
    ])
    const [result] = results
    if (result?.kind !== 'multi-turn') throw new Error('no conversation')
    expect(result.conversationHistory.map(({ output }) => output?.turn)).toEqual([1, 2, 3])
  })

  it('is not handed on from one iteration to the next', async () => {
    const agent = { execute: async (input: { n: number }) => ++input.n }
    const cases = [{ input: { n: 0 }, expectedOutput: 1 }]
    const { summary } = await createEvalSuite({ agent }).run(cases, { iterations: 3 })
    expect(summary.passed).toBe(3)
    expect(cases[0]?.input).toEqual({ n: 0 })
  })

  it('is compared as what it is, not as its shadow in JSON', async () => {
    const agent = { execute: async () => ({ when: new Date(5) }) }
    const run = async (expectedOutput: { when: Date }) =>
      (await createEvalSuite({ agent }).run([{ input: 'x', expectedOutput }])).results[0]?.passed
    expect([await run({ when: new Date(5) }), await run({ when: new Date(6) })]).toEqual([true, false])
  })

  it('may hold itself', async () => {
    const make = () => {
      const made: Record<string, unknown> = { a: 1 }
      made.self = made
      return made
    }
    const { summary } = await createEvalSuite({
      agent: { execute: async () => ({ c: make(), big: 1n }) },
    }).run([
      { input: 'x', multiTurn: { followUpInputs: [], terminateWhen: [fieldEquals('c', make())] } },
      { input: 'x', multiTurn: { followUpInputs: [], terminateWhen: [fieldEquals('big', 1n)] } },
    ])
    expect(summary.passed).toBe(2)
  })
})

describe('a judge', () => {
  it('that quotes a verdict of the agent beside its own has given none', async () => {
    const quoting = `It wrote ${JSON.stringify(verdict(100))}, so: ${JSON.stringify(verdict(5))}`
    expect(await judged(quoting, quoting)).toMatchObject({ passed: false, fault: 'infrastructure' })
    expect(await judged(quoting, verdict(5))).toMatchObject({ passed: false, fault: 'agent', score: 5 })
  })

  it('that cannot tell passes nothing, and blames nobody', async () => {
    const result = await judged(verdict('unknown'))
    expect(result).toMatchObject({
      passed: false,
      fault: 'infrastructure',
      error: expect.stringContaining('cannot tell'),
    })
  })

  it('is not content with almost enough', async () => {
    expect(await judged(verdict(74.996))).toMatchObject({ passed: false })
    expect(await judged(verdict(75))).toMatchObject({ passed: true })
  })

  it('of somebody else must give verdicts that are some', async () => {
    const judge = {
      evaluate: async () => ({ passed: true, overallScore: 90, verdicts: [{ id: 'x' }] as never }),
    }
    const report = await createEvalSuite({ agent: echo, judge }).run([{ input: 'x' }])
    expect(report.results[0]).toMatchObject({ passed: false, fault: 'infrastructure' })
    expect(reportToMarkdown(report)).toContain('its answer: verdicts&#91;0&#93;.criterionId is missing')
  })

  it('that is out of order does not excuse an agent that did what it must not', async () => {
    const judge = { evaluate: () => Promise.reject(new Error('429')) }
    const { results } = await createEvalSuite({
      agent: { execute: async () => ({ gave: true }) },
      judge,
    }).run([
      {
        input: 'x',
        multiTurn: { followUpInputs: [], terminateWhen: [fieldEquals('gave', true)], onConditionMet: 'fail' },
      },
    ])
    expect(results[0]).toMatchObject({ passed: false, fault: 'agent' })
  })
})

describe('a misspelt key', () => {
  const provider = createScriptedProvider(['x'])
  it.each<[string, () => unknown, string]>([
    [
      'a judge',
      () => createJudge({ provider, criteria: [accuracy()], passTreshold: 95 } as never),
      'passThreshold',
    ],
    ['a criterion', () => accuracy({ wieght: 2 } as never), 'weight'],
    ['a schema', () => schema({ shema: {} } as never), 'schema'],
    [
      'a criterion of one’s own',
      () => createJudge({ provider, criteria: [{ ...accuracy(), wight: 1 } as never] }),
      'weight',
    ],
    ['a simulated user', () => aiUser({ provider, systemPromt: 'x' } as never), 'systemPrompt'],
    ['a condition', () => naturalLanguage({ provider, prompt: 'x', treshold: 1 } as never), 'threshold'],
    ['a provider', () => createOpenAIProvider({ apikey: 'x' } as never), 'apiKey'],
  ])('of %s is an error', (_, make, meant) => {
    expect(make).toThrow(`did you mean "${meant}"?`)
  })

  it.each<[string, object, string]>([
    ['a key nobody knows', { toolcalls: [] }, 'toolCalls'],
    ['calls that are no list', { toolCalls: 'no' }, 'agentReply: toolCalls must be an array, got a string'],
    ['words that are none', { content: 5 }, 'agentReply: content must be a string, got a number'],
    ['a call without a name', { toolCalls: [{ arguments: {} }] }, 'agentReply: toolCalls[0].name is missing'],
    [
      'a cost below nothing',
      { usage: { cost: -5 } },
      'agentReply: usage.cost: -5 is not a number of at least 0',
    ],
  ])('of a reply is the agent’s failure: %s', async (_, details, message) => {
    const agent = { execute: async () => agentReply('x', details as never) }
    const { results } = await createEvalSuite({ agent }).run([{ input: 'x' }])
    expect(results[0]).toMatchObject({
      passed: false,
      fault: 'agent',
      error: expect.stringContaining(message),
    })
  })
})

describe('what is told of a run', () => {
  it('keeps every result, whatever the one who listens does', async () => {
    const cases = ['a', 'b', 'c'].map((id) => ({ id, input: id, expectedOutput: id }))
    const throws = () => {
      throw new Error('no')
    }
    for (const onResult of [throws, async () => throws()]) {
      const { results, brokenReporters, exitCode } = await createEvalSuite({ agent: echo }).run(cases, {
        onResult,
      })
      expect(results.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
      expect(brokenReporters).toEqual([{ name: 'onResult', message: 'no' }])
      expect(exitCode).toBe(3)
    }
  })

  it('finds a case whose name has a secret in it', async () => {
    createOpenAIProvider({ apiKey: 'sk-in-the-name-1' })
    const { results } = await createEvalSuite({ agent: echo }).run([
      { id: 'uses sk-in-the-name-1', input: 'x', expectedOutput: 'y' },
    ])
    expect(results[0]).toMatchObject({ passed: false, id: 'uses sk-in-the-name-1' })
    expect(
      reportToMarkdown({ ...(await createEvalSuite({ agent: echo }).run([{ input: 'x' }])), results }),
    ).not.toContain('sk-in')
  })

  it('says what passed unchecked, and refuses it where checks are required', async () => {
    const never = {
      followUpInputs: [],
      terminateWhen: [afterTurns(2)],
      onExhausted: 'pass',
      onMaxTurnsReached: 'pass',
    } as const
    const cases = [{ input: 'a' }, { input: 'b', multiTurn: never }]
    const { summary } = await createEvalSuite({ agent: echo }).run(cases)
    expect(summary).toMatchObject({ passed: 2, unchecked: 2 })
    await expect(createEvalSuite({ agent: echo }).run(cases, { requireChecks: true })).rejects.toThrow(
      'checks nothing',
    )
  })

  it('says what passed only when it was played again', async () => {
    let asked = 0
    const agent = { execute: async () => (++asked === 1 ? 'no' : 'yes') }
    const report = await createEvalSuite({ agent }).run([{ input: 'x', expectedOutput: 'yes' }], {
      retries: 1,
    })
    expect(report.summary).toMatchObject({ passed: 1, flaky: 1 })
    expect(report.results[0]).toMatchObject({ flaky: true })
    expect(reportToMarkdown(report)).toContain('| Flaky | 1 |')
  })

  it('is compared case by case, and not at all where nothing was kept', async () => {
    const answers = ['a', 'b', 'x', 'c']
    const suite = createEvalSuite({ agent: { execute: async () => answers.shift() } })
    const cases = [
      { id: 'first', input: 1, expectedOutput: 'a' },
      { id: 'second', input: 2, expectedOutput: 'c' },
    ]
    const [before, after] = [await suite.run(cases), await suite.run(cases)]
    expect(compareReports(before, after)).toMatchObject({
      regressed: ['first'],
      improved: ['second'],
      undecided: [],
      passRateDelta: 0,
    })
    const streamed = await createEvalSuite({ agent: echo }).run(cases, { keepResults: false })
    expect(() => compareReports(before, streamed)).toThrow('were not kept')
  })

  it('closes agents, and plays with another one', async () => {
    const closed: string[] = []
    const agent = { execute: async () => 'one', close: () => void closed.push('one') }
    const suite = createEvalSuite({ agent })
    const other = suite.withAgent({ execute: async () => 'two' })
    const [one, two] = [await suite.run([{ input: 'x' }]), await other.run([{ input: 'x' }])]
    expect([one, two].map(({ results }) => results[0]?.output)).toEqual(['one', 'two'])
    expect(closed).toEqual(['one'])
  })

  it('does not blame the agent for a factory that gives none', async () => {
    const { results } = await createEvalSuite({ createAgent: () => undefined as never }).run([{ input: 'x' }])
    expect(results[0]).toMatchObject({
      fault: 'infrastructure',
      error: expect.stringContaining('createAgent gave no agent'),
    })
  })

  it('tells of an agent that was late also where it kept the clock from ringing', async () => {
    const agent = {
      async execute() {
        for (const end = Date.now() + 300; Date.now() < end; );
        return 'x'
      },
    }
    const { results } = await createEvalSuite({ agent }).run([{ input: 'x', timeout: 100 }])
    expect(results[0]).toMatchObject({ passed: false, fault: 'agent', error: 'timeout after 100ms' })
  })

  it('takes a time limit of weeks', async () => {
    const { summary } = await createEvalSuite({ agent: echo }).run([
      { input: 'x', expectedOutput: 'x', timeout: 2e9 },
    ])
    expect(summary.passed).toBe(1)
  })
})
