import { createHash } from 'node:crypto'
import { sortedJson } from '../json.ts'
import { percentOf } from '../statistics/percent.ts'
import { agreementOf, type Spread, spreadOf } from '../statistics/spread.ts'
import type { Key } from './key.ts'
import { type CaseResult, isExpected } from './result.ts'
import { type Stability, stabilityOf } from './stability-class.ts'

/** What the runs of one case against one variant came to. */
export interface CaseStability extends Pick<Key, 'file' | 'id' | 'variant'> {
  name?: string
  /** Results there are, whatever became of them. */
  runs: number
  passed: number
  /** By the agent's fault, also where its author knows of it. */
  failed: number
  /** Failures that are not the agent's, skips, and what did not finish: they are in no rate. */
  unjudged: number
  /** Percent of what could be judged; absent when nothing could. */
  passRate?: number
  /** The share of the output that came most often, as text with its white space evened out, or as data. */
  consistency?: number
  /** Absent when nothing could be judged. */
  stability?: Stability
  durations: Spread
}

interface Seen {
  first: CaseResult['key'] & { name?: string }
  passed: number
  failed: number
  unjudged: number
  durations: number[]
  outputs: string[]
}

/** Gathers the runs of each case as results pass by, in the order in which cases first come. */
export class StabilityTally {
  readonly #seen = new Map<string, Seen>()

  add(result: CaseResult): void {
    const text = caseText(result.key)
    let seen = this.#seen.get(text)
    if (seen === undefined) {
      const first = { ...result.key, ...(result.name !== undefined && { name: result.name }) }
      seen = { first, passed: 0, failed: 0, unjudged: 0, durations: [], outputs: [] }
      this.#seen.set(text, seen)
    }
    seen.durations.push(result.durationMs)
    if (result.status === 'passed') seen.passed += 1
    else if (result.status === 'failed' && (result.fault === 'agent' || isExpected(result))) seen.failed += 1
    else {
      seen.unjudged += 1
      return
    }
    const last = result.view.turns.at(-1)?.reply
    if (last !== undefined) seen.outputs.push(normalised(last.output))
  }

  cases(): CaseStability[] {
    return [...this.#seen.values()].map(stability)
  }

  /** How many results there are of a case. */
  runsOf(key: Key): number {
    return this.#seen.get(caseText(key))?.durations.length ?? 0
  }

  of(key: Key): CaseStability | undefined {
    const seen = this.#seen.get(caseText(key))
    return seen && stability(seen)
  }
}

export async function stabilityOver(results: AsyncIterable<CaseResult>): Promise<StabilityTally> {
  const tally = new StabilityTally()
  for await (const result of results) tally.add(result)
  return tally
}

function stability({ first, passed, failed, unjudged, durations, outputs }: Seen): CaseStability {
  const judged = passed + failed
  const passRate = judged === 0 ? undefined : percentOf(passed, judged)
  return {
    file: first.file,
    id: first.id,
    variant: first.variant,
    ...(first.name !== undefined && { name: first.name }),
    runs: durations.length,
    passed,
    failed,
    unjudged,
    ...(passRate !== undefined && { passRate, stability: stabilityOf(passRate) }),
    ...(outputs.length > 0 && { consistency: Math.round(agreementOf(outputs) * 100) / 100 }),
    durations: spreadOf(durations),
  }
}

/** One case against one variant, whichever run. */
export function caseText({ file, id, variant }: Pick<Key, 'file' | 'id' | 'variant'>): string {
  return JSON.stringify([file, id, variant])
}

/** Outputs that a reader would call the same are the same text; a digest of it takes no room. */
function normalised(output: unknown): string {
  const text = typeof output === 'string' ? output.trim().replace(/\s+/g, ' ') : sortedJson(output)
  return createHash('sha256').update(text).digest('base64')
}
