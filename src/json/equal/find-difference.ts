import type { Difference, Mismatch, PathPart } from './difference.ts'
import { isObject, isSame, type Opened, openBoth, type Parts, sharedBrand } from './parts.ts'
import { openMaps, openSets } from './unordered.ts'
import { mapGet, mapSet, OriginalMap, OriginalSet, setAdd, setDelete, setHas } from './untouched.ts'

/** Far above honest data, and a limit for objects whose getters return new ones for ever. */
const deepest = 200_000

/**
 * The first difference of two values, if there is one. Deep, and by what a reader sees: the order of keys does not
 * count, NaN is NaN, 0 is -0. Classes count, and an absent key is not one that is undefined, but not `asData`.
 */
export function findDifference(
  actual: unknown,
  expected: unknown,
  { asData = false }: { asData?: boolean } = {},
): Difference | undefined {
  return compare({ partners: new OriginalMap(), met: [], asData }, actual, expected)
}

export function areEqual(actual: unknown, expected: unknown): boolean {
  return findDifference(actual, expected) === undefined
}

/** Whether two values are equal as data, whatever their classes. An absent key and an `undefined` one are the same. */
export function sameData(left: unknown, right: unknown): boolean {
  return findDifference(left, right, { asData: true }) === undefined
}

/** Pairs that have been met: equal, or being compared, which comes to the same until a difference is found. */
interface Known {
  partners: Map<object, Set<object>>
  met: [object, object][]
  asData: boolean
}

/** Two objects whose parts are being compared. */
interface Frame {
  parts: Parts
  next: number
}

/** Uses a list of frames instead of recursion, so that deep data cannot overflow the stack. */
function compare(known: Known, actual: unknown, expected: unknown): Difference | undefined {
  const frames: Frame[] = []
  let mismatch = visit(known, frames, actual, expected)
  while (mismatch === undefined && frames.length > 0) {
    const frame = frames[frames.length - 1]
    if (frame === undefined) break
    if (frame.next === frame.parts.length) {
      frames.length -= 1
    } else {
      const index = frame.next
      frame.next += 1
      mismatch = visit(known, frames, frame.parts.actual[index], frame.parts.expected[index])
    }
  }
  return mismatch === undefined ? undefined : { ...mismatch, path: formatPath(frames) }
}

function visit(known: Known, frames: Frame[], actual: unknown, expected: unknown): Mismatch | undefined {
  if (isSame(actual, expected)) return undefined
  if (!isObject(actual) || !isObject(expected)) return { about: 'value', actual, expected }
  if (!meet(known, actual, expected)) return undefined
  const opened = open(known, actual, expected)
  if ('mismatch' in opened) return opened.mismatch
  if (frames.length === deepest) throw new RangeError(`nested more than ${deepest} levels deep`)
  if (opened.parts.length > 0) frames[frames.length] = { parts: opened.parts, next: 0 }
  return undefined
}

function open(known: Known, actual: object, expected: object): Opened {
  const brand = sharedBrand(actual, expected, known.asData)
  if (brand === undefined) return { mismatch: { about: 'value', actual, expected } }
  if (brand !== 'map' && brand !== 'set') return openBoth(brand, actual, expected, known.asData)
  const attempt = (left: unknown, right: unknown) => isPartner(known, left, right)
  return brand === 'map' ? openMaps(actual, expected, attempt) : openSets(actual, expected, attempt)
}

/** Pairs that were assumed equal on the way to a difference are forgotten again. */
function isPartner(known: Known, actual: unknown, expected: unknown): boolean {
  const before = known.met.length
  if (compare(known, actual, expected) === undefined) return true
  for (let index = before; index < known.met.length; index++) {
    const pair = known.met[index]
    if (pair !== undefined) setDelete(mapGet(known.partners, pair[0]), pair[1])
  }
  known.met.length = before
  return false
}

/** Whether the two are compared for the first time. */
function meet(known: Known, actual: object, expected: object): boolean {
  const partners = mapGet(known.partners, actual)
  if (partners === undefined) {
    const first = new OriginalSet<object>()
    setAdd(first, expected)
    mapSet(known.partners, actual, first)
  } else if (setHas(partners, expected)) {
    return false
  } else {
    setAdd(partners, expected)
  }
  known.met[known.met.length] = [actual, expected]
  return true
}

function formatPath(frames: readonly Frame[]): PathPart[] {
  const path: PathPart[] = []
  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index]
    if (frame !== undefined) path[index] = frame.parts.labels?.[frame.next - 1] ?? frame.next - 1
  }
  return path
}
