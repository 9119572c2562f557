import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentReply } from './agent.ts'
import { aiUser } from './ai-user.ts'
import { afterTurns } from './conditions.ts'
import { createScriptedProvider } from './providers.ts'
import { reportToMarkdown } from './report-markdown.ts'
import type { EvalRunOptions } from './run-options.ts'
import { createEvalSuite } from './suite.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'viva-suite-options-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Is wrong in every nth play. */
function unreliable(nth: number) {
  let plays = 0
  return createEvalSuite({
    agent: {
      execute: (text: string) => {
        plays += 1
        return plays % nth === 0 ? 'wrong' : text
      },
    },
  })
}

const cases = [{ id: 'echo', input: 'hi', expectedOutput: 'hi' }]

describe('gates of a run', () => {
  it('decide in place of the single plays', async () => {
    const run = (gates: EvalRunOptions['gates']) => unreliable(4).run(cases, { iterations: 8, gates })
    const reached = await run({ case: 0.7, suite: 0.7 })
    expect(reached.exitCode).toBe(0)
    expect(reached.summary).toMatchObject({
      failed: 2,
      gates: [
        { gate: 'case', status: 'reached' },
        { gate: 'suite', status: 'reached', rate: 75 },
      ],
    })
    expect(reportToMarkdown(reached)).toContain('reached: suite')
    expect((await run({ case: 0.8 })).exitCode).toBe(1)
    expect((await run({ stable: true })).summary.gates).toMatchObject([{ gate: 'stable', status: 'missed' }])
    expect((await run({})).exitCode).toBe(1)
  })

  it('with automatic iterations, a case is played until the answer is clear', async () => {
    const options = { iterations: 'auto', gates: { case: 0.8 }, confidence: 0.9 } as const
    const { results, exitCode, summary } = await unreliable(1000).run(cases, options)
    const [result] = results
    if (result?.kind !== 'single-turn-iterated') throw new Error('not iterated')
    expect(exitCode).toBe(0)
    expect(result.iterations.length).toBeLessThan(30)
    expect(result.iterations.length + (summary.sparedIterations ?? 0)).toBe(30)
    const failing = await unreliable(1).run(cases, { ...options, maxIterations: 40 })
    expect(failing).toMatchObject({ exitCode: 1, summary: { gates: [{ status: 'missed' }] } })
  })
})

describe('the baseline of a run', () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ ...cases[0], id: `echo-${index}`, input: 'hi' }))

  it('can be a report or a file of results, and a regression fails the run', async () => {
    const output = join(folder(), 'before.jsonl')
    const good = await unreliable(1000).run(many, { output })
    for (const baseline of [good, output]) {
      const worse = await unreliable(1).run(many, { baseline })
      expect(worse).toMatchObject({ exitCode: 1, summary: { comparison: { verdict: 'regression' } } })
      const same = await unreliable(1000).run(many, { baseline })
      expect(same).toMatchObject({ exitCode: 0, summary: { comparison: { verdict: 'no regression' } } })
    }
  })

  it('is refused before anything is played where nothing can be compared', async () => {
    const run = (baseline: unknown, ids = cases) =>
      unreliable(9)
        .run(ids, { baseline } as never)
        .catch(String)
    const report = await unreliable(9).run(cases)
    expect(await run('nowhere.jsonl')).toContain('no such file: nowhere.jsonl')
    expect(await run(JSON.parse(JSON.stringify(report)))).toContain('must be a file of results, or a report')
    expect(await run(await unreliable(9).run(cases, { keepResults: false }))).toContain('or a report')
    expect(await run(report, [{ id: 'other', input: 'x', expectedOutput: 'x' }])).toContain(
      'baseline has no case in common with this run',
    )
    expect(await run(3)).toContain('baseline')
  })
})

describe('the budget of a run', () => {
  const agent = {
    execute: (text: string) => agentReply(text, { usage: { inputTokens: 60, outputTokens: 0, cost: 1 } }),
  }
  const three = ['a', 'b', 'c'].map((id) => ({ id, input: id, expectedOutput: id }))

  it('ends it when it is spent', async () => {
    const byCost = await createEvalSuite({ agent }).run(three, { budget: { cost: 2 } })
    expect(byCost).toMatchObject({
      exitCode: 1,
      summary: { passed: 2, notRun: 1, overBudget: 'budget.cost $2.00 is reached: $2.00 spent' },
    })
    const byTokens = await createEvalSuite({ agent }).run(three, { budget: { tokens: 100 } })
    expect(byTokens.summary.overBudget).toBe('budget.tokens 100 is reached: 120 used')
  })

  it('cannot be kept where the cost is unknown, which ends the run too', async () => {
    const unknown = { execute: (text: string) => agentReply(text, { usage: { inputTokens: 1 } }) }
    const { summary } = await createEvalSuite({ agent: unknown }).run(three, { budget: { cost: 2 } })
    expect(summary.overBudget).toContain('budget.cost: the cost of 1 call is unknown')
  })
})

describe('recordings of a run', () => {
  let calls = 0
  const agent = {
    name: 'counter',
    execute: (text: string) => {
      calls += 1
      return agentReply({ text, calls }, { toolCalls: [{ name: 'count', arguments: { calls } }] })
    },
  }
  const talk = () => {
    const user = aiUser({
      provider: createScriptedProvider(['More, please']),
      systemPrompt: 'You want more.',
    })
    const multiTurn = { followUpInputs: [{ input: user }], terminateWhen: [afterTurns(2)] }
    return [{ id: 'talk', input: 'hello', multiTurn: { ...multiTurn, onMaxTurnsReached: 'pass' as const } }]
  }

  it('answer all calls of a later run, without asking the agent or the simulated user', async () => {
    const file = join(folder(), 'calls.jsonl')
    const suite = createEvalSuite({ agent })
    const first = await suite.run(talk(), { record: file })
    const asked = calls
    const again = await suite.run(talk(), { replay: file })
    expect(calls).toBe(asked)
    expect(again).toMatchObject({ exitCode: 0, notices: [] })
    expect(again.results[0]?.conversationHistory).toEqual(first.results[0]?.conversationHistory)
    expect(again.results[0]?.toolCalls).toEqual(first.results[0]?.toolCalls)
    expect(first.summary).toMatchObject({ passed: 1, passRate: 1 })
    expect(again.summary).toMatchObject({ passed: 1, origin: 'replayed' })
    expect(again.summary.passRate).toBeUndefined()
    expect(again.results[0]?.origin).toBe('replayed')
    expect(reportToMarkdown(again)).toContain('| Pass rate | not computed: the results are replayed')
    const live = await suite.run(talk(), { replay: file, live: ['agent'] })
    expect(calls).toBe(asked + 2)
    expect(live.results[0]?.conversationHistory[1]?.input).toBe('More, please')
  })

  it('do not have what was not recorded, which is said or added', async () => {
    const file = join(folder(), 'calls.jsonl')
    const suite = createEvalSuite({ agent })
    await suite.run([{ id: 'a', input: 'hello' }], { record: file })
    const other = [{ id: 'b', input: 'hello' }]
    await expect(suite.run(other, { replay: file })).rejects.toThrow('is a recording of other cases')
    const changed = await suite.run([{ id: 'a', input: 'bye' }], { replay: file })
    expect(changed.results[0]).toMatchObject({ passed: false, fault: 'infrastructure' })
    expect(changed.notices[1]).toContain("replayMissing: 'live'")
    await suite.run(other, { replay: file, replayMissing: 'live' })
    const before = calls
    expect((await suite.run(other, { replay: file })).exitCode).toBe(0)
    expect(calls).toBe(before)
  })

  it('have no secrets, and never replace a file', async () => {
    const file = join(folder(), 'calls.jsonl')
    const key = 'sk-recorded-value-4711'
    process.env.SUITE_RECORDING_TOKEN = key
    onTestFinished(() => {
      delete process.env.SUITE_RECORDING_TOKEN
    })
    await createEvalSuite({ agent }).run([{ id: 'a', input: `my key is ${key}` }], { record: file })
    expect(readFileSync(file, 'utf8')).toContain('my key is [redacted]')
    expect(readFileSync(file, 'utf8')).not.toContain(key)
    await expect(createEvalSuite({ agent }).run([{ input: 'x' }], { record: file })).rejects.toThrow(
      'the file exists',
    )
  })
})

describe('options that are wrong', () => {
  it.each<[object, string]>([
    [{ iterations: 'auto' }, "run: iterations: 'auto' needs gates.case"],
    [{ iterations: 'auto', gates: { case: 1 } }, 'no number of runs shows that a case always passes'],
    [{ iterations: 'auto', gates: { case: 0.9, suite: 0.9 } }, 'gates.suite cannot be told'],
    [{ iterations: 'auto', gates: { case: 0.9 }, maxIterations: 3 }, 'maxIterations is 3'],
    [{ iterations: 'many' }, "many is not a whole number of at least 1, or 'auto'"],
    [{ iterations: 'auto', gates: { case: 0.9 }, maxIterations: 1001 }, 'a whole number from 2 to 1000'],
    [{ confidence: 0.9 }, "run: confidence is for iterations: 'auto'"],
    [{ maxIterations: 9 }, "run: maxIterations is for iterations: 'auto'"],
    [{ confidence: 1 }, 'confidence'],
    [{ gates: { case: 2 } }, 'gates.case'],
    [{ gates: { cases: 0.9 } }, 'did you mean'],
    [{ budget: { cost: 0 } }, 'budget.cost'],
    [{ budget: { dollars: 1 } }, 'dollars'],
    [{ live: ['agent'] }, 'run: live is for replay'],
    [{ replayMissing: 'live' }, 'run: replayMissing is for replay'],
    [{ replay: 'x.jsonl', gates: { case: 0.9 } }, 'run: gates.case cannot be combined with replay'],
    [{ replay: 'x.jsonl', baseline: 'y.jsonl' }, 'run: baseline cannot be combined with replay'],
    [{ replay: 'x.jsonl', record: 'x.jsonl' }, 'it is the recording that is replayed'],
    [{ replay: 'x.jsonl', live: ['modle'] }, 'live[0]'],
    [{ replay: 'x.jsonl', live: ['model'] }, 'use live agent: the agent is one layer'],
    [{ replay: 'nowhere.jsonl' }, 'nowhere.jsonl'],
  ])('%j is refused before anything is played', async (options, message) => {
    let plays = 0
    const agent = { execute: (text: string) => `${text}${plays++}` }
    const failure = await createEvalSuite({ agent })
      .run(cases, options as never)
      .catch((error: Error & { problems?: unknown }) => `${error} ${JSON.stringify(error.problems)}`)
    expect(failure).toContain(message)
    expect(plays).toBe(0)
    expect(existsSync('x.jsonl')).toBe(false)
  })
})
