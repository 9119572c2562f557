import { stringify } from '../../../json/equal/untouched.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { setOwn } from '../../protocol/state.ts'

/** Access to keys and values, wherever they are stored. */
export interface Entries {
  keys(): string[]
  read(key: string): Entry | undefined
  write(key: string, entry: Entry): void
  drop(key: string): void
}

export interface Entry {
  value: unknown
  /** When it expires, in milliseconds since the epoch, if it was set with a time to live. */
  end?: number | undefined
}

/** Entries in an object of data; another object holds their expiry times, by namespace and key. */
export function createEntries(values: Data, ends: Data = {}, namespace = ''): Entries {
  const place = (key: string) => stringify([namespace, key])
  return {
    keys: () => Object.keys(values),
    read(key) {
      if (!Object.hasOwn(values, key)) return undefined
      const end = ends[place(key)]
      return { value: values[key], ...(typeof end === 'number' && { end }) }
    },
    write(key, { value, end }) {
      setOwn(values, key, value)
      if (end === undefined) delete ends[place(key)]
      else ends[place(key)] = end
    },
    drop(key) {
      delete ends[place(key)]
      delete values[key]
    },
  }
}

/** One namespace of `ctx.memory`, or a `Store`: keys and values, counters and lists. */
export function createMemory(entries: Entries, label = 'ctx.memory') {
  const read = (key: string): Entry | undefined => {
    const entry = entries.read(key)
    if (entry?.end === undefined || Date.now() < entry.end) return entry
    entries.drop(key)
    return undefined
  }
  const get = (key: string) => read(key)?.value ?? null
  const set = (key: string, value: unknown) => entries.write(key, { ...read(key), value })
  const list = (key: string): unknown[] => {
    const value = get(key)
    if (value === null) return []
    if (Array.isArray(value)) return value
    throw new TypeError(`${label}: ${key} is not a list`)
  }
  const add = (key: string, amount: number) => {
    const value = get(key) ?? 0
    if (typeof value !== 'number') throw new TypeError(`${label}: ${key} is not a number`)
    set(key, value + amount)
    return value + amount
  }
  const keys = () => entries.keys().filter((key) => read(key) !== undefined)

  return {
    Get: get,
    Set(key: string, value: unknown, seconds?: number) {
      const ends = typeof seconds === 'number' && seconds > 0
      entries.write(key, { value, ...(ends && { end: Date.now() + seconds * 1000 }) })
    },
    Has: (key: string) => read(key) !== undefined,
    Del: (key: string) => entries.drop(key),
    GetDel(key: string) {
      const value = get(key)
      entries.drop(key)
      return value
    },
    Keys: keys,
    Len: () => keys().length,
    Clear() {
      for (const key of entries.keys()) entries.drop(key)
    },
    Incr: (key: string, by = 1) => add(key, by),
    Decr: (key: string, by = 1) => add(key, -by),
    ...listMethods(label, list, set),
  }
}

function listMethods(
  label: string,
  list: (key: string) => unknown[],
  set: (key: string, value: unknown) => void,
) {
  return {
    Push(key: string, items: unknown) {
      set(key, [...list(key), ...[items].flat()])
      return list(key).length
    },
    Pop(key: string) {
      const items = list(key)
      set(key, items.slice(0, -1))
      return items.at(-1) ?? null
    },
    Pull(key: string, count: number) {
      const items = list(key)
      set(key, items.slice(count))
      return items.slice(0, count)
    },
    PullAll(key: string) {
      const items = list(key)
      set(key, [])
      return items
    },
    AddToSet(key: string, items: unknown) {
      const known = new Map([...list(key), ...[items].flat()].map((item) => [JSON.stringify(item), item]))
      set(key, [...known.values()])
    },
    ArrayLen: (key: string) => list(key).length,
    ArrayGet: (key: string, index: number) => list(key).at(index) ?? null,
    ArraySet(key: string, index: number, item: unknown) {
      const items = [...list(key)]
      const place = index < 0 ? items.length + index : index
      if (!(place in items)) throw new RangeError(`${label}: ${key} has no item ${index}`)
      items[place] = item
      set(key, items)
    },
    /** `end` is included, as in the engine. */
    ArraySlice: (key: string, begin: number, end = -1) =>
      list(key).slice(begin, end === -1 ? undefined : end + 1),
    ArrayPage: (key: string, page: number, size: number) => list(key).slice((page - 1) * size, page * size),
    ArrayAll: (key: string) => [...list(key)],
  }
}
