import { expect, it } from 'vitest'
import { judge, validationProblems } from './conversation.fixture.ts'

const cost = (max: unknown, more = {}) => ({ type: 'cost', max, ...more })
const answers = [{ usage: { cost: 0.01 } }, { usage: { cost: 0.03 } }]

it('compares the cost of the reply', async () => {
  expect(await judge(cost(0.02), answers, { turn: 1 })).toMatchObject({
    status: 'passed',
    reason: 'the reply cost $0.010',
    expected: 0.02,
    actual: 0.01,
  })
  expect(await judge(cost(0.02), answers, { turn: 2 })).toMatchObject({
    status: 'failed',
    reason: 'the reply cost $0.030, expected at most $0.020',
  })
})

it('adds up all replies after the conversation', async () => {
  expect((await judge(cost(0.04), answers, { where: 'final' })).status).toBe('passed')
  expect(await judge(cost(0.035), answers, { where: 'final' })).toMatchObject({
    status: 'failed',
    reason: '2 replies cost $0.040, expected at most $0.035',
  })
})

it('is unknown if one cost is unknown, also when negated', async () => {
  const partly = [{ usage: { cost: 0.01 } }, { usage: { inputTokens: 10 } }]
  expect(await judge(cost(1), partly, { where: 'final' })).toMatchObject({
    status: 'unknown',
    reason: expect.stringContaining('the cost of the reply (turn 2) is unknown'),
  })
  expect((await judge(cost(1, { negate: true }), {})).status).toBe('unknown')
})

it('says what is missing, and what makes the cost known', async () => {
  const disclosure = { usage: 'report them' }
  const context = { disclosure, agentId: 'booking' }
  const reasonOf = async (reply: object) => (await judge(cost(1), [reply], { context })).reason
  expect(await reasonOf({})).toBe(
    'the cost of the reply is unknown: it has no token counts. To make them visible, report them',
  )
  const usage = { inputTokens: 1, outputTokens: 2 }
  expect(await reasonOf({ usage })).toBe(
    'the cost of the reply is unknown: its model has no price. Add "booking" to "prices" in the config',
  )
  const usageByModel = [
    { model: 'small', ...usage, cost: 1 },
    { model: 'large', ...usage },
  ]
  expect(await reasonOf({ usage, usageByModel })).toBe(
    'the cost of the reply is unknown: the model "large" has no price. Add "large" to "prices" in the config',
  )
})

it('requires a number of dollars', () => {
  expect(validationProblems({ type: 'cost' })).toEqual([
    'max: cost needs a "max": a number of US dollars, like 0.01',
  ])
  expect(validationProblems(cost('$1'))).toHaveLength(1)
  expect(validationProblems(cost(-1))).toEqual(['max: the "max" of cost must not be below 0'])
})
