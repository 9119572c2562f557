import { createHash } from 'node:crypto'
import type { ShardChoice } from '../results/shard.ts'
import { findQuantile } from '../results/statistics/quantile.ts'
import type { CaseList } from './case-list.ts'
import { type CaseEntry, isScriptTest } from './entry.ts'

/** The number of the shard that a case is in, from 1. */
export type Division = (entry: CaseEntry) => number

/** One shard of a run, and all cases of which it is a part. */
export interface ShardOfCases extends ShardChoice {
  all: CaseList
  /** Hash of which case is in which shard. */
  division: string
}

/** The name decides alone, so that a case that is added moves no other. */
export function divideByHash(of: number): Division {
  return (entry) => 1 + (createHash('sha256').update(unitName(entry)).digest().readUIntBE(0, 6) % of)
}

/**
 * So that all shards take about as long: the longest cases first, each to the shard that has the least to do so far. A
 * case of which no time is known counts as a typical one.
 */
export function divideByTime(
  entries: CaseList,
  of: number,
  timeOf: (entry: CaseEntry) => number | undefined,
): Division {
  const units = addUpTimes(entries, timeOf)
  const sorted = [...units].sort(([one, time], [other, otherTime]) =>
    time === otherTime ? (one < other ? -1 : 1) : otherTime - time,
  )
  const loads = Array.from({ length: of }, () => 0)
  const shards = new Map<string, number>()
  for (const [unit, time] of sorted) {
    const least = loads.indexOf(Math.min(...loads))
    loads[least] = (loads[least] ?? 0) + time
    shards.set(unit, least + 1)
  }
  return (entry) => shards.get(unitName(entry)) ?? 1
}

function addUpTimes(
  entries: CaseList,
  timeOf: (entry: CaseEntry) => number | undefined,
): Map<string, number> {
  const known = Array.from(entries, timeOf)
  const sorted = known.filter((time) => time !== undefined).sort((one, other) => one - other)
  // Without any time, all count the same.
  const typical = findQuantile(sorted, 0.5) || 1
  const units = new Map<string, number>()
  let place = 0
  for (const entry of entries) {
    const unit = unitName(entry)
    units.set(unit, (units.get(unit) ?? 0) + (known[place] ?? typical))
    place += 1
  }
  return units
}

export function hashDivision(entries: CaseList, division: Division): string {
  const hash = createHash('sha256')
  for (const entry of entries) hash.update(`${division(entry)} ${unitName(entry)}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** What must stay together has the same name: the tests of a script file share their setup. */
function unitName(entry: CaseEntry): string {
  return JSON.stringify(isScriptTest(entry) ? [entry.file] : [entry.file, entry.id])
}
