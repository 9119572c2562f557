import { editDistance } from './edit-distance.ts'

/** The known word that a misspelt one was probably meant to be, if any is near enough. */
export function findNearest(word: string, known: Iterable<string>): string | undefined {
  return nearestWords(word, known)[0]
}

/** Longer words are not typing errors, and comparing them would take time. */
const longestTypo = 200

/** The known words that are near enough, nearest first. Never the word itself, which would not help. */
export function nearestWords(word: string, known: Iterable<string>): string[] {
  if (word.length > longestTypo) return []
  const limit = Math.max(1, Math.floor(word.length / 3))
  return [...known]
    .filter((candidate) => candidate !== word)
    .map((candidate) => ({ candidate, distance: distanceTo(word, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((left, right) => left.distance - right.distance)
    .map(({ candidate }) => candidate)
}

function distanceTo(word: string, candidate: string): number {
  if (isAbbreviation(word, candidate) || isAbbreviation(candidate, word)) return 1
  const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
  return candidate.startsWith(word) || word.startsWith(candidate) ? Math.min(distance, 2) : distance
}

/** `args` of `arguments`: its letters in their order, the first and the last among them. */
function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 3 || short.length >= long.length) return false
  if (short[0] !== long[0] || short.at(-1) !== long.at(-1)) return false
  let found = 0
  for (const letter of long) if (letter === short[found]) found++
  return found === short.length
}
