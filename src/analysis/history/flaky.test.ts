import { describe, expect, it } from 'vitest'
import { isFlaky } from './flaky.ts'
import { failure, historyLine } from './line.fixture.ts'

const passed = historyLine()
const failed = historyLine(failure)
const broken = historyLine({ passed: 0, unjudged: 1 })

describe('a flaky case', () => {
  it('went back and forth', () => {
    expect(isFlaky([passed, failed, passed])).toBe(true)
    expect(isFlaky([failed, passed, failed])).toBe(true)
  })

  it('is none that broke once, or was mended once', () => {
    expect(isFlaky([passed, passed, failed, failed])).toBe(false)
    expect(isFlaky([failed, passed])).toBe(false)
    expect(isFlaky([])).toBe(false)
  })

  it('passed and failed in one run, or passed at a later attempt only', () => {
    expect(isFlaky([historyLine({ runs: 5, passed: 4, failed: 1 })])).toBe(true)
    expect(isFlaky([historyLine({ flaky: 1 })])).toBe(true)
  })

  it('does not flip where the infrastructure failed, nor where the case itself was changed', () => {
    expect(isFlaky([passed, broken, passed, broken])).toBe(false)
    expect(isFlaky([passed, { ...failed, case_hash: 'other' }, passed])).toBe(false)
    expect(isFlaky([failed, broken, passed, failed])).toBe(true)
  })
})
