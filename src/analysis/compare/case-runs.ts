import { defined } from '../../json/defined.ts'
import { textOrJson } from '../../json/json.ts'
import { describeReason } from '../../reporters/shown-result.ts'
import { outputDigest } from '../../results/output-digest.ts'
import { type CaseResult, notRecorded } from '../../results/result.ts'
import { caseText } from '../../results/stability.ts'
import type { Trials } from '../../results/statistics/pass-k.ts'
import { classifyTrial } from '../../results/trial.ts'
import { totalCost } from '../../results/usage.ts'
import { shorten } from '../../text/shorten.ts'

/** The runs of one case in one of the two files: everything that is compared. */
export interface CaseRuns {
  file: string
  id: string
  name?: string
  variant: string
  /** The hash of the case as it was written. */
  hash: string
  /** The session of the first run: results that are graded have that of the conversation they grade. */
  sessionId: string
  /** The runs that could be judged. */
  trials: Trials
  /** The runs that passed, but not at the first attempt. */
  flaky: number
  /** Median. */
  durationMs: number
  /** The mean per run; absent when unknown. */
  cost?: number
  /** The most frequent last output. */
  output?: unknown
  /** The reason of the first failure. */
  failure?: string
}

interface Gathered extends Omit<CaseRuns, 'durationMs' | 'cost' | 'output'> {
  durations: number[]
  costs: (number | undefined)[]
  outputs: Map<string, { output: unknown; count: number; run: number }>
}

/** Of longer outputs only the beginning is compared. */
const longestOutput = 20_000

/** Groups results by case, in the order of their first run. Runs after `upTo` are ignored. */
export async function gatherRuns(
  results: AsyncIterable<CaseResult>,
  upTo = Number.POSITIVE_INFINITY,
): Promise<CaseRuns[]> {
  const cases = new Map<string, Gathered>()
  for await (const result of results) {
    const { file, id, variant, run } = result.key
    if (run > upTo) continue
    const text = caseText(result.key)
    const known = cases.get(text)
    const own = known ?? {
      file,
      id,
      variant,
      ...defined({ name: result.name }),
      hash: result.caseHash,
      sessionId: result.sessionId,
      trials: { runs: 0, passed: 0 },
      flaky: 0,
      durations: [],
      costs: [],
      outputs: new Map(),
    }
    if (known === undefined) cases.set(text, own)
    addResult(own, result)
  }
  return [...cases.values()].map(summarizeRuns)
}

function addResult(own: Gathered, result: CaseResult): void {
  const trial = classifyTrial(result)
  if (trial === undefined) return
  const passed = trial === 'passed'
  own.trials = { runs: own.trials.runs + 1, passed: own.trials.passed + (passed ? 1 : 0) }
  if (result.flaky) own.flaky += 1
  if (!passed) own.failure ??= describeReason(result)
  own.durations.push(result.durationMs)
  own.costs.push(totalCost(result.usage))
  const output = result.view.turns.at(-1)?.reply?.output
  if (output === undefined || output === notRecorded) return
  const digest = outputDigest(output)
  const seen = own.outputs.get(digest)
  const { run } = result.key
  if (seen) {
    seen.count += 1
    seen.run = Math.min(seen.run, run)
  } else own.outputs.set(digest, { output: shortenOutput(output), count: 1, run })
}

function shortenOutput(output: unknown): unknown {
  const text = textOrJson(output)
  return text.length > longestOutput ? shorten(text, longestOutput) : output
}

function summarizeRuns({ durations, costs, outputs, ...rest }: Gathered): CaseRuns {
  const sorted = durations.toSorted((one, other) => one - other)
  const known = costs.flatMap((cost) => cost ?? [])
  // Runs may have finished in another order.
  const [most] = [...outputs.values()].sort((one, other) => other.count - one.count || one.run - other.run)
  return {
    ...rest,
    durationMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
    ...(known.length > 0 &&
      known.length === costs.length && { cost: known.reduce((sum, cost) => sum + cost, 0) / known.length }),
    ...defined({ output: most?.output }),
  }
}
