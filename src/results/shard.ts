/** How cases can be divided into shards. */
export const shardBases = ['hash', 'time'] as const
export type ShardBasis = (typeof shardBases)[number]

/** Which part of the cases is played, from 1. */
export interface ShardChoice {
  index: number
  of: number
  by: ShardBasis
}

/** `shard 2/8`, in messages. */
export function nameShard({ index, of, by }: ShardChoice): string {
  return `shard ${index}/${of}${by === 'time' ? ' by time' : ''}`
}
