import { describe, expect, it } from 'vitest'
import type { AuthoredCase } from '../../cases/case-schema.ts'
import { caseResult } from '../../results/result.fixture.ts'
import type { CheckpointResult } from '../../results/result.ts'
import type { CheckResult, CheckStatus } from '../../results/transcript/check-result.ts'
import { replyOf, turnOf } from './place.fixture.ts'
import { findRecordedVerdict } from './recorded-verdict.ts'

const says = { type: 'contains', value: 'a' } as const
const polite = { type: 'judge', criteria: 'It is polite' } as const
const short = { type: 'judge', criteria: 'It is short' } as const

const check = (status: CheckStatus, criteria = 'It is polite'): CheckResult => ({
  type: 'judge',
  status,
  gates: true,
  reason: '',
  fields: { criteria },
})

interface Recorded {
  turns?: CheckResult[][]
  finals?: CheckResult[]
  checkpoints?: CheckpointResult[]
}

/** What the models decided, of a case with these checks. */
function verdict(written: Partial<AuthoredCase>, { turns = [[]], finals = [], checkpoints = [] }: Recorded) {
  const played = turns.map((checks, place) => ({ ...turnOf(replyOf('a'), 'Hi', place + 1), checks }))
  const recorded = caseResult({ view: { history: [], turns: played }, finals, checkpoints })
  return findRecordedVerdict({ id: 'a', ...written }, recorded, (value) => value)
}

describe('what the models decided in the recorded run', () => {
  it.each<[CheckStatus, string]>([
    ['passed', 'passed'],
    ['failed', 'failed'],
    ['unknown', 'failed'],
    ['error', 'failed'],
  ])('is for a check that was %s: %s', (status, expected) => {
    expect(verdict({ assert: [says, polite] }, { turns: [[check(status)]] })).toBe(expected)
  })

  it('is only about checks that decide, and that ask models', () => {
    expect(verdict({ assert: [says, { ...polite, gates: false }] }, {})).toBe('passed')
  })

  it('is unknown for a check that was not asked, or was another one', () => {
    expect(verdict({ assert: [says, polite] }, {})).toBe('changed')
    expect(verdict({ assert: [says, short] }, { turns: [[check('passed')]] })).toBe('changed')
    expect(verdict({ assert: { ...polite, threshold: 0.9 } }, { turns: [[check('passed')]] })).toBe('changed')
  })

  it('is looked up where the check is: at its turn, or at the end', () => {
    const turns = [
      { input: 'Hi', assert: polite },
      { input: 'Hi', assert: polite },
    ]
    expect(verdict({ turns }, { turns: [[check('passed')], [check('failed')]] })).toBe('failed')
    expect(verdict({ turns }, { turns: [[check('passed')], []] })).toBe('changed')
    expect(verdict({ turns }, { turns: [[check('passed')]] })).toBe('passed')
    expect(verdict({ final_assertions: [polite] }, { finals: [check('failed')] })).toBe('failed')
  })

  it('knows checkpoints by their ids, and takes none for avoided that could not be judged', () => {
    const checkpoint = { id: 'c', required: false, forbidden: true, reason: '', status: 'failed' } as const
    const checkpoints = [{ id: 'c', assert: polite, forbidden: true }]
    expect(verdict({ checkpoints }, { checkpoints: [checkpoint] })).toBe('passed')
    expect(verdict({ checkpoints }, { checkpoints: [{ ...checkpoint, status: 'error' }] })).toBe('failed')
    expect(verdict({ checkpoints }, {})).toBe('changed')
  })
})
