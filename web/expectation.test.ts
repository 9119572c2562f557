import { describe, expect, it } from 'vitest'
import type { CheckLine } from '../src/results/line-schema.ts'
import { checkDifference, describeRelation } from './expectation.ts'

const failedCheck = (type: string, fields: Partial<CheckLine> = {}): CheckLine => ({
  type,
  passed: false,
  status: 'failed',
  reason: '',
  ...fields,
})

describe('the relation of a check', () => {
  it.each<[string, boolean, string]>([
    ['contains', false, 'to contain'],
    ['contains', true, 'not to contain'],
    ['not_contains', false, 'not to contain'],
    ['not_contains', true, 'to contain'],
    ['icontains', true, 'not to contain, in upper or lower case'],
    ['regex', true, 'not to match'],
    ['starts_with', true, 'not to start with'],
    ['json_schema', true, 'not to satisfy the schema'],
    ['tool_not_called', false, 'not to be called'],
    ['latency', true, 'more than'],
    ['equals', false, ''],
    ['equals', true, 'anything but'],
    ['json_path', true, 'anything but'],
    ['Equal', false, ''],
    ['constructor', false, ''],
  ])('for %s, negated %s, is %j', (type, negate, relation) => {
    expect(describeRelation(failedCheck(type, negate ? { negate } : {}))).toBe(relation)
  })
})

describe('the difference of a check', () => {
  const changed = (check: CheckLine) =>
    checkDifference(check)?.parts.flatMap(({ kind, text }) => (kind === 'same' ? [] : [text.trim()]))

  it('of a call ignores arguments that are not expected', () => {
    const check = failedCheck('tool_called', {
      expected: { name: 'orders__refund', arguments: { id: 'A7', amount: { $gt: 10 } } },
      actual: { name: 'orders__refund', arguments: { id: 'A7', amount: 5, note: 'x', deep: [1] } },
    })
    expect(changed(check)).toEqual(['"amount": {\n      "$gt": 10\n    },', '"amount": 5,'])
  })

  it('is undefined when the values must differ or need not be equal', () => {
    const values = { expected: 'You get a refund of 5 euros', actual: 'You get a refund of 5 euros today' }
    expect(changed(failedCheck('equals', values))).toEqual(['today'])
    expect(changed(failedCheck('equals', { ...values, negate: true }))).toBeUndefined()
    for (const type of ['contains', 'not_contains', 'starts_with', 'tool_order', 'json_schema'])
      expect(changed(failedCheck(type, values))).toBeUndefined()
  })
})
