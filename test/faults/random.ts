/** Random numbers from 0 to 1: the same seed gives the same run. */
export type Random = () => number

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A number that depends only on these words. */
export function drawFor(...words: (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const character of words.join('\n')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return createRandom(hash)()
}
