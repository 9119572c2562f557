import { describe, expect, it } from 'vitest'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { type Branch, type BranchAgent, branchCase } from './branched-case.ts'

const given: BranchAgent = {
  agentId: 'bot',
  history: 'given',
  tools: 'served',
  mayJudge: (use) => use.startsWith('viva.'),
  rename: ({ name }) => name,
  attach: () => undefined,
}
const kept: BranchAgent = { ...given, history: 'kept' }

function turn(number: number, checks: Turn['checks'] = [], toolCalls: ToolCall[] = []): Turn {
  const [said, answered] = [`say ${number}`, `answer ${number}`]
  return {
    number,
    source: 'static',
    input: { value: said, message: { role: 'user', content: said } },
    reply: {
      output: answered,
      content: answered,
      messages: [{ role: 'assistant', content: answered }],
      toolCalls,
    },
    checks,
    awaiting: { awaiting: false, reason: 'completed' },
    durationMs: 1,
  }
}

function check(type: string, fields: object = {}): Turn['checks'][number] {
  return { type, status: 'passed', gates: true, reason: '', fields: { ...fields } }
}

const contains = (more: object = {}) => check('contains', { value: 'x', ...more })

function branch(
  turns: readonly Turn[],
  more: Partial<Branch> = {},
  changes: Partial<CaseResult> = {},
): Branch {
  const result = caseResult({ singleTurn: false, view: { history: [], turns: [...turns] }, ...changes })
  return { result, turn: 2, name: 'a branch', ...more }
}

const lastly = [{ role: 'system', content: 'Be brief' }] as const

describe('branchCase', () => {
  it('what came before the turn is the history, with the history of the case', () => {
    const view = { history: [...lastly], turns: [turn(1), turn(2, [contains()])] }
    const { write, notes } = branchCase(branch([], {}, { view }), given)
    expect(write()).toEqual({
      id: 'T1',
      name: 'a branch',
      messages: [...lastly, { role: 'user', content: 'say 1' }, { role: 'assistant', content: 'answer 1' }],
      turns: [{ input: 'say 2', assert: [{ type: 'contains', value: 'x' }] }],
      on_missing_input: 'end',
    })
    expect(notes).toEqual([])
  })

  it('other messages have no checks, and what a person typed comes after them', () => {
    const finals = [contains()]
    const { write } = branchCase(
      branch([turn(1), turn(2, [contains()])], { says: ['no'] }, { finals }),
      given,
    )
    expect(write()).toMatchObject({ turns: [{ input: 'no' }] })
    expect(write()).not.toHaveProperty('final_assertions')
    expect(write(['bye'])).toMatchObject({ turns: [{ input: 'no' }, { input: 'bye' }] })
  })

  it('a branch without a message is for a person', () => {
    const { write } = branchCase(branch([turn(1)], { says: [], turn: 2 }), given)
    expect(write()).toMatchObject({
      type: 'multi_turn',
      messages: [{ content: 'say 1' }, { content: 'answer 1' }],
    })
  })

  it('an agent with its own session is sent the earlier messages again, without their checks', () => {
    const view = {
      history: [
        ...lastly,
        { role: 'user', content: 'hi' } as const,
        { role: 'assistant', content: 'ho' } as const,
      ],
      turns: [turn(1, [contains()]), turn(2, [contains({ turn: 1 })])],
    }
    const { write, notes } = branchCase(branch([], {}, { view, finals: [contains({ scope: 'any' })] }), kept)
    expect(write()).toMatchObject({
      turns: [{ input: 'hi' }, { input: 'say 1' }, { input: 'say 2', assert: [{ turn: 2 }] }],
      final_assertions: [{ scope: 'any' }],
    })
    expect(write()).not.toHaveProperty('messages')
    expect(JSON.stringify(write()).match(/assert"/g)).toHaveLength(1)
    expect(notes).toEqual([
      'bot keeps its own session: the 2 earlier messages are sent again, and it may answer them differently',
    ])
  })

  it('checks that cannot be made are left out and named', () => {
    const checks = [
      contains(),
      contains({ turn: 1 }),
      check('regex', { value: 'x', turn: 1 }),
      contains({ turn: 1 }),
      check('snapshot'),
      check('my_condition'),
      check('judge', { criteria: 'polite', use: 'exec:rm' }),
      check('judge', { criteria: 'polite' }),
      check('all_of', { assertions: [{ type: 'agent', use: 'exec:rm', value: 'good' }] }),
    ]
    const { write, notes } = branchCase(branch([turn(1), turn(2, checks)]), given)
    expect(write()).toMatchObject({
      turns: [{ assert: [{ type: 'contains' }, { type: 'judge', criteria: 'polite' }] }],
    })
    expect(notes).toEqual([
      '7 checks are left out: 2 × contains, regex (it looks at turns before turn 2); snapshot (its snapshot is beside the case file); ' +
        'my_condition (it is not a check of case files); judge, all_of (exec:rm is not an agent of this project)',
    ])
  })

  it('checks that are not in the results are counted', () => {
    const changes: Partial<CaseResult> = {
      unevaluated: ['contains'],
      checkpoints: [{ id: 'c', required: true, forbidden: false, status: 'passed', reason: '' }],
    }
    const broken = { ...turn(2), unevaluated: ['regex', 'judge'] }
    expect(branchCase(branch([turn(1), broken], {}, changes), given).notes).toEqual([
      '3 checks were not evaluated in the recorded run: the results file does not have them',
      'checkpoints are not checked: the results file has only what came of them',
    ])
    expect(branchCase(branch([turn(1), broken], { says: ['x'] }, changes), given).notes).toEqual([])
  })

  it('tools that were stubbed answer as they did from the turn on, or else as they did last', () => {
    const call = (name: string, more: object): ToolCall => ({ id: '', name, arguments: {}, ...more })
    const turns = [
      turn(
        1,
        [],
        [
          call('pay', { result: 1, stubbed: true }),
          call('find', { result: 'a', stubbed: true }),
          call('find', { result: 'b', stubbed: true }),
          call('real', { result: 1 }),
        ],
      ),
      turn(2, [], [call('pay', { error: 'down', stubbed: true }), call('pay', { result: 2, stubbed: true })]),
    ]
    const { write, notes } = branchCase(branch(turns), given)
    expect(write().stubs).toEqual({
      pay: { sequence: [{ error: 'down' }, { result: 2 }] },
      find: { sequence: [{ result: 'b' }] },
    })
    expect(notes).toEqual(['stubbed again, with what they returned then: pay, find'])
    expect(branchCase(branch(turns), { ...given, tools: 'reported' }).write()).not.toHaveProperty('stubs')
  })

  it('a case with one turn keeps its expected output, and stays one only while nothing is added', () => {
    const single = branch([turn(1)], { turn: 1 }, { singleTurn: true, expected: 'answer' })
    expect(branchCase(single, given).write()).toEqual({
      id: 'T1',
      name: 'a branch',
      input: 'say 1',
      expected: 'answer',
    })
    expect(branchCase({ ...single, turn: 2, says: ['more'] }, given).write()).toEqual({
      id: 'T1',
      name: 'a branch',
      messages: [
        { role: 'user', content: 'say 1' },
        { role: 'assistant', content: 'answer 1' },
      ],
      turns: [{ input: 'more' }],
      on_missing_input: 'end',
    })
  })
})
