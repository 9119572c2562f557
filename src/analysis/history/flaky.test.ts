import { describe, expect, it } from 'vitest'
import { isFlaky } from './flaky.ts'
import { failure, historyLine } from './line.fixture.ts'

const passed = historyLine()
const failed = historyLine(failure)
const broken = historyLine({ passed: 0, unjudged: 1 })

describe('isFlaky', () => {
  it('is true for a case that went back and forth', () => {
    expect(isFlaky([passed, failed, passed])).toBe(true)
    expect(isFlaky([failed, passed, failed])).toBe(true)
  })

  it('is false for a case that broke once or was fixed once', () => {
    expect(isFlaky([passed, passed, failed, failed])).toBe(false)
    expect(isFlaky([failed, passed])).toBe(false)
    expect(isFlaky([])).toBe(false)
  })

  it('is true for a case that passed and failed in one run, or passed only on retry', () => {
    expect(isFlaky([historyLine({ runs: 5, passed: 4, failed: 1 })])).toBe(true)
    expect(isFlaky([historyLine({ flaky: 1 })])).toBe(true)
  })

  it('ignores infrastructure errors and edits of the case', () => {
    expect(isFlaky([passed, broken, passed, broken])).toBe(false)
    expect(isFlaky([passed, { ...failed, case_hash: 'other' }, passed])).toBe(false)
    expect(isFlaky([failed, broken, passed, failed])).toBe(true)
  })
})
