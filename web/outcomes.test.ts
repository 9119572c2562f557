import { describe, expect, it } from 'vitest'
import { countsOf, hasStatus, outcomes, type Status, statuses, statusName } from './outcomes.ts'
import { rowOf } from './row.fixture.ts'

const none = Object.fromEntries(statuses.map((status) => [status, 0]))

describe('counts of outcomes', () => {
  it('are all zero without results', () => {
    expect(countsOf([])).toEqual(none)
  })

  it('count every outcome, and flaky and unchecked in addition', () => {
    const rows = [
      ...outcomes.map((outcome) => rowOf({ outcome })),
      rowOf({ flaky: true }),
      rowOf({ unchecked: true, flaky: true }),
    ]
    expect(countsOf(rows)).toEqual({
      failed: 1,
      broken: 1,
      unfinished: 1,
      known: 1,
      skipped: 1,
      passed: 3,
      flaky: 2,
      unchecked: 1,
    })
  })

  it('ignore attempts that were retried', () => {
    expect(countsOf([rowOf({ outcome: 'failed', unchecked: true, retrying: true })])).toEqual(none)
  })
})

describe('a status', () => {
  it.each<[Status, boolean]>([
    ['passed', true],
    ['flaky', true],
    ['unchecked', false],
    ['failed', false],
  ])('%s of a flaky pass: %s', (status, expected) => {
    expect(hasStatus(rowOf({ outcome: 'passed', flaky: true }), status)).toBe(expected)
  })

  it('has a unique name', () => {
    expect(new Set(statuses.map(statusName)).size).toBe(statuses.length)
    expect(statusName('flaky')).toBe('flaky')
    expect(statusName('known')).toBe('known failure')
  })
})
