import { describe, expect, it } from 'vitest'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { makeJobs } from '../../run/jobs.ts'
import { failure, historyLine } from './line.fixture.ts'
import type { HistoryLine } from './line.ts'
import { orderJobs } from './order.ts'
import type { Order } from './orders.ts'
import { gatherHistory } from './read.ts'

const redact = <T>(value: T) => value

function entry(id: string, changes: Partial<CaseEntry> = {}): CaseEntry {
  return { id, file: 'a.jsonl', line: 1, hash: 'h', tags: [], at: { inline: null }, ...changes }
}

function ordered(ids: readonly string[], order: Order, lines: readonly HistoryLine[], seed = 1): string[] {
  const entries = ids.map((id) => entry(id))
  const jobs = orderJobs(makeJobs(entries, ['a']), order, { history: gatherHistory(lines), seed, redact })
  return Array.from(jobs, jobName)
}

function jobName({ entries, run }: Job): string {
  return `${entries.map(({ id }) => id).join('+')}${run === 1 ? '' : `#${run}`}`
}

describe('orderJobs', () => {
  it('failed-first puts cases that were never run first, then failed ones, then the rest as written', () => {
    const lines = [
      historyLine({ id: 'fine' }),
      historyLine({ id: 'broken', ...failure }),
      historyLine({ id: 'mended', ...failure }),
      historyLine({ id: 'mended', run_id: 'run-2' }),
      historyLine({ id: 'unjudged', passed: 0, unjudged: 1 }),
      historyLine({ id: 'new', variant: 'another', ...failure }),
    ]
    const ids = ['fine', 'broken', 'mended', 'unjudged', 'new']
    expect(ordered(ids, 'failed-first', lines)).toEqual(['new', 'broken', 'unjudged', 'fine', 'mended'])
  })

  it('slow-first puts the slowest cases first, after those that were never run', () => {
    const lines = [
      historyLine({ id: 'quick', duration_ms: 5 }),
      historyLine({ id: 'slow', duration_ms: 900 }),
      historyLine({ id: 'slow', run_id: 'run-2', duration_ms: 1 }),
      historyLine({ id: 'medium', duration_ms: 100 }),
    ]
    const ids = ['quick', 'medium', 'slow', 'new']
    expect(ordered(ids, 'slow-first', lines)).toEqual(['new', 'slow', 'medium', 'quick'])
  })

  it('keeps the written order without a history', () => {
    const jobs = makeJobs([entry('b'), entry('a')], ['a'])
    const ordering = { history: undefined, seed: 1, redact }
    expect(orderJobs(jobs, 'failed-first', ordering)).toEqual(jobs)
  })

  it('random gives the same order for the same seed, also for a selection of cases', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `case-${index}`)
    const all = ordered(ids, 'random', [], 7)
    expect(all).not.toEqual(ids)
    expect(all.toSorted()).toEqual(ids.toSorted())
    expect(ordered(ids, 'random', [], 7)).toEqual(all)
    expect(ordered(ids, 'random', [], 8)).not.toEqual(all)
    const some = new Set(ids.slice(5, 12))
    expect(ordered([...some], 'random', [], 7)).toEqual(all.filter((id) => some.has(id)))
  })

  it('keeps the tests of a script file together and adds up their durations', () => {
    const test = (id: string) => entry(id, { file: 'x_test.ts', at: { script: id } })
    const line = (id: string, duration_ms: number) =>
      historyLine({ file: 'x_test.ts', id, variant: 'scripts', duration_ms })
    const history = gatherHistory([line('A', 60), line('B', 60), historyLine({ duration_ms: 100 })])
    const jobs = makeJobs([entry('T1'), test('A'), test('B')], ['a'], 2)
    expect(Array.from(orderJobs(jobs, 'slow-first', { history, seed: 1, redact }), jobName)).toEqual([
      'A+B',
      'A+B#2',
      'T1',
      'T1#2',
    ])
  })
})
