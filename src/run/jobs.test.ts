import { describe, expect, it } from 'vitest'
import type { CaseEntry } from '../cases/entry.ts'
import { scriptVariant } from '../results/key.ts'
import { ResultPlan } from '../results/planned-results.ts'
import { findOpenJobs, makeJobs, planResults, resultKey } from './jobs.ts'

function conversation(id: string, file = 'cases.jsonl'): CaseEntry {
  return { id, file, line: 1, hash: `hash of ${id}`, tags: [], at: { bytes: [0, 1] } }
}

function test(id: string, file = 'own_test.ts'): CaseEntry {
  return { id, file, line: 1, hash: `hash of ${id}`, tags: [], at: { script: id } }
}

const plain = <T>(value: T): T => value

function shape(entries: CaseEntry[], variants: string[], runs?: number) {
  return Array.from(makeJobs(entries, variants, runs), ({ entries: own, variant, run }) => [
    own.map(({ id }) => id).join(),
    variant,
    run,
  ])
}

describe('jobs', () => {
  it('are one per case, variant and run', () => {
    expect(shape([conversation('a'), conversation('b')], ['x', 'y'], 2)).toEqual([
      ['a', 'x', 1],
      ['a', 'x', 2],
      ['a', 'y', 1],
      ['a', 'y', 2],
      ['b', 'x', 1],
      ['b', 'x', 2],
      ['b', 'y', 1],
      ['b', 'y', 2],
    ])
  })

  it('group the tests of one file, without an agent, at the place of the first one', () => {
    const entries = [test('TestA'), conversation('a'), test('TestB', 'other_test.ts'), test('TestC')]
    expect(shape(entries, ['x', 'y'])).toEqual([
      ['TestA,TestC', scriptVariant, 1],
      ['a', 'x', 1],
      ['a', 'y', 1],
      ['TestB', scriptVariant, 1],
    ])
  })

  it('run script tests once per run, even without any agent', () => {
    expect(shape([test('TestA')], [], 3)).toEqual([1, 2, 3].map((run) => ['TestA', scriptVariant, run]))
    expect(shape([], ['x'])).toEqual([])
  })

  it('are separate for cases of one file, even beside script tests', () => {
    expect(shape([conversation('a', 'x_test.ts'), test('TestA', 'x_test.ts')], ['x'])).toEqual([
      ['a', 'x', 1],
      ['TestA', scriptVariant, 1],
    ])
  })

  it('have a hash of the ids and contents of their cases, in order', () => {
    const hash = (entries: CaseEntry[]) => makeJobs(entries, ['x']).at(0)?.planHash
    const [a, b] = [test('TestA'), test('TestB')]
    expect(hash([a, b])).toBe(hash([{ ...a, line: 9, file: 'moved_test.ts' }, b]))
    expect(hash([a, b])).not.toBe(hash([b, a]))
    expect(hash([a])).not.toBe(hash([{ ...a, hash: 'other' }]))
    expect(hash([{ ...a, id: 'x"],["y' }])).not.toBe(
      hash([
        { ...a, id: 'x' },
        { ...a, id: 'y' },
      ]),
    )
  })
})

describe('the plan', () => {
  it('has a result for every test', () => {
    const jobs = makeJobs([test('TestA'), test('TestB'), conversation('a')], ['x'], 2)
    const plan = planResults(jobs, plain)
    expect([...plan.keys()].map(({ key }) => plan.hash(key))).toEqual([
      'hash of TestA',
      'hash of TestB',
      'hash of TestA',
      'hash of TestB',
      'hash of a',
      'hash of a',
    ])
  })

  it('allows tests of the same name in two files', () => {
    const jobs = makeJobs([test('TestA'), test('TestA', 'other_test.ts')], [])
    expect(planResults(jobs, plain).size).toBe(2)
  })

  it('does not allow two results of the same name after redaction', () => {
    const redact = <T>(value: T): T =>
      (typeof value === 'string' ? value.replace(/sk-\w+/, '***') : value) as T
    const jobs = makeJobs([test('Test sk-1'), test('Test sk-2')], [])
    expect(() => planResults(jobs, redact)).toThrow(/Test \*\*\* with scripts is the name of two results/)
    expect(() => planResults(jobs, plain)).not.toThrow()
  })
})

describe('a resumed run', () => {
  const jobs = [...makeJobs([test('TestA'), test('TestB'), conversation('a')], ['x'])]
  const finished = (...entries: CaseEntry[]) => {
    const plan = new ResultPlan()
    for (const entry of entries) {
      const job = jobs.find((each) => each.entries.some(({ id }) => id === entry.id))
      if (job === undefined) throw new Error(`no job for ${entry.id}`)
      plan.set(resultKey(entry, job), entry.hash)
    }
    return plan
  }
  const open = (...entries: CaseEntry[]) =>
    Array.from(findOpenJobs(jobs, finished(...entries), plain), (job) =>
      job.entries.map(({ id }) => id).join(),
    )

  it('plays only cases and tests without a result', () => {
    expect(open()).toEqual(['TestA,TestB', 'a'])
    expect(open(test('TestA'))).toEqual(['TestB', 'a'])
    expect(open(test('TestA'), test('TestB'))).toEqual(['a'])
    expect(open(test('TestA'), test('TestB'), conversation('a'))).toEqual([])
  })

  it('plays a test again that was changed since', () => {
    expect(open({ ...test('TestA'), hash: 'earlier' }, test('TestB'))).toEqual(['TestA', 'a'])
  })

  it('does not change the jobs', () => {
    open(test('TestA'))
    expect(jobs[0]?.entries).toHaveLength(2)
  })
})
