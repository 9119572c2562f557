import { expect, it } from 'vitest'
import { createTime } from './time.ts'

it('time.Sleep sleeps for the given milliseconds', () => {
  const slept: number[] = []
  const time = createTime((milliseconds) => slept.push(milliseconds))
  time.Sleep(0)
  time.Sleep(25.5)
  expect(slept).toEqual([0, 25.5])
})

it.each([['x'], [-1], [Number.NaN], [undefined], [null]])('time.Sleep refuses %j', (milliseconds) => {
  const time = createTime(() => {
    throw new Error('it slept')
  })
  expect(() => time.Sleep(milliseconds)).toThrow('time.Sleep needs a number of milliseconds')
})

it('time.After is not supported', () => {
  expect(() => createTime(() => {}).After(10, 'scripts.a.B')).toThrow('time.After is not supported')
})
