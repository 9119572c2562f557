import { describe, expect, it } from 'vitest'
import { compileCondition, conditionSchema } from '../cases/conditions.ts'
import { type CheckHelpers, noCheckHelpers } from '../checks/check-helpers.ts'
import type { JudgeFinding, JudgeQuestion } from '../results/judge-finding.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { evaluateConditions, splitLimit } from './conditions.ts'

function view(...outputs: unknown[]): View {
  const turns = outputs.map((output, index): Turn => {
    const content = typeof output === 'string' ? output : JSON.stringify(output)
    return {
      number: index + 1,
      source: 'static',
      input: { value: 'x', message: { role: 'user', content: 'x' } },
      reply: { output, content, messages: [], toolCalls: [] },
      checks: [],
      awaiting: { awaiting: false, reason: 'completed' },
      durationMs: 1,
    }
  })
  return { history: [], turns }
}

const compile = (condition: unknown) => compileCondition(conditionSchema.parse(condition), noCheckHelpers)

async function meet(conditions: unknown[], ...outputs: unknown[]) {
  return (await evaluateConditions(conditions.map(compile), view(...outputs), createPlainScope())).is
}

const confirmed = { type: 'field_equals', path: 'booking.status', value: 'confirmed' }
const isSet = { type: 'field_is_set', path: 'result' }
const turns = (count: number) => ({ type: 'after_turns', turns: count })
const broken = { type: 'tool_not_called', name: 'x' }

describe('conditions', () => {
  it('compare a field of the last reply', async () => {
    expect(await meet([confirmed], { booking: { status: 'confirmed' } })).toBe('met')
    expect(
      await meet([confirmed], { booking: { status: 'confirmed' } }, { booking: { status: 'open' } }),
    ).toBe('not_met')
    expect(await meet([confirmed], 'no JSON here')).toBe('not_met')
    expect(await meet([confirmed], 'It is done: {"booking": {"status": "confirmed"}}')).toBe('met')
  })

  it('treat null as not set', async () => {
    expect(await meet([isSet], { result: 0 })).toBe('met')
    expect(await meet([isSet], { result: null })).toBe('not_met')
    expect(await meet([isSet], {})).toBe('not_met')
  })

  it('may be any assertion', async () => {
    expect(await meet([{ type: 'contains', value: 'bye' }], 'good bye')).toBe('met')
  })

  it('may be a question for the judge', async () => {
    const asked: JudgeQuestion[] = []
    const verdicts: JudgeFinding[] = [
      { verdict: 'passed', reason: 'it is', score: 0.8 },
      { verdict: 'failed', reason: 'not yet' },
      { verdict: 'unknown', reason: 'who knows' },
    ]
    const helpers: CheckHelpers = {
      ...noCheckHelpers,
      async judge(_, question) {
        asked.push(question)
        return verdicts.shift() ?? Promise.reject(new Error('no more'))
      },
    }
    const written = conditionSchema.parse({
      type: 'natural_language',
      prompt: 'Is it booked?',
      threshold: 0.8,
    })
    const condition = compileCondition(written, helpers)
    const outcomes: string[] = []
    for (let turn = 0; turn < 4; turn++)
      outcomes.push((await evaluateConditions([condition], view('Booked.'), createPlainScope())).is)
    expect(outcomes).toEqual(['met', 'not_met', 'error', 'error'])
    expect(asked[0]).toMatchObject({ threshold: 0.8, criteria: expect.stringContaining('Is it booked?') })
  })

  it('can be combined', async () => {
    const both = { type: 'and', conditions: [confirmed, isSet] }
    expect(await meet([both], { booking: { status: 'confirmed' }, result: 1 })).toBe('met')
    expect(await meet([both], { booking: { status: 'confirmed' } })).toBe('not_met')
    expect(await meet([{ type: 'or', conditions: [confirmed, isSet] }], { result: 1 })).toBe('met')
    expect(await meet([{ type: 'not', condition: isSet }], {})).toBe('met')
  })

  it('exclude turn numbers that are only a limit', async () => {
    const split = (...conditions: unknown[]) => splitLimit(conditions.map(compile))
    expect(split(turns(30))).toEqual({ limit: 30, conditions: [] })
    expect(split(turns(3), { type: 'or', conditions: [isSet, turns(40)] })).toMatchObject({
      limit: 3,
      conditions: [{ any: [{ all: [{}, {}] }] }],
    })
    expect(split({ type: 'or', conditions: [isSet, turns(40)] }).limit).toBe(40)
    expect(split({ type: 'and', conditions: [turns(1), turns(2)] })).toEqual({ limit: 2, conditions: [] })
    expect(split({ type: 'and', conditions: [isSet, turns(40)] })).toMatchObject({
      conditions: [{ all: [{}, { turns: 40 }] }],
    })
    expect(split({ type: 'and', conditions: [isSet, turns(40)] }).limit).toBeUndefined()
    expect(split({ type: 'not', condition: turns(40) }).limit).toBeUndefined()
  })

  it('include turn numbers that are combined with something else', async () => {
    const both = { type: 'and', conditions: [turns(2), isSet] }
    expect(await meet([both], {}, { result: 1 })).toBe('met')
    expect(await meet([both], { result: 1 })).toBe('not_met')
    expect(await meet([{ type: 'not', condition: turns(2) }], {})).toBe('met')
  })

  it('are errors if they cannot be judged, in any combination', async () => {
    const hidden = view('x')
    const [turn] = hidden.turns
    if (turn?.reply) turn.reply.toolCalls = 'hidden'
    const outcome = async (condition: unknown) =>
      (await evaluateConditions([compile(condition)], hidden, createPlainScope())).is
    expect(await outcome(broken)).toBe('error')
    expect(await outcome({ type: 'not', condition: broken })).toBe('error')
    expect(await outcome({ type: 'or', conditions: [isSet, broken] })).toBe('error')
    expect(await outcome({ type: 'and', conditions: [isSet, broken] })).toBe('not_met')
  })
})
