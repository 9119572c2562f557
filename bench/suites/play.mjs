/**
 * Plays one suite of the library in its own process, and prints what it took as JSON.
 *
 *   node --expose-gc bench/suites/play.mjs cases 10000 | iterations | abort
 */
import { setTimeout as wait } from 'node:timers/promises'
import { createEvalSuite } from '../../dist/index.js'
import { median } from '../rounds.mjs'

const concurrency = 10
const echo = { execute: async (input) => `you said ${input}` }

const kinds = {
  /** The time per case, and the memory that is kept while results are streamed. */
  async cases(count) {
    await playCases(createCases(2000))
    const cases = createCases(count)
    const bare = await callInLoop(cases)
    const { ms, keptMb } = await playCases(cases)
    const [early, late] = keptMb
    const bytesPerResult = ((late - early) * 1e6) / (count * 0.9)
    return { usPerCase: (ms / count) * 1000, usBare: (bare / count) * 1000, early, late, bytesPerResult }
  },

  /** Ten iterations that wait at the same time, against ten timers. */
  async iterations() {
    const slow = { execute: async () => wait(100, 'done') }
    const cases = [{ input: 'x', expectedOutput: 'done' }]
    const bareMs = await time(() => Promise.all(Array.from({ length: 10 }, () => wait(100))))
    const times = []
    for (let round = 0; round < 5; round++)
      times.push(
        await time(() => createEvalSuite({ agent: slow }).run(cases, { concurrency, iterations: 10 })),
      )
    return { ms: median(times), bareMs }
  },

  /** From the abort of a run, while 100 of its 1,000 cases hang, to its end. */
  async abort() {
    const controller = new AbortController()
    const hanging = { execute: () => new Promise(() => {}) }
    const options = { concurrency: 100, signal: controller.signal }
    const stopped = createEvalSuite({ agent: hanging }).run(createCases(1000), options)
    await wait(200)
    const ms = await time(() => {
      controller.abort()
      return stopped
    })
    const { notRun } = (await stopped).summary
    if (notRun !== 1000) throw new Error(`${notRun} of 1,000 cases were reported as not run`)
    return { ms }
  },
}

function createCases(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    input: `hello ${index}`,
    expectedOutput: `you said hello ${index}`,
  }))
}

/** The same concurrency and the same comparison, without a suite. */
async function callInLoop(cases) {
  let next = 0
  let passed = 0
  const worker = async () => {
    while (next < cases.length) {
      const { input, expectedOutput } = cases[next++]
      if ((await echo.execute(input)) === expectedOutput) passed += 1
    }
  }
  const ms = await time(() => Promise.all(Array.from({ length: concurrency }, worker)))
  if (passed !== cases.length) throw new Error('the loop has wrong results')
  return ms
}

/** `keptMb` is measured after a tenth of the results and after all. */
async function playCases(cases) {
  const keptMb = []
  let seen = 0
  const onResult = () => {
    seen += 1
    if (seen === cases.length / 10 || seen === cases.length) keptMb.push(heapMb())
  }
  const started = performance.now()
  const options = { concurrency, keepResults: false, onResult }
  const { summary } = await createEvalSuite({ agent: echo }).run(cases, options)
  if (summary.passed !== cases.length) throw new Error('the suite has wrong results')
  return { ms: performance.now() - started, keptMb }
}

function heapMb() {
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1e6
}

async function time(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const [kind, count] = process.argv.slice(2)
console.log(JSON.stringify(await kinds[kind](Number(count))))
// The hanging agents would keep the process alive.
process.exit(0)
