/** Whether a case with only these parts of a list still fails. Parts are known by their numbers, from 0. */
export type FailsWith = (kept: readonly number[]) => Promise<boolean>

/** As few parts of a list as still fail. All of them together are known to fail. No single one can be left out. */
export async function reduceList(count: number, fails: FailsWith): Promise<number[]> {
  return dropSpare(await dropFromEnd(count, fails), fails)
}

/**
 * Finds the parts that are needed, the last one first. Where few are needed, each is found by bisection; where nearly all
 * are, each is asked for once. A part that is needed only because of others may be left over.
 */
async function dropFromEnd(count: number, fails: FailsWith): Promise<number[]> {
  const rest = Array.from({ length: count }, (_, index) => index)
  const needed: number[] = []
  let isDense = false
  while (rest.length > 0) {
    const before = rest.length
    /** The last part that is needed is among this many at the end of the rest; undefined if none may be needed. */
    let within: number | undefined
    let size = isDense ? 1 : rest.length
    while (rest.length > 0 && within !== 1) {
      if (await fails([...rest.slice(0, rest.length - size), ...needed])) {
        rest.length -= size
        if (within !== undefined) within -= size
      } else within = size
      size = within === undefined ? Math.min(size * 2, rest.length) : Math.ceil(within / 2)
    }
    const last = within === undefined ? undefined : rest.pop()
    if (last !== undefined) needed.unshift(last)
    isDense = before - rest.length === 1
  }
  return needed
}

/** Leaves out single parts until none can be left out. */
export async function dropSpare(parts: readonly number[], fails: FailsWith): Promise<number[]> {
  let kept = [...parts]
  // The last part that could not be left out is asked for again only if another one was left out since.
  for (let asked = 0; asked < kept.length; ) {
    const [first, ...others] = kept
    if (first === undefined) break
    if (await fails(others)) {
      kept = others
      asked = 0
    } else {
      kept = [...others, first]
      asked += 1
    }
  }
  return kept.toSorted((one, other) => one - other)
}
