import { createHash } from 'node:crypto'
import { sortedJson } from '../json/json.ts'

/** Equal for outputs that a reader would call the same: text is compared with normalised whitespace, data by value. */
export function outputDigest(output: unknown): string {
  const text = typeof output === 'string' ? output.trim().replace(/\s+/g, ' ') : sortedJson(output)
  // Enough to tell outputs apart, and short: one is kept for every result.
  return createHash('sha256').update(text).digest('base64').slice(0, 12)
}
