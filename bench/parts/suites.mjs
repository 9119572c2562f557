/** The overhead of a suite of the library over calling the agent in a loop, and the memory that it keeps. */
import { join } from 'node:path'
import { measureProcess, repository } from '../measure.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'

export const columns = [
  ['cases', columnOf.name[1]],
  ['µs per case', ({ usPerCase }) => usPerCase.toFixed(0)],
  ['µs in a bare loop', ({ usBare }) => usBare.toFixed(1)],
  ['MB after 10%', ({ early }) => early.toFixed(0)],
  ['MB after all', ({ late }) => late.toFixed(0)],
  ['bytes per result', ({ bytesPerResult }) => String(Math.round(bytesPerResult))],
]

export async function measure({ size, rounds }) {
  const sizes = [10_000, 30_000, 100_000].map((cases) => size(cases, cases / 10))
  const contenders = sizes.map((cases) => ({
    name: count(cases),
    run: () => playSuite('cases', String(cases)),
  }))
  return measureInTurn(contenders, rounds)
}

export async function playSuite(...parameters) {
  const script = join(repository, 'bench/suites/play.mjs')
  const { seconds, printed } = await measureProcess([process.execPath, '--expose-gc', script, ...parameters])
  return { seconds, ...JSON.parse(printed) }
}
