import { describe, expect, it } from 'vitest'
import type { Check } from '../checks/check.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import {
  type Checkpoint,
  evaluateCheckpoints,
  listMissingCheckpoints,
  startCheckpoints,
} from './checkpoints.ts'

/** A check that passes at these turns. */
function at(...turns: number[]): Check {
  return {
    type: 'fixed',
    async run(_, turn) {
      const status = turns.includes(turn) ? 'passed' : 'failed'
      return { type: 'fixed', status, gates: true, reason: `${status} at ${turn}` }
    },
  }
}

function checkpoint(id: string, check: Check, ...after: string[]): Checkpoint {
  return { id, check, after, required: true, forbidden: false }
}

function turn(number: number): Turn {
  const input = { value: 'x', message: { role: 'user' as const, content: 'x' } }
  const awaiting = { awaiting: false, reason: 'completed' as const }
  return { number, source: 'static', input, checks: [], awaiting, durationMs: 1 }
}

/** The states after each of the turns. */
async function play(checkpoints: Checkpoint[], turns: number) {
  const states = startCheckpoints(checkpoints)
  const view: View & { turns: Turn[] } = { history: [], turns: [] }
  for (let number = 1; number <= turns; number++) {
    view.turns.push(turn(number))
    await evaluateCheckpoints(checkpoints, states, view, createPlainScope())
  }
  return states.map(({ id, turn: reached, reason }) => [id, reached, reason])
}

describe('checkpoints', () => {
  it('are reached at the first turn at which their check passes, and stay reached', async () => {
    expect(await play([checkpoint('a', at(2))], 4)).toEqual([['a', 2, 'passed at 2']])
  })

  it('with a judge name its criterion', async () => {
    const judge: Check = {
      type: 'judge',
      run: async () => ({
        type: 'judge',
        status: 'failed',
        gates: true,
        reason: 'rude',
        fields: { criteria: 'is polite' },
      }),
    }
    expect(await play([checkpoint('a', judge)], 1)).toEqual([['a', undefined, 'judge "is polite": rude']])
  })

  it('wait for the checkpoints in after, and say so', async () => {
    const graph = [checkpoint('a', at(2)), checkpoint('b', at(1, 3), 'a')]
    expect(await play(graph, 1)).toEqual([
      ['a', undefined, 'failed at 1'],
      ['b', undefined, 'comes after a'],
    ])
    expect(await play(graph, 3)).toEqual([
      ['a', 2, 'passed at 2'],
      ['b', 3, 'passed at 3'],
    ])
  })

  it('may be reached in the same turn, in any written order', async () => {
    const graph = [checkpoint('c', at(1), 'b'), checkpoint('b', at(1), 'a'), checkpoint('a', at(1))]
    expect((await play(graph, 1)).map(([id, reached]) => [id, reached])).toEqual([
      ['c', 1],
      ['b', 1],
      ['a', 1],
    ])
  })

  it('keep the reason of the last evaluation', async () => {
    expect(await play([checkpoint('a', at(9))], 3)).toEqual([['a', undefined, 'failed at 3']])
  })

  it('may come after several others', async () => {
    const graph = [checkpoint('a', at(1)), checkpoint('b', at(3)), checkpoint('c', at(1, 2, 3), 'a', 'b')]
    expect((await play(graph, 2))[2]).toEqual(['c', undefined, 'comes after b'])
    expect((await play(graph, 3))[2]).toEqual(['c', 3, 'passed at 3'])
  })

  it('are missing if they are required and not reached', async () => {
    const states = startCheckpoints([
      checkpoint('a', at(1)),
      { ...checkpoint('optional', at(1)), required: false },
      { ...checkpoint('never', at(1)), required: false, forbidden: true },
    ])
    expect(listMissingCheckpoints(states).map(({ id }) => id)).toEqual(['a'])
  })
})
