/**
 * The overhead of a suite of the library over calling the agent in a loop: time per case, and the memory it keeps while
 * results are streamed. Then iterations that wait at the same time.
 *
 *   node --expose-gc bench/suites.mjs [--cases 10000,30000,100000]
 */
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createEvalSuite } from '../dist/index.js'

const { values } = parseArgs({ options: { cases: { type: 'string', default: '10000,30000,100000' } } })
if (globalThis.gc === undefined) throw new Error('run this with node --expose-gc')

const agent = { execute: async (input) => `you said ${input}` }
const concurrency = 10
const keptMb = () => {
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1e6
}

function createCases(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    input: `hello ${index}`,
    expectedOutput: `you said hello ${index}`,
  }))
}

/** The same concurrency and the same comparison. */
async function floor(cases) {
  let next = 0
  let passed = 0
  const worker = async () => {
    while (next < cases.length) {
      const { input, expectedOutput } = cases[next++]
      if ((await agent.execute(input)) === expectedOutput) passed += 1
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  if (passed !== cases.length) throw new Error('the baseline has wrong results')
  return performance.now() - started
}

async function suite(cases) {
  const looks = []
  let seen = 0
  const onResult = () => {
    seen += 1
    if (seen === cases.length / 10 || seen === cases.length) looks.push(keptMb())
  }
  const started = performance.now()
  const { summary } = await createEvalSuite({ agent }).run(cases, {
    concurrency,
    keepResults: false,
    onResult,
  })
  if (summary.passed !== cases.length) throw new Error('the suite has wrong results')
  return { ms: performance.now() - started, looks }
}

await suite(createCases(2000))
for (const count of values.cases.split(',').map(Number)) {
  const cases = createCases(count)
  const bare = await floor(cases)
  const { ms, looks } = await suite(cases)
  const [early, late] = looks
  console.log(
    `${count} cases: ${((ms / count) * 1000).toFixed(0)} µs per case (bare loop ${((bare / count) * 1000).toFixed(1)}), ` +
      `held after 10 %: ${early.toFixed(0)} MB, after all: ${late.toFixed(0)} MB, ` +
      `${(((late - early) * 1e6) / (count * 0.9)).toFixed(0)} bytes per result`,
  )
}

const started = performance.now()
await Promise.all(Array.from({ length: 10 }, () => wait(100)))
const bare = performance.now() - started
const slow = { execute: async () => wait(100, 'done') }
const runs = []
for (let round = 0; round < 5; round++) {
  const begun = performance.now()
  await createEvalSuite({ agent: slow }).run([{ input: 'x', expectedOutput: 'done' }], {
    concurrency: 10,
    iterations: 10,
  })
  runs.push(performance.now() - begun)
}
const median = runs.sort((one, other) => one - other)[2]
console.log(
  `1 case × 10 iterations × 100 ms at concurrency 10: ${median.toFixed(0)} ms (median of 5), ` +
    `ten bare waits ${bare.toFixed(0)} ms: ${(median / bare).toFixed(2)}`,
)

const controller = new AbortController()
const hanging = { execute: () => new Promise(() => {}) }
const stopped = createEvalSuite({ agent: hanging }).run(createCases(1000), {
  concurrency: 100,
  signal: controller.signal,
})
await wait(200)
const aborted = performance.now()
controller.abort()
const { summary } = await stopped
console.log(
  `an abort during 100 of 1,000 hanging cases: ended after ${(performance.now() - aborted).toFixed(0)} ms, ${summary.notRun} not run`,
)
