import { nameShard, type ShardChoice } from '../results/shard.ts'
import type { RunStart } from '../results/summary.ts'
import { pluralize } from '../text/counted.ts'

/** For a part of a run: which part, and how much of the whole. */
export function shardText({ shard, totalCases }: RunStart): string | undefined {
  return shard && describeShardSize(shard, totalCases, shard.totalCases)
}

export function describeShardSize(shard: ShardChoice, own: number, all: number): string {
  const name = nameShard(shard).replace(/^s/, 'S')
  return `${name}${own === 0 ? ' is empty' : ''}: ${own} of ${pluralize(all, 'case')}`
}
