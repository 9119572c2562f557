import type { Key } from '../../results/key.ts'
import type { Layer } from '../tape.ts'
import type { SavedRecording } from './recording.ts'

/** What a recording has of one case with one agent. */
export interface RecordedCase {
  file: string
  id: string
  variant: string
  runs: number
  /** The plays of all runs. */
  attempts: number
  calls: Partial<Record<Layer, number>>
  bytes: number
  recorded_at: string
}

/** The cases of a recording, in the order in which they were recorded first. */
export function listRecordedCases(recording: SavedRecording): RecordedCase[] {
  const cases = new Map<string, { keys: Key[] }>()
  for (const key of recording.keys()) {
    const name = JSON.stringify([key.file, key.id, key.variant])
    const known = cases.get(name)
    if (known) known.keys.push(key)
    else cases.set(name, { keys: [key] })
  }
  return [...cases.values()].flatMap(({ keys }) => {
    const [first] = keys
    return first === undefined ? [] : [summarize(first, keys, recording)]
  })
}

function summarize(
  { file, id, variant }: Key,
  keys: readonly Key[],
  recording: SavedRecording,
): RecordedCase {
  const calls: Partial<Record<Layer, number>> = {}
  let [bytes, recordedAt] = [0, '']
  for (const key of keys) {
    for (const { layer } of recording.play(key)?.calls ?? []) calls[layer] = (calls[layer] ?? 0) + 1
    const measured = recording.measure(key)
    bytes += measured.bytes
    if (measured.recordedAt > recordedAt) recordedAt = measured.recordedAt
  }
  const runs = new Set(keys.map(({ run }) => run)).size
  return { file, id, variant, runs, attempts: keys.length, calls, bytes, recorded_at: recordedAt }
}

export function addCalls(cases: readonly Pick<RecordedCase, 'calls'>[]): Partial<Record<Layer, number>> {
  const sum: Partial<Record<Layer, number>> = {}
  for (const { calls } of cases)
    for (const [layer, count] of Object.entries(calls) as [Layer, number][])
      sum[layer] = (sum[layer] ?? 0) + count
  return sum
}
