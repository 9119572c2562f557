import { describe, expect, it } from 'vitest'
import type { CaseEntry } from '../../cases/entry.ts'
import { createRedactor } from '../../privacy/secrets.ts'
import { ResultPlan } from '../../results/planned-results.ts'
import { lastFailed } from './last-failed.ts'
import { failure, historyLine } from './line.fixture.ts'
import { gatherHistory } from './read.ts'

const redact = <T>(value: T) => value

function entry(id: string): CaseEntry {
  return { id, file: 'a.jsonl', line: 1, hash: 'h', tags: [], at: { inline: null } }
}

const history = gatherHistory([
  historyLine({ id: 'fine' }),
  historyLine({ id: 'broken', ...failure }),
  historyLine({ id: 'broken', variant: 'b' }),
  historyLine({ id: 'mended', ...failure }),
  historyLine({ id: 'mended', run_id: 'run-2' }),
  historyLine({ id: 'fine', variant: 'b', ...failure }),
])
const entries = ['fine', 'broken', 'mended', 'new'].map(entry)

function chosen(variants: string[] | undefined, finished = new ResultPlan()): string[] {
  return Array.from(lastFailed(entries, { history, variants, redact, finished }), ({ id }) => id)
}

describe('--last-failed', () => {
  it('selects cases whose last run with one of the variants did not pass', () => {
    expect(chosen(['a'])).toEqual(['broken'])
    expect(chosen(['b'])).toEqual(['fine'])
    expect(chosen(['a', 'b'])).toEqual(['fine', 'broken'])
  })

  it('looks at all variants in the history when none is given', () => {
    expect(chosen(undefined)).toEqual(['fine', 'broken'])
  })

  it('also selects cases that a resumed run has already finished', () => {
    const key = { file: 'a.jsonl', id: 'mended', variant: 'a', run: 2, attempt: 1 }
    const finished = new ResultPlan()
    finished.set(key, 'h')
    expect(chosen(['a'], finished)).toEqual(['broken', 'mended'])
  })

  it('finds cases by the names that are written down, which hold no secrets', () => {
    const hidden = gatherHistory([historyLine({ id: 'is [redacted] kept', ...failure })])
    const options = {
      history: hidden,
      variants: ['a'],
      redact: createRedactor(['topsecret']),
      finished: new ResultPlan(),
    }
    expect(lastFailed([entry('is topsecret kept')], options)).toHaveLength(1)
  })

  it('says why no case is selected', () => {
    const options = { variants: ['a'], redact, finished: new ResultPlan() }
    expect(() => lastFailed([entry('fine'), entry('mended')], { ...options, history })).toThrow(
      'nothing failed last time (leave out --last-failed to run all 2 cases)',
    )
    expect(() => lastFailed([entry('new')], { ...options, history })).toThrow(
      'the history has no run of these cases yet',
    )
    expect(() => lastFailed(entries, { ...options, history: undefined })).toThrow(
      'there is no history of runs yet (run them once without --last-failed)',
    )
  })
})
