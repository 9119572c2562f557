/** The thread in which `fuzz` reads. It may hang and is then terminated from outside. */
import { parentPort, workerData } from 'node:worker_threads'
import fc from 'fast-check'
import { openFuzzBodies } from './fuzz-bodies.ts'
import { fuzzCases } from './fuzz-cases.ts'
import type { FuzzTarget } from './fuzz-target.ts'

/** The messages of the thread. */
export type FuzzMessage =
  | { type: 'reading'; target: string; input: unknown }
  | { type: 'slice'; target: string; runs: number }
  | { type: 'broken'; target: string; input: unknown; error: string; seed: number }

const runsPerSlice = 200

const { seed, untilMs } = workerData as { seed: number; untilMs: number }
const say = (message: FuzzMessage) => parentPort?.postMessage(message)

async function runSlice<T>(target: string, { input, read }: FuzzTarget<T>, sliceSeed: number): Promise<void> {
  const property = fc.asyncProperty(input, async (value) => {
    say({ type: 'reading', target, input: value })
    await read(value)
  })
  const found = await fc.check(property, { seed: sliceSeed, numRuns: runsPerSlice })
  say({ type: 'slice', target, runs: found.numRuns })
  if (!found.failed) return
  const error =
    found.errorInstance instanceof Error ? (found.errorInstance.stack ?? '') : String(found.errorInstance)
  say({ type: 'broken', target, input: found.counterexample?.[0], error, seed: sliceSeed })
}

const bodies = await openFuzzBodies()
for (let slice = 0; Date.now() < untilMs; slice += 1) {
  await runSlice('case files', fuzzCases, seed + slice)
  await runSlice('bodies', bodies, seed + slice)
}
bodies.close()
