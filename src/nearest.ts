import { editDistance } from './edit-distance.ts'

/** The known word a misspelt one was probably meant to be, if any is near enough to be worth naming. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    const shared = candidate.startsWith(word) || word.startsWith(candidate) ? 2 : distance
    if (Math.min(distance, shared) < bestDistance) {
      best = candidate
      bestDistance = Math.min(distance, shared)
    }
  }
  return best
}
