/** Whether an expected item fits an actual one, by their indexes. */
export type Fits = (expected: number, actual: number) => boolean

/** For each expected item the index of its actual one. No actual item is in two pairs. */
export type Pairing = (number | undefined)[]

/**
 * Finds the largest number of pairs, in any order: a maximum matching (Kuhn's augmenting paths). A greedy choice could
 * take an item that another one needs.
 */
export function bestPairing(expectedCount: number, actualCount: number, fits: Fits): Pairing {
  const partnerOf: (number | undefined)[] = Array.from({ length: actualCount })
  const places = Array.from({ length: expectedCount }, (_, expected) =>
    candidates(expected, actualCount, fits),
  )

  const place = (expected: number, tried: Set<number>): boolean => {
    for (const actual of places[expected] ?? []) {
      if (tried.has(actual)) continue
      tried.add(actual)
      const holder = partnerOf[actual]
      // The current holder may move to another item.
      if (holder !== undefined && !place(holder, tried)) continue
      partnerOf[actual] = expected
      return true
    }
    return false
  }
  for (let expected = 0; expected < expectedCount; expected++) place(expected, new Set())

  const pairing: Pairing = Array.from({ length: expectedCount })
  for (const [actual, expected] of partnerOf.entries()) if (expected !== undefined) pairing[expected] = actual
  return pairing
}

function candidates(expected: number, actualCount: number, fits: Fits): number[] {
  return Array.from({ length: actualCount }, (_, actual) => actual).filter((actual) => fits(expected, actual))
}

/** Finds the largest number of pairs that keep the order of both sides: a longest common subsequence. */
export function bestPairingInOrder(expectedCount: number, actualCount: number, fits: Fits): Pairing {
  // most[e][a] is the number of pairs among expected items from e on and actual items from a on.
  const most = Array.from({ length: expectedCount + 1 }, () => new Uint32Array(actualCount + 1))
  const at = (expected: number, actual: number) => most[expected]?.[actual] ?? 0
  for (let expected = expectedCount - 1; expected >= 0; expected--) {
    const row = most[expected]
    if (row === undefined) continue
    for (let actual = actualCount - 1; actual >= 0; actual--) {
      row[actual] = fits(expected, actual)
        ? at(expected + 1, actual + 1) + 1
        : Math.max(at(expected + 1, actual), at(expected, actual + 1))
    }
  }
  const pairing: Pairing = Array.from({ length: expectedCount })
  let [expected, actual] = [0, 0]
  while (expected < expectedCount && actual < actualCount) {
    if (fits(expected, actual)) pairing[expected++] = actual++
    else if (at(expected + 1, actual) >= at(expected, actual + 1)) expected++
    else actual++
  }
  return pairing
}
