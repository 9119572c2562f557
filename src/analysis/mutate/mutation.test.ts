import { describe, expect, it } from 'vitest'
import type { CaseScore } from './case-score.ts'
import { type Mutation, scoresByOperator, scoreWithProposals, totalScore } from './mutation.ts'
import { listMutationNotes, scoreText } from './words.ts'

const check = { at: 'case', assertion: { type: 'contains', value: 'a' } } as const

function caseScore(changes: Partial<CaseScore> = {}): CaseScore {
  return {
    id: 'a',
    file: 'a.jsonl',
    line: 1,
    killed: 3,
    survived: 5,
    operators: { empty: { killed: 3, survived: 5 } },
    survivors: [],
    notJudged: [],
    beyond: 0,
    unasked: 0,
    proposals: [
      { check, kills: 2 },
      { check, kills: 1 },
    ],
    ...changes,
  }
}

const mutation = (cases: CaseScore[]): Mutation => ({ results: 'r.jsonl', cases, leftOut: {}, judges: false })

describe('a mutation score', () => {
  it('is the share of killed mutants of all cases, with its interval', () => {
    const both = mutation([caseScore(), caseScore({ killed: 2, survived: 0 })])
    expect(totalScore(both)).toMatchObject({ killed: 5, survived: 5, share: 0.5 })
    expect(scoreText(totalScore(both))).toBe('50% (5 of 10; 95% interval 23.7% to 76.3%)')
  })

  it('with proposals counts those that were accepted', () => {
    const one = mutation([caseScore()])
    const [first] = one.cases[0]?.proposals ?? []
    expect(scoreWithProposals(one)).toMatchObject({ killed: 6, survived: 2 })
    expect(scoreWithProposals(one, (proposal) => proposal === first)).toMatchObject({
      killed: 5,
      survived: 3,
    })
  })

  it('is unknown if nothing was judged', () => {
    expect(totalScore(mutation([caseScore({ killed: 0, survived: 0 })])).share).toBeUndefined()
  })

  it('is divided by kinds of damage, in the order of their list', () => {
    const other = caseScore({
      operators: { empty: { killed: 1, survived: 0 }, tool_dropped: { killed: 0, survived: 1 } },
    })
    expect(scoresByOperator(mutation([caseScore(), other]))).toEqual([
      ['tool_dropped', { killed: 0, survived: 1 }],
      ['empty', { killed: 4, survived: 5 }],
    ])
  })

  it('says what it does not count', () => {
    const open = { operator: 'empty', what: 'said nothing', reason: 'it would go on' }
    const notes = listMutationNotes({
      ...mutation([caseScore({ notJudged: [open], beyond: 2, unasked: 1 })]),
      leftOut: { models: 1, unchecked: 2 },
    })
    expect(notes).toEqual([
      'Left out: 1 case that only models check, 2 cases without checks',
      '1 mutant could not be judged, counted neither way: it would go on',
      '1 check of the cases with a score asks a model and was not asked: --judges asks them',
      '2 more damages possible: at most two of a kind are made for each reply, and --max-mutants for each case',
    ])
  })
})
