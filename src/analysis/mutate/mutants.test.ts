import { describe, expect, it } from 'vitest'
import { detectAwaiting } from '../../conversation/awaiting/awaiting.ts'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import { makeMutants } from './mutants.ts'
import { callOf, replyOf, turnOf } from './place.fixture.ts'

const suite = { tools: ['pay'], answers: [] }
const limits = { mostOfCase: 100, detectAwaiting }

function resultOf(run: number, ...said: string[]): CaseResult {
  const turns = said.map((text, place) => turnOf(replyOf(text, callOf('pay')), 'Hi', place + 1))
  return caseResult({ key: { ...caseResult().key, run }, view: { history: [], turns } })
}

describe('mutants', () => {
  it('are the same every time, and change one reply each', () => {
    const passes = [resultOf(1, 'It costs 50 euros.', 'Shall I go on?')]
    const { mutants } = makeMutants(passes, suite, limits)
    expect(makeMutants(passes, suite, limits).mutants).toEqual(mutants)
    expect(mutants.length).toBeGreaterThan(8)
    for (const { place, result } of mutants)
      expect(result.view.turns.map(({ reply }, at) => reply === passes[0]?.view.turns[at]?.reply)).toEqual(
        [0, 1].map((at) => at !== place),
      )
  })

  it('are made once of an answer that several runs gave', () => {
    const once = makeMutants([resultOf(1, 'It costs 50 euros.')], suite, limits)
    const thrice = [1, 2, 3].map((run) => resultOf(run, 'It costs 50 euros.'))
    expect(makeMutants(thrice, suite, limits).mutants).toHaveLength(once.mutants.length)
  })

  it('are never what another run answered, and passed with', () => {
    const { mutants } = makeMutants([resultOf(1, 'It costs 50.'), resultOf(2, 'It costs 60.')], suite, limits)
    expect(mutants.filter(({ operator }) => operator === 'number_changed').map(({ what }) => what)).toEqual([
      '60 became 70',
    ])
  })

  it('say whether the damaged reply waits for an answer', () => {
    const { mutants } = makeMutants([resultOf(1, 'It costs 50 euros.')], suite, limits)
    const refused = mutants.find(({ operator }) => operator === 'refusal')
    expect(refused?.result.view.turns[0]?.awaiting).toMatchObject({
      awaiting: true,
      reason: 'request_refused',
    })
  })

  it('copy a long reply no more often than a short one', () => {
    const countCopies = (rows: number) => {
      const said = Array.from({ length: rows }, (_, row) => `Row ${row} costs ${row}50 euros on 2025-05-20.`)
      const reply = replyOf(said.join('\n'), callOf('pay'))
      let copies = 0
      const { messages } = reply
      Object.defineProperty(reply, 'messages', {
        enumerable: true,
        get() {
          copies += 1
          return messages
        },
      })
      const result = caseResult({ view: { history: [], turns: [turnOf(reply)] } })
      const { leftOut } = makeMutants([result], suite, limits)
      return { copies, leftOut }
    }
    const [short, long] = [countCopies(50), countCopies(500)]
    expect(long.copies).toBe(short.copies)
    expect(long.leftOut).toBeGreaterThan(short.leftOut)
  })

  it('are as many as wanted, of all turns, and the rest is counted', () => {
    const said = Array.from({ length: 10 }, (_, turn) => `It costs ${turn}50 euros.`)
    const all = makeMutants([resultOf(1, ...said)], suite, limits)
    const few = makeMutants([resultOf(1, ...said)], suite, { ...limits, mostOfCase: 20 })
    expect(few.mutants).toHaveLength(20)
    expect(few.leftOut).toBe(all.leftOut + all.mutants.length - 20)
    expect(new Set(few.mutants.map(({ place }) => place)).size).toBeGreaterThan(5)
  })
})
