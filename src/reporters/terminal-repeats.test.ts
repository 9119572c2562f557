import { describe, expect, it } from 'vitest'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import { createPen } from './pen.ts'
import { caseBlock } from './terminal-case.ts'
import { createRepeats, dropTimes } from './terminal-repeats.ts'

const pen = createPen(false)
const failed = (message: string, durationMs = 1): Partial<CaseResult> => ({
  status: 'failed',
  fault: 'agent',
  failure: { kind: 'agent_error', message },
  durationMs,
})

function startRepeats(runs: number) {
  const printed: string[] = []
  const repeats = createRepeats((lines) => void printed.push(...lines.map(({ text }) => text)), pen)
  repeats.start(runs)
  const add = (id: string, run: number, changes: Partial<CaseResult> = {}) => {
    const result = caseResult({ key: { file: 'a.jsonl', id, variant: 'a', run, attempt: 1 }, ...changes })
    repeats.add(result.key, caseBlock(result, pen, false), () => caseBlock(dropTimes(result), pen, false))
  }
  return { printed, add, flush: repeats.flush }
}

describe('the runs of a case', () => {
  it('are printed once when only their times differ', () => {
    const { printed, add } = startRepeats(4)
    add('T1', 1, failed('broken', 5))
    add('T1', 2, failed('broken', 90))
    add('T1', 3, failed('otherwise'))
    expect(printed).toEqual([])
    add('T1', 4, failed('broken'))
    expect(printed).toEqual([
      '✗ [T1] × 3 (runs 1, 2, 4) (5ms)',
      '  └─ broken',
      '',
      '✗ [T1] (run 3) (1ms)',
      '  └─ otherwise',
      '',
    ])
  })

  it('are printed immediately when they are a single line', () => {
    const { printed, add } = startRepeats(2)
    add('T1', 2)
    expect(printed).toEqual(['✓ [T1] (run 2) (1ms)'])
  })

  it('are printed at the end of the run when some of them are missing', () => {
    const { printed, add, flush } = startRepeats(3)
    add('T1', 1, failed('broken'))
    add('T2', 1, failed('broken'))
    flush()
    expect(printed.filter((line) => line.startsWith('✗'))).toEqual([
      '✗ [T1] (run 1) (1ms)',
      '✗ [T2] (run 1) (1ms)',
    ])
  })

  it('have no number when there is one run', () => {
    const { printed, add } = startRepeats(1)
    add('T1', 1, failed('broken'))
    expect(printed[0]).toBe('✗ [T1] (1ms)')
  })
})
