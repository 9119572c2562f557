import { describe, expect, it } from 'vitest'
import { countOutcomes, hasStatus, outcomes, type Status, statuses, statusName } from './outcomes.ts'
import { createRow } from './row.fixture.ts'

const none = Object.fromEntries(statuses.map((status) => [status, 0]))

describe('counts of outcomes', () => {
  it('are all zero without results', () => {
    expect(countOutcomes([])).toEqual(none)
  })

  it('count every outcome, and flaky and unchecked in addition', () => {
    const rows = [
      ...outcomes.map((outcome) => createRow({ outcome })),
      createRow({ flaky: true }),
      createRow({ unchecked: true, flaky: true }),
    ]
    expect(countOutcomes(rows)).toEqual({
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
    expect(countOutcomes([createRow({ outcome: 'failed', unchecked: true, retrying: true })])).toEqual(none)
  })
})

describe('a status', () => {
  it.each<[Status, boolean]>([
    ['passed', true],
    ['flaky', true],
    ['unchecked', false],
    ['failed', false],
  ])('%s of a flaky pass: %s', (status, expected) => {
    expect(hasStatus(createRow({ outcome: 'passed', flaky: true }), status)).toBe(expected)
  })

  it('has a unique name', () => {
    expect(new Set(statuses.map(statusName)).size).toBe(statuses.length)
    expect(statusName('flaky')).toBe('flaky')
    expect(statusName('known')).toBe('known failure')
  })
})
