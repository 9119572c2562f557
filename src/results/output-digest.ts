import { createHash } from 'node:crypto'
import { sortedJson } from '../json/json.ts'

/** Outputs that a reader would call the same have the same one: text with its white space evened out, data by value. */
export function outputDigest(output: unknown): string {
  const text = typeof output === 'string' ? output.trim().replace(/\s+/g, ' ') : sortedJson(output)
  return createHash('sha256').update(text).digest('base64')
}
