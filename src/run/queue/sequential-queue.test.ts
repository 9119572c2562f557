import { describe, expect, it } from 'vitest'
import type { CaseEntry, Job } from '../../cases/entry.ts'
import { caseResult } from '../../results/result.fixture.ts'
import { makeJobs } from '../jobs.ts'
import { sequentialQueue } from './sequential-queue.ts'

const question = { gate: 0.9, confidence: 0.95 }
const entry = (id: string): CaseEntry => ({
  id,
  file: 'a.jsonl',
  line: 1,
  hash: id,
  tags: [],
  at: { inline: {} },
})
const createJobs = (runs: number, ...ids: string[]) => [...makeJobs(ids.map(entry), ['v'], runs)]

function play(queue: ReturnType<typeof sequentialQueue>, job: Job, passes: boolean): void {
  const [{ id } = { id: '' }] = job.entries
  const key = { file: 'a.jsonl', id, variant: 'v', run: job.run, attempt: 1 }
  queue.add(caseResult({ key, ...(passes ? { status: 'passed' } : { status: 'failed', fault: 'agent' }) }))
  queue.done(job)
}

describe('sequentialQueue', () => {
  it('starts no run that might be unnecessary, however many may run at once', () => {
    const queue = sequentialQueue(createJobs(30, 'a'), question, (value) => value)
    const started = Array.from({ length: 10 }, () => queue.take()).flatMap((job) => job ?? [])
    expect(started.map(({ run }) => run)).toEqual([1, 2])
    for (const job of started) play(queue, job, false)
    expect(queue.take()).toBeUndefined()
    expect(queue.left()).toEqual([])
    expect(queue.spare()).toHaveLength(28)
  })

  it('lets cases take turns', () => {
    const queue = sequentialQueue(createJobs(30, 'a', 'b'), question, (value) => value)
    expect([1, 2, 3, 4].map(() => queue.take()).map((job) => `${job?.entries[0]?.id}${job?.run}`)).toEqual([
      'a1',
      'b1',
      'a2',
      'b2',
    ])
  })

  it('counts results of a resumed run, but only those that say something about the agent', () => {
    const queue = sequentialQueue(createJobs(30, 'a').slice(18), question, (value) => value)
    const key = { file: 'a.jsonl', id: 'a', variant: 'v', run: 1, attempt: 1 }
    for (let run = 1; run <= 18; run++) queue.add(caseResult({ key: { ...key, run }, status: 'passed' }))
    queue.add(caseResult({ key: { ...key, run: 18 }, status: 'passed' }))
    queue.add(caseResult({ key: { ...key, run: 30 }, status: 'failed', fault: 'infrastructure' }))
    const job = queue.take()
    expect(queue.take()).toBeUndefined()
    if (job) play(queue, job, true)
    expect([queue.take(), queue.left()]).toEqual([undefined, []])
  })

  it('plays skipped cases and expected failures once, and gives up cases that cannot be judged', () => {
    for (const [result, runs] of [
      [{ status: 'skipped' }, 2],
      [{ status: 'failed', fault: 'agent', expectedFailure: 'known' }, 2],
      [{ status: 'passed', expectedFailure: 'known' }, 2],
      [{ status: 'failed', fault: 'infrastructure' }, 4],
    ] as const) {
      const queue = sequentialQueue(createJobs(30, 'a'), question, (value) => value)
      let played = 0
      for (let job = queue.take(); job !== undefined; job = queue.take()) {
        // Two run at once.
        const other = queue.take()
        for (const each of [job, other].flatMap((taken) => taken ?? [])) {
          played += 1
          queue.add(
            caseResult({
              key: { file: 'a.jsonl', id: 'a', variant: 'v', run: each.run, attempt: 1 },
              ...result,
            }),
          )
          queue.done(each)
        }
      }
      expect(played).toBe(runs)
      expect(queue.left()).toEqual([])
    }
  })

  it('counts a result that is reported twice only once, and continues with part of a test file', () => {
    const test = (id: string): CaseEntry => ({ ...entry(id), at: { script: id } })
    const whole = [...makeJobs([test('a'), test('b')], [], 4)]
    const partly = whole.map((job) => (job.run === 1 ? { ...job, entries: job.entries.slice(1) } : job))
    const queue = sequentialQueue(partly, { gate: 0.5, confidence: 0.9 }, (value) => value)
    const started = [queue.take(), queue.take()].flatMap((job) => job ?? [])
    expect(started.map(({ run }) => run)).toEqual([1, 2])
    for (const job of started) {
      for (const { id } of job.entries) {
        const key = { file: 'a.jsonl', id, variant: job.variant, run: job.run, attempt: 1 }
        for (let times = 0; times < 2; times++) queue.add(caseResult({ key, status: 'passed' }))
      }
      queue.done(job)
    }
    expect(queue.take()?.run).toBe(3)
  })

  it('has one run left for each undecided case', () => {
    const queue = sequentialQueue(createJobs(30, 'a', 'b'), question, (value) => value)
    expect(queue.left()).toHaveLength(2)
    expect(queue.spare()).toHaveLength(58)
  })
})
