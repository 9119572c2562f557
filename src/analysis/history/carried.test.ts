import { describe, expect, it } from 'vitest'
import type { CaseEntry } from '../../cases/entry.ts'
import { type Carrying, decideCarrying, type Sight } from './carried.ts'
import { historyLine } from './line.fixture.ts'
import type { HistoryLine } from './line.ts'
import { gatherHistory } from './read.ts'

const entry: CaseEntry = { id: 'T1', file: 'a.jsonl', line: 1, hash: 'h', tags: [], at: { inline: {} } }
const passed = historyLine({ fingerprint: 'same' })

function decide(
  lines: HistoryLine[],
  more: Partial<Omit<Carrying, 'sight'>> & { entry?: CaseEntry; sight?: Sight } = {},
) {
  const { sight = { hash: 'same', parts: { prompt: '1' } } } = more
  return decideCarrying(more.entry ?? entry, 'a', {
    history: gatherHistory(lines),
    redact: (value) => value,
    runs: 1,
    earlierParts: () => undefined,
    ...more,
    sight: () => sight,
  })
}

describe('decideCarrying', () => {
  it('carries over a pass of the same case with the same fingerprint', () => {
    expect(decide([passed])).toEqual({ since: passed.time })
    expect(decide([{ ...passed, runs: 3, passed: 3 }], { runs: 3 })).toEqual({ since: passed.time })
  })

  it.each<[string, Partial<HistoryLine>]>([
    ['it failed last time', { passed: 0, failed: 1 }],
    ['it failed last time, as expected', { passed: 0, failed: 1, expected_failures: 1 }],
    ['it could not be judged last time', { passed: 0, unjudged: 1 }],
    ['it was skipped last time', { passed: 0, unjudged: 1, skipped: 1 }],
    ['it was flaky last time', { flaky: 1 }],
    ['it failed last time', { runs: 3, passed: 2, failed: 1 }],
    ['not all of its runs passed', { runs: 3, passed: 2, failed: 1, expected_failures: 1 }],
    ['not all of its runs passed', { runs: 3, passed: 2 }],
    ['the case changed', { case_hash: 'other' }],
    ['its last pass has no fingerprint', { fingerprint: undefined }],
    ['something that it depends on changed', { fingerprint: 'other' }],
    ['never run before', { variant: 'b' }],
    ['never run before', { file: 'b.jsonl' }],
  ])('%s: %o', (reason, changes) => {
    expect(decide([{ ...passed, ...changes } as HistoryLine])).toEqual({ reason })
  })

  it('looks only at the last run', () => {
    const failed = { ...passed, run_id: 'run-2', passed: 0, failed: 1 }
    expect(decide([passed, failed])).toEqual({ reason: 'it failed last time' })
    expect(decide([failed, passed])).toEqual({ since: passed.time })
  })

  it('names the parts that changed, as far as they are known', () => {
    const [before, now] = [
      { a: '1', b: '1', c: '1', d: '1', same: '1' },
      { a: '2', b: '2', d: '2', e: '2', same: '1' },
    ]
    const changed = { sight: { hash: 'other', parts: now }, earlierParts: () => before }
    expect(decide([passed], changed)).toEqual({ reason: 'a changed, b changed, c is gone and 2 more' })
  })

  it('runs what viva cannot see, and names what the config can say', () => {
    const sight = { unseen: 'viva does not see it', names: ['shop'] }
    expect(decide([passed], { sight })).toEqual({
      reason: 'viva does not see it (unless the config has "fingerprint": {"shop": […]})',
    })
    expect(decide([passed], { sight: { ...sight, names: [] } })).toEqual({ reason: sight.unseen })
  })

  it('runs cases without checks, with fewer runs than asked for, and before a damaged line', () => {
    expect(decide([passed], { entry: { ...entry, unchecked: true } })).toEqual({
      reason: 'it has no checks',
    })
    expect(decide([passed], { runs: 2 })).toEqual({ reason: 'it passed 1 run of 2' })
    const history = gatherHistory([passed], { unreadable: 1, doubtful: 1 })
    expect(decide([], { history })).toEqual({ reason: 'the history is damaged since its last run' })
    const later = gatherHistory([passed, { ...passed, run_id: 'run-2' }], { unreadable: 1, doubtful: 1 })
    expect(decide([], { history: later })).toEqual({ since: passed.time })
  })
})
