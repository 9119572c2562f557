import { describe, expect, it } from 'vitest'
import { CasePlay } from '../scope/play.ts'
import { ResetLane } from './reset-lane.ts'

describe('ResetLane', () => {
  it('lets plays run one after the other, whichever ends first, and one that gave up delays nobody', async () => {
    const lane = new ResetLane()
    const plays = [new CasePlay(), new CasePlay(), new CasePlay()]
    const order: number[] = []
    const turns = plays.map((play, index) => lane.enter(play).then(() => order.push(index)))
    await turns[0]
    expect(lane.enter(plays[0] as CasePlay)).toBeInstanceOf(Promise)
    plays[1]?.end()
    await new Promise(setImmediate)
    expect(order).toEqual([0])
    plays[0]?.end()
    await Promise.all(turns)
    expect(order).toEqual([0, 1, 2])
  })
})
