import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, type Problem } from '../errors.ts'
import { readResults } from '../results/read-results.ts'
import { aiUser } from './ai-user.ts'
import { afterTurns, and, fieldEquals, fieldIsSet, not, or, type TerminationCondition } from './conditions.ts'
import { accuracy, relevance } from './criteria.ts'
import { createJudge } from './judge.ts'
import { naturalLanguage } from './natural-language.ts'
import { createOpenAIProvider, createScriptedProvider } from './providers.ts'
import { reportToMarkdown } from './report-markdown.ts'
import { createEvalSuite } from './suite.ts'
import type { MultiTurnTestCase } from './test-case.ts'

interface BookingInput {
  message: string
}

interface BookingOutput {
  reply: string
  booking: { status: 'pending' | 'confirmed' | 'cancelled'; guests?: number }
}

/** Confirms when it is asked to. */
const bookingAgent = {
  async execute({ message }: BookingInput): Promise<BookingOutput> {
    return /confirm/i.test(message)
      ? { reply: 'It is confirmed.', booking: { status: 'confirmed' } }
      : { reply: `You said ${message}. Shall I confirm?`, booking: { status: 'pending' } }
  },
}

const suite = createEvalSuite({ agent: bookingAgent })

function booking(...messages: string[]): MultiTurnTestCase<BookingInput, BookingOutput> {
  return {
    id: 'booking',
    input: { message: 'I want to make a reservation' },
    multiTurn: {
      followUpInputs: messages.map((message) => ({ input: { message } })),
      terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(10)],
    },
  }
}

async function only<Input, Output>(
  testCase: MultiTurnTestCase<Input, Output>,
  agent: { execute(input: Input): Promise<Output> },
) {
  const { results } = await createEvalSuite({ agent }).run([testCase])
  const [result] = results
  if (result?.kind !== 'multi-turn') throw new Error('no result')
  return result
}

describe('a suite', () => {
  it('plays a conversation until a condition is met', async () => {
    const result = await only(booking('4 people', 'Yes, please confirm'), bookingAgent)
    expect(result).toMatchObject({
      passed: true,
      score: 100,
      totalTurns: 3,
      terminationReason: 'condition_met',
      output: { booking: { status: 'confirmed' } },
    })
    expect(result.conversationHistory.map(({ turn, input }) => [turn, input.message])).toEqual([
      [1, 'I want to make a reservation'],
      [2, '4 people'],
      [3, 'Yes, please confirm'],
    ])
  })

  it('fails a booking that is never confirmed', async () => {
    expect(await only(booking('4 people', 'John Smith'), bookingAgent)).toMatchObject({
      passed: false,
      fault: 'agent',
      terminationReason: 'exhausted',
    })
  })

  it('takes single turns and conversations together, in the order they were given', async () => {
    const { results, summary, exitCode } = await suite.run([
      { id: 'greeting', input: { message: 'Hello' } },
      booking('Yes, confirm'),
      { input: { message: 'confirm' }, expectedOutput: { reply: 'No.', booking: { status: 'cancelled' } } },
    ])
    expect(results.map(({ kind, testCase, passed }) => [kind, testCase.id, passed])).toEqual([
      ['single-turn', 'greeting', true],
      ['multi-turn', 'booking', true],
      ['single-turn', undefined, false],
    ])
    expect(summary).toMatchObject({ totalTests: 3, passed: 2, failed: 1, passRate: 2 / 3 })
    expect(exitCode).toBe(1)
    expect(results[0]?.unchecked).toBe(true)
  })

  it('reports the mistakes of all cases together', async () => {
    const wrong = (testCase: object) => testCase as { input: BookingInput }
    const cases = [
      { id: 'right', input: { message: 'Hello' } },
      wrong({ id: 'misspelt', inputt: 'Hello' }),
      wrong({ input: { message: 'Hello' }, assert: { type: 'contain' } }),
      { id: 'late', input: { message: 'Hello' }, timeout: 'soon' },
      { id: 'misspelt', input: { message: 'Hello' } },
    ]
    const error = await suite.run(cases).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ConfigError)
    expect(error.problems.map(({ message }: Problem) => message)).toEqual([
      'misspelt: input is missing',
      expect.stringContaining('misspelt: unknown key "inputt"'),
      expect.stringContaining('case-3: assert.type: unknown assertion type "contain"'),
      expect.stringContaining('late: timeout soon:'),
      'two test cases have the id "misspelt"',
    ])
  })

  it('has as many turns as afterTurns says', async () => {
    const talkative: MultiTurnTestCase<string, string> = {
      input: 'go',
      multiTurn: {
        followUpInputs: [{ input: 'on', turns: Number.POSITIVE_INFINITY }],
        terminateWhen: [afterTurns(25)],
      },
    }
    const agent = { execute: async (input: string) => `${input}!` }
    expect(await only(talkative, agent)).toMatchObject({
      passed: false,
      totalTurns: 25,
      terminationReason: 'max_turns',
    })
    const expected = {
      ...talkative,
      multiTurn: { ...talkative.multiTurn, onMaxTurnsReached: 'pass' as const },
    }
    expect(await only(expected, agent)).toMatchObject({ passed: true, totalTurns: 25 })
  })

  it('knows the path to success from the path to failure', async () => {
    const invalid: MultiTurnTestCase<BookingInput, BookingOutput> = {
      ...booking('please', 'please'),
      multiTurn: {
        ...booking('please', 'please').multiTurn,
        terminateWhen: [fieldEquals('booking.status', 'confirmed'), afterTurns(3)],
        onConditionMet: 'fail',
        onMaxTurnsReached: 'pass',
      },
    }
    expect(await only(invalid, bookingAgent)).toMatchObject({ passed: true, terminationReason: 'max_turns' })
    const yielding = {
      execute: async (): Promise<BookingOutput> => ({ reply: 'ok', booking: { status: 'confirmed' } }),
    }
    expect(await only(invalid, yielding)).toMatchObject({
      passed: false,
      error: 'a condition was met that must not be met: booking.status is "confirmed"',
    })
  })

  it.each<[string, TerminationCondition<unknown>, string]>([
    ['a field', fieldEquals('booking.status', 'pending'), 'condition_met'],
    ['a field that is set', fieldIsSet('booking.status'), 'condition_met'],
    ['one that is not', not(fieldIsSet('error')), 'condition_met'],
    ['both', and(fieldIsSet('reply'), fieldEquals('booking.status', 'pending')), 'condition_met'],
    ['one of two', or(fieldEquals('booking.status', 'x'), fieldIsSet('reply')), 'condition_met'],
    [
      'a function',
      ({ lastOutput, currentTurn }) => lastOutput !== undefined && currentTurn === 2,
      'condition_met',
    ],
    ['nothing', and(fieldIsSet('reply'), fieldIsSet('nothing')), 'exhausted'],
    ['a function that breaks', () => Promise.reject(new Error('it broke')), 'condition_error'],
    ['a function that answers nonsense', () => 'yes' as never, 'condition_error'],
    ['not one that breaks', not(() => Promise.reject(new Error('it broke'))), 'condition_error'],
  ])('ends when %s is met', async (_, condition, reason) => {
    const testCase = booking('4 people')
    const result = await only(
      { ...testCase, multiTurn: { ...testCase.multiTurn, terminateWhen: [condition] } },
      bookingAgent,
    )
    expect(result.terminationReason).toBe(reason)
    expect(result.passed).toBe(reason === 'condition_met')
    if (reason === 'condition_error') expect(result.fault).toBe('infrastructure')
  })

  it('plays iterations at the same time, and tells of them together', async () => {
    let running = 0
    let most = 0
    const agent = {
      async execute(_input: string) {
        most = Math.max(most, ++running)
        await wait(20)
        running -= 1
        return Math.random() < 2 ? 'ok' : ''
      },
    }
    const { results, summary } = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x' }], {
      iterations: 10,
      concurrency: 10,
    })
    expect(most).toBe(10)
    expect(summary).toMatchObject({ totalTests: 1, total: 10, passed: 10 })
    const [result] = results
    if (result?.kind !== 'single-turn-iterated') throw new Error('not iterated')
    expect(result.iterationStats).toMatchObject({
      iterations: 10,
      passCount: 10,
      passRate: 1,
      mean: 100,
      stdDev: 0,
    })
  })

  it('counts turns and ends over the iterations of a conversation', async () => {
    let plays = 0
    const suite = createEvalSuite<string, { done: boolean }>({
      createAgent: () => {
        plays += 1
        const patience = plays
        return { execute: async (_input, { turn }) => ({ done: turn > patience }) }
      },
    })
    const { results } = await suite.run(
      [
        {
          id: 'a',
          input: 'go',
          multiTurn: {
            followUpInputs: [{ input: 'on', turns: 3 }],
            terminateWhen: [fieldEquals('done', true)],
          },
        },
      ],
      { iterations: 4 },
    )
    const [result] = results
    if (result?.kind !== 'multi-turn-iterated') throw new Error('not iterated')
    expect(result.multiTurnIterationStats).toMatchObject({
      avgTurns: 3.25,
      minTurns: 2,
      maxTurns: 4,
      terminationCounts: { condition_met: 3, exhausted: 1 },
      passRate: 0.75,
    })
    expect(result.passed).toBe(false)
  })

  it('gives every case and iteration a session of its own, with a history nobody can change', async () => {
    const sessions = new Set<string>()
    const suite = createEvalSuite<string, string>({
      agent: {
        async execute(input, { sessionId, history, turn }) {
          sessions.add(sessionId)
          expect(history).toHaveLength(turn - 1)
          expect(Object.isFrozen(history)).toBe(true)
          return `${input} ${history.map(({ output }) => output).join()}`
        },
      },
    })
    const talk = (id: string) => ({
      id,
      input: id,
      multiTurn: {
        followUpInputs: [{ input: `${id}2` }],
        terminateWhen: [afterTurns(2)],
        onMaxTurnsReached: 'pass' as const,
      },
    })
    const { results } = await suite.run([talk('a'), talk('b')], { iterations: 3, concurrency: 6 })
    expect(sessions.size).toBe(6)
    for (const { output, testCase } of results) expect(output).toBe(`${testCase.id}2 ${testCase.id} `)
  })

  it.each<[string, unknown, unknown]>([
    [
      'circular',
      (() => {
        const a: Record<string, unknown> = { status: 'done' }
        a.self = a
        return a
      })(),
      '[circular]',
    ],
    ['BigInt', { status: 'done', self: 12n }, '12n'],
    ['a Map', { status: 'done', self: new Map([['a', 1]]) }, [['a', 1]]],
  ])('takes outputs that are %s', async (_, output, shown) => {
    const lines: unknown[] = []
    const reporter = {
      name: 'lines',
      on(event: { type: string; result?: { view: { turns: readonly { reply?: { output: unknown } }[] } } }) {
        if (event.type === 'case_finished') lines.push(event.result?.view.turns[0]?.reply?.output)
      },
    }
    const { results } = await createEvalSuite({ agent: { execute: async (_input: string) => output } }).run(
      [{ input: 'x', multiTurn: { followUpInputs: [], terminateWhen: [fieldEquals('status', 'done')] } }],
      { reporters: [reporter] },
    )
    expect(results[0]?.passed).toBe(true)
    expect(results[0]?.output).toEqual(output)
    expect(lines).toMatchObject([{ status: 'done', self: shown }])
  })
})

describe('what breaks', () => {
  const never = () => new Promise<never>(() => {})
  const provider = createScriptedProvider(() => 'what?')
  const breaking = (id: string, multiTurn: Partial<MultiTurnTestCase<string, string>['multiTurn']>) => ({
    id,
    input: id,
    timeout: 300,
    multiTurn: { followUpInputs: [{ input: 'on' }], terminateWhen: [afterTurns(5)], ...multiTurn },
  })
  const throws = () => {
    throw new Error('it broke')
  }

  it.each([
    [
      'a follow-up that throws',
      breaking('x', { followUpInputs: [{ input: throws, description: 'Says when' }] }),
      'follow-up input 1 (Says when): it broke',
    ],
    ['a follow-up that hangs', breaking('x', { followUpInputs: [{ input: never }] }), 'timeout after'],
    [
      'a follow-up without an input',
      breaking('x', { followUpInputs: [{ input: () => undefined as never }] }),
      'it gave no input',
    ],
    [
      'a simulated user that says nothing',
      breaking('x', {
        followUpInputs: [
          { input: aiUser({ provider: createScriptedProvider(['', '']), systemPrompt: 'x' }) },
        ],
      }),
      'the simulated user says nothing (asked twice)',
    ],
    [
      'a condition that throws',
      breaking('x', { terminateWhen: [throws] }),
      'a condition could not be judged: it broke',
    ],
    ['a condition that hangs', breaking('x', { terminateWhen: [never] }), 'timeout after'],
    [
      'a condition whose model makes no sense',
      breaking('x', { terminateWhen: [naturalLanguage({ provider, prompt: 'Done?' })] }),
      'gave no JSON',
    ],
  ])('%s fails its own case, and nobody else’s', async (_, broken, message) => {
    const fine = Array.from({ length: 99 }, (_each, index) => ({
      id: `fine-${index}`,
      input: 'x',
      expectedOutput: 'x',
    }))
    const suite = createEvalSuite({ agent: { execute: async (input: string) => input } })
    const { results, summary } = await suite.run([broken, ...fine], { concurrency: 4 })
    expect(summary).toMatchObject({ passed: 99, failed: 1, infrastructureErrors: 1 })
    expect(results[0]?.error).toContain(message)
    expect(results[0]?.fault).toBe('infrastructure')
  })

  it.each([
    ['throws', { evaluate: throws }, 'the judge failed: it broke'],
    [
      'answers nonsense',
      { evaluate: async () => 'fine' as never },
      'the judge failed: its answer must be an object, got a string',
    ],
    ['hangs', { evaluate: never }, 'timeout after'],
    [
      'has a model that makes no sense',
      createJudge({ provider, criteria: [accuracy()] }),
      'gave no list of verdicts',
    ],
    [
      'judges a criterion that there is not',
      createJudge({
        provider: createScriptedProvider(() => ({ verdicts: [{ criterionId: 'beauty', score: 100 }] })),
        criteria: [accuracy()],
      }),
      'judged a criterion that there is not',
    ],
    [
      'leaves one out',
      createJudge({
        provider: createScriptedProvider(() => ({
          verdicts: [{ criterionId: 'accuracy', score: 100, reasoning: 'x' }],
        })),
        criteria: [accuracy(), relevance()],
      }),
      'did not judge relevance',
    ],
  ])('a judge that %s passes nothing', async (_, judge, message) => {
    const suite = createEvalSuite({ agent: { execute: async (input: string) => input }, judge })
    const { results, exitCode } = await suite.run([{ input: 'x', timeout: 300 }])
    expect(results[0]).toMatchObject({ passed: false, fault: 'infrastructure' })
    expect(results[0]?.error).toContain(message)
    expect(exitCode).toBe(3)
  })

  it('an agent that throws fails its case', async () => {
    const { results } = await createEvalSuite({ agent: { execute: throws } }).run([{ input: 'x' }])
    expect(results[0]).toMatchObject({ passed: false, fault: 'agent', error: 'agent error: it broke' })
  })

  it('stops at once when it is told to, and says what did not run', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const { summary, results, exitCode } = await createEvalSuite({ agent: { execute: never } }).run(
      Array.from({ length: 20 }, () => ({ input: 'x' })),
      { signal: controller.signal, concurrency: 2 },
    )
    expect(summary).toMatchObject({ passed: 0, failed: 0, notRun: 20 })
    expect(results.map(({ status }) => status)).toEqual([
      ...Array(2).fill('interrupted'),
      ...Array(18).fill('not_run'),
    ])
    expect(exitCode).not.toBe(0)
  })
})

describe('what is written wrong', () => {
  const agent = { execute: async (input: string) => input }
  const suite = createEvalSuite({ agent })
  const talk = (multiTurn: object) => [
    { id: 'a', input: 'x', multiTurn: { followUpInputs: [], terminateWhen: [afterTurns(2)], ...multiTurn } },
  ]

  it.each<[string, unknown, object, string]>([
    ['no cases', [], {}, 'there are no test cases to run'],
    [
      'two of one id',
      [
        { id: 'a', input: 'x' },
        { id: 'a', input: 'y' },
      ],
      {},
      'two test cases have the id "a"',
    ],
    [
      'concurrency',
      [{ input: 'x' }],
      { concurrency: Number.NaN },
      'concurrency: NaN is not a whole number of at least 1',
    ],
    ['iterations', [{ input: 'x' }], { iterations: 0 }, 'iterations: 0 is not a whole number of at least 1'],
    ['an option', [{ input: 'x' }], { iteratons: 2 }, 'unknown key "iteratons" (did you mean "iterations"?)'],
    [
      'a key of a case',
      [{ input: 'x', expectedOutputs: 1 }],
      {},
      'unknown key "expectedOutputs" (did you mean "expectedOutput"?)',
    ],
    ['no input', [{ id: 'a' }], {}, 'a: input is missing'],
    [
      'a key of a conversation beside it',
      [{ id: 'a', input: 'x', maxTurns: 3 }],
      {},
      'a: unknown key "maxTurns" ("maxTurns" belongs in multiTurn)',
    ],
    ['an id', [{ id: 7, input: 'x' }], {}, 'case-1: id must be a string, got a number'],
    ['a case', ['x'], {}, 'case-1 must be an object, got a string'],
    ['maxTurns', talk({ maxTurns: 0 }), {}, 'a: multiTurn.maxTurns: 0 is not a whole number of at least 1'],
    ['no conditions', talk({ terminateWhen: undefined }), {}, 'multiTurn.terminateWhen is missing'],
    [
      'empty conditions',
      talk({ terminateWhen: [] }),
      {},
      'multiTurn.terminateWhen: needs at least one condition',
    ],
    ['a condition', talk({ terminateWhen: ['done'] }), {}, 'a condition must be made by afterTurns'],
    [
      'an outcome',
      talk({ onConditionMet: 'passed' }),
      {},
      'multiTurn.onConditionMet is "passed", must be one of pass, fail (did you mean "pass"?)',
    ],
    [
      'Infinity before the end',
      talk({ followUpInputs: [{ input: 'a', turns: Number.POSITIVE_INFINITY }, { input: 'b' }] }),
      {},
      'followUpInputs[0].turns: Infinity means that what comes after it is never used: put it last',
    ],
    [
      'turns',
      talk({ followUpInputs: [{ input: 'a', turns: 0 }] }),
      {},
      'followUpInputs[0].turns: 0 is not a whole number of at least 1, or Infinity',
    ],
    ['a timeout', [{ input: 'x', timeout: 'soon' }], {}, 'timeout soon: must be milliseconds above 0'],
    ['a timeout of 0', [{ input: 'x', timeout: '0s' }], {}, 'timeout 0s: must be longer than 0'],
    [
      'an endless timeout',
      [{ input: 'x', timeout: 1e12 }],
      {},
      'timeout 1000000000000: must be at most 596h',
    ],
  ])('%s is told before anything is played', async (_, cases, options, message) => {
    await expect(suite.run(cases as [{ input: string }], options)).rejects.toThrow(message)
  })

  it('is told when the suite is made', () => {
    expect(() => createEvalSuite({} as never)).toThrow('needs either `agent` or `createAgent`')
    expect(() => createEvalSuite({ agent: {} } as never)).toThrow(
      'createEvalSuite: agent: has no execute(input, context)',
    )
    expect(() => createEvalSuite({ agent, jugde: {} } as never)).toThrow(
      'unknown key "jugde" (did you mean "judge"?)',
    )
    expect(() => afterTurns(0)).toThrow('afterTurns(0): must be a whole number of at least 1')
    expect(() => createJudge({ criteria: [] })).toThrow('at least one criterion')
    expect(() => createJudge({ criteria: [accuracy()] })).toThrow('criterion accuracy needs a provider')
    expect(() => naturalLanguage({ provider: {} as never, prompt: 'x' })).toThrow(
      'a provider must be made by',
    )
  })
})

describe('the description of a follow-up', () => {
  it('is in the history and in the Markdown report of a case that failed', async () => {
    const followUpInputs = [{ input: { message: '4 people' }, description: 'Party size' }]
    const testCase = { ...booking(), multiTurn: { ...booking().multiTurn, followUpInputs } }
    const report = await suite.run([testCase])
    expect(report.results[0]).toMatchObject({
      conversationHistory: [{ turn: 1 }, { turn: 2, description: 'Party size' }],
    })
    expect(reportToMarkdown(report)).toContain('\n- user (Party size): 4 people\n')
  })
})

describe('secrets', () => {
  it('of providers reach no report, however they got into a reply', async () => {
    const key = 'sk-quite-secret-4711'
    createOpenAIProvider({ apiKey: key, headers: { 'x-team-token': 'team-secret-12', 'x-team': 'booking' } })
    const agent = { execute: async () => ({ text: `my key is ${key}`, header: 'team-secret-12' }) }
    const seen: unknown[] = []
    const reporter = { name: 'mine', on: (event: unknown) => void seen.push(event) }
    const report = await createEvalSuite({ agent }).run(
      [{ input: 'x', expectedOutput: { text: '', header: '' } }],
      {
        reporters: [reporter],
      },
    )
    const told = JSON.stringify([seen, report.results[0]?.error, reportToMarkdown(report)])
    expect(told).not.toMatch(/quite-secret|team-secret/)
    expect(told).toContain('my key is [redacted]')
  })
})

describe('files of a suite', () => {
  const agent = { execute: async (input: string) => input }

  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'viva-suite-'))
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return path
  }

  it('are results and reports, as the command writes them', async () => {
    const cwd = folder()
    const output = ['results.jsonl', 'report.md', 'junit.xml'].map((name) => join(cwd, name))
    const { results } = await createEvalSuite({ agent }).run([{ id: 'a', input: 'x', expectedOutput: 'y' }], {
      output,
    })
    expect(results[0]?.passed).toBe(false)
    const saved = []
    for await (const result of readResults(join(cwd, 'results.jsonl'))) saved.push(result.key.id)
    expect(saved).toEqual(['a'])
    expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toContain('### ❌ a - Failed')
    expect(readFileSync(join(cwd, 'junit.xml'), 'utf8')).toContain('failures="1"')
  })

  it('that could not be written are told of, and nothing is green then', async () => {
    const broken = { name: 'mine', on: () => Promise.reject(new Error('no room')) }
    const suite = createEvalSuite({ agent })
    const report = await suite.run([{ input: 'x', expectedOutput: 'x' }], { reporters: [broken] })
    expect(report.summary.passed).toBe(1)
    expect(report.brokenReporters).toEqual([{ name: 'mine', message: 'no room' }])
    expect(report.exitCode).toBe(3)
  })

  it('are not written over what is none of theirs, nor in a format that nobody knows', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'a.md'), 'mine')
    const run = (output: string | string[]) => createEvalSuite({ agent }).run([{ input: 'x' }], { output })
    await expect(run(join(cwd, 'a.md'))).rejects.toThrow('was not written by viva')
    await expect(run(join(cwd, 'a.pdf'))).rejects.toThrow('unknown format ".pdf"')
    await expect(run([join(cwd, 'b.md'), join(cwd, 'b.md')])).rejects.toThrow('is given twice')
  })
})
