import { describe, expect, it } from 'vitest'
import { resultFromLine, resultToLine } from './line.ts'
import { resultLineSchema } from './line-schema.ts'
import { ResultPlan } from './planned-results.ts'
import type { CaseResult } from './result.ts'
import { computeExitCode, passRate, Tally } from './tally.ts'

const key = { file: 'a.jsonl', id: 'T1', variant: 'expense@gpt', run: 1, attempt: 1 }

const multiTurn: CaseResult = {
  key,
  caseHash: 'abc',
  name: 'Flow',
  tags: ['smoke'],
  line: 3,
  status: 'failed',
  fault: 'agent',
  failure: { kind: 'assertion', message: 'no' },
  termination: { reason: 'completed', detail: '' },
  singleTurn: false,
  view: {
    history: [{ role: 'system', content: 'be kind' }],
    turns: [
      {
        number: 1,
        source: 'static',
        input: { value: 'hi', message: { role: 'user', content: 'hi' } },
        reply: {
          output: { status: 'ok' },
          content: 'Hello?',
          messages: [
            {
              role: 'assistant',
              content: '',
              toolCalls: [{ id: 'c1', name: 'look', arguments: { a: 1 }, result: 2 }],
            },
            { role: 'tool', content: '2', toolCallId: 'c1' },
            { role: 'assistant', content: 'Hello?' },
          ],
          toolCalls: [{ id: 'c1', name: 'look', arguments: { a: 1 }, result: 2 }],
          awaitingInput: true,
          inputHint: 'a name',
          finishReason: 'stop',
        },
        checks: [
          {
            type: 'contains',
            status: 'failed',
            gates: true,
            reason: 'no',
            expected: 'x',
            actual: 'y',
            fields: { value: 'x' },
          },
        ],
        awaiting: { awaiting: true, reason: 'agent_declared' },
        durationMs: 12,
      },
      {
        number: 2,
        source: 'simulated',
        simulated: {
          by: 'sim',
          format: 'json',
          reasoning: 'it asked',
          rejected: 'it says nothing',
          last: true,
        },
        input: { value: { city: 'Rome' }, message: { role: 'user', content: '{"city":"Rome"}' } },
        error: 'agent error: broke',
        checks: [],
        awaiting: { awaiting: false, reason: 'no_reply' },
        durationMs: 5,
      },
    ],
  },
  finals: [{ type: 'tool_called', status: 'passed', gates: false, reason: 'yes', fields: { name: 'look' } }],
  unevaluated: [],
  checkpoints: [
    {
      id: 'a',
      description: 'asks',
      required: true,
      forbidden: false,
      turn: 1,
      status: 'passed',
      reason: 'yes',
    },
    {
      id: 'b',
      required: true,
      forbidden: false,
      after: ['a'],
      status: 'waiting',
      reason: 'comes after a',
    },
    { id: 'c', required: false, forbidden: false, status: 'failed', reason: 'no' },
    { id: 'd', required: false, forbidden: true, turn: 2, status: 'passed', reason: 'yes' },
  ],
  unchecked: false,
  logs: ['thinking'],
  sessionId: 's-1',
  usage: { agent: { calls: 2, retries: 1, inputTokens: 10, outputTokens: 3 } },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 17,
}

const singleTurn: CaseResult = {
  ...multiTurn,
  status: 'skipped',
  failure: { kind: 'skipped', message: 'later' },
  singleTurn: true,
  view: {
    history: [],
    turns: [{ ...(multiTurn.view.turns[0] as CaseResult['view']['turns'][number]), durationMs: 17 }],
  },
  finals: [],
}

describe('a result line', () => {
  it.each([
    ['several turns', multiTurn],
    ['one turn', singleTurn],
  ])('restores a result of %s', (_, result) => {
    const line = JSON.parse(JSON.stringify(resultToLine(result)))
    expect(resultFromLine(resultLineSchema.parse(line))).toEqual(result)
  })

  it('has the documented field names', () => {
    expect(resultToLine(multiTurn)).toMatchObject({
      type: 'result',
      id: 'T1',
      status: 'failed',
      error: 'no',
      error_kind: 'assertion',
      total_turns: 2,
      duration_ms: 17,
      turns: [
        {
          turn: 1,
          input: 'hi',
          input_source: 'static',
          output: { status: 'ok' },
          awaiting_input: true,
          tool_calls: [{ name: 'look', args: { a: 1 } }],
          assertions: [{ type: 'contains', value: 'x', passed: false }],
          assertion_errors: ['no'],
          status: 'failed',
          duration_ms: 12,
        },
        { turn: 2, error: 'agent error: broke', status: 'failed' },
      ],
      final_assertions: [{ type: 'tool_called', name: 'look', passed: true }],
    })
    expect(resultToLine(singleTurn)).toMatchObject({
      input: 'hi',
      response: 'Hello?',
      messages_count: 1,
      skip_reason: 'later',
    })
  })
})

describe('Tally', () => {
  const results: [CaseResult['status'], CaseResult['fault']?][] = []
  const count = (...given: typeof results) => {
    const plan = new ResultPlan()
    for (const index of given.keys()) plan.set({ ...key, id: `${index}`, variant: 'v' }, 'h')
    const tally = new Tally(plan)
    for (const [index, [status, fault]] of given.entries()) {
      const { fault: _, ...base } = {
        ...multiTurn,
        status,
        caseHash: 'h',
        key: { ...key, id: `${index}`, variant: 'v' },
      }
      if (status !== 'not_run') tally.add(fault ? { ...base, fault } : base)
    }
    return tally.summary(1)
  }

  it.each<[string, typeof results, number]>([
    ['all passed', [['passed'], ['passed']], 0],
    ['passed and skipped', [['passed'], ['skipped']], 0],
    ['a failure', [['passed'], ['failed', 'agent']], 1],
    [
      'a failure and an infrastructure error',
      [
        ['failed', 'agent'],
        ['failed', 'infrastructure'],
      ],
      1,
    ],
    ['an infrastructure error among passed ones', [['passed'], ['failed', 'infrastructure']], 3],
    ['a bug in viva', [['passed'], ['failed', 'viva']], 3],
    ['all skipped', [['skipped']], 2],
    ['a case that did not run', [['passed'], ['not_run']], 3],
  ])('%s gives its exit code', (_, given, exitCode) => {
    expect(computeExitCode(count(...given))).toBe(exitCode)
  })

  it('tolerates infrastructure errors only if something was judged', () => {
    expect(computeExitCode(count(['passed'], ['failed', 'infrastructure']), 0.5)).toBe(0)
    expect(computeExitCode(count(['failed', 'infrastructure']), 1)).toBe(3)
    expect(computeExitCode(count(['skipped', 'infrastructure']), 1)).toBe(3)
  })

  it('does not count infrastructure errors in the rate', () => {
    expect(passRate(count(['passed'], ['failed', 'agent'], ['failed', 'infrastructure']))).toBe(50)
    expect(passRate(count(['failed', 'infrastructure']))).toBeUndefined()
  })

  it('tolerates infrastructure errors, but never bugs in viva', () => {
    const tolerated = 0.5
    const broken = count(['passed'], ['failed', 'infrastructure'])
    expect(broken).toMatchObject({ infrastructureErrors: 1, vivaFailures: 0 })
    expect(computeExitCode(broken, tolerated)).toBe(0)
    const viva = count(['passed'], ['failed', 'viva'])
    expect(viva).toMatchObject({ infrastructureErrors: 0, vivaFailures: 1 })
    expect(computeExitCode(viva, tolerated)).toBe(3)
    expect(computeExitCode(count(['failed', 'agent'], ['failed', 'viva']), tolerated)).toBe(1)
    expect(passRate(viva)).toBe(100)
  })

  it('counts every result until one is repeated or is not in the plan', () => {
    const plan = new ResultPlan()
    plan.set({ ...key, variant: 'v' }, 'new')
    const tally = new Tally(plan)
    const line = { ...resultToLine({ ...multiTurn, key: { ...key, variant: 'v' } }), case_hash: 'new' }
    tally.addLine(line)
    expect(tally.countsAll).toBe(true)
    tally.addLine(line)
    expect(tally.countsAll).toBe(false)
  })

  it('counts the last result of a key, and only for the current form of the case', () => {
    const plan = new ResultPlan()
    plan.set({ ...key, variant: 'v' }, 'new')
    const tally = new Tally(plan)
    const line = resultToLine({ ...multiTurn, key: { ...key, variant: 'v' } })
    tally.addLine({ ...line, status: 'passed', case_hash: 'old' })
    expect(tally.summary(1)).toMatchObject({ total: 1, passed: 0, notRun: 1 })
    tally.addLine({ ...line, status: 'failed', case_hash: 'new' })
    tally.addLine({ ...line, status: 'passed', case_hash: 'new' })
    expect(tally.summary(1)).toMatchObject({ passed: 1, failed: 0, notRun: 0 })
  })
})
