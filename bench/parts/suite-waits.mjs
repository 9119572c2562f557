/** Suites whose agents wait: iterations at the same time, and a run that is aborted. */
import { measureInTurn } from '../rounds.mjs'
import { playSuite } from './suites.mjs'

export const columns = [
  ['', ({ name }) => name],
  ['ms', ({ ms }) => ms.toFixed(0)],
  ['ten bare timers, ms', ({ bareMs }) => bareMs?.toFixed(0) ?? ''],
]

export function measure({ rounds }) {
  const contenders = [
    { name: '10 iterations of 100 ms at `concurrency: 10`', run: () => playSuite('iterations') },
    { name: 'end of a run that is aborted while 100 of 1,000 cases hang', run: () => playSuite('abort') },
  ]
  return measureInTurn(contenders, rounds)
}
