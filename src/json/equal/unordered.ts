import type { PathPart } from './difference.ts'
import { isObject, noParts, type Opened } from './parts.ts'
import { mapForEach, mapGet, mapHas, mapSize, setForEach, setHas, setSize } from './untouched.ts'

export type AreEqual = (actual: unknown, expected: unknown) => boolean

/** An entry whose key, or a member of a Set, is an object and must be searched for. */
interface Entry {
  key: object
  value?: unknown
}

export function openSets(actual: object, expected: object, areEqual: AreEqual): Opened {
  if (setSize(actual) !== setSize(expected)) return sizes(setSize(actual), setSize(expected))
  const wanted = listMembers(expected)
  const found = listMembers(actual)
  for (let index = 0; index < wanted.primitives.length; index++) {
    const member = wanted.primitives[index]
    if (!setHas(actual, member)) return { mismatch: { about: 'member', expected: member } }
  }
  return withoutPartner(found.objects, wanted.objects, areEqual) ?? noParts
}

/** Values under primitive keys are parts; an entry whose key is an object needs an equal entry. */
export function openMaps(actual: object, expected: object, areEqual: AreEqual): Opened {
  if (mapSize(actual) !== mapSize(expected)) return sizes(mapSize(actual), mapSize(expected))
  const wanted = listEntries(expected)
  const labels: PathPart[] = []
  const values: unknown[] = []
  for (let index = 0; index < wanted.primitives.length; index++) {
    const key = wanted.primitives[index]
    const label = { get: key }
    if (!mapHas(actual, key)) {
      return { mismatch: { about: 'missing', label, expected: mapGet(expected, key) } }
    }
    labels[index] = label
    values[index] = mapGet(actual, key)
  }
  const lonely = withoutPartner(listEntries(actual).objects, wanted.objects, areEqual)
  return lonely ?? { parts: { labels, actual: values, expected: wanted.values, length: labels.length } }
}

function sizes(actual: unknown, expected: unknown): Opened {
  return { mismatch: { about: 'size', actual, expected } }
}

/** Equality is transitive, so the first partner that fits is as good as any. */
function withoutPartner(
  actual: readonly Entry[],
  expected: readonly Entry[],
  areEqual: AreEqual,
): Opened | undefined {
  const taken: boolean[] = []
  for (let index = 0; index < expected.length; index++) {
    const partner = findPartner(actual, expected[index], taken, areEqual)
    if (partner === undefined) return { mismatch: { about: 'member', expected: expected[index]?.key } }
    taken[partner] = true
  }
  return undefined
}

function findPartner(
  actual: readonly Entry[],
  wanted: Entry | undefined,
  taken: readonly boolean[],
  areEqual: AreEqual,
): number | undefined {
  for (let index = 0; index < actual.length; index++) {
    if (taken[index] === true) continue
    const entry = actual[index]
    if (areEqual(entry?.key, wanted?.key) && areEqual(entry?.value, wanted?.value)) return index
  }
  return undefined
}

function listMembers(set: object): { primitives: unknown[]; objects: Entry[] } {
  const primitives: unknown[] = []
  const objects: Entry[] = []
  setForEach(set, (member) => {
    if (isObject(member)) objects[objects.length] = { key: member }
    else primitives[primitives.length] = member
  })
  return { primitives, objects }
}

function listEntries(map: object): { primitives: unknown[]; values: unknown[]; objects: Entry[] } {
  const primitives: unknown[] = []
  const values: unknown[] = []
  const objects: Entry[] = []
  mapForEach(map, (value, key) => {
    if (isObject(key)) objects[objects.length] = { key, value }
    else {
      values[primitives.length] = value
      primitives[primitives.length] = key
    }
  })
  return { primitives, values, objects }
}
