import type { Data } from '../../transcript/message.ts'
import { setOwn } from '../state.ts'

/** One namespace of `ctx.memory`: keys and values, counters and lists, kept in `values`. */
export function createMemory(values: Data) {
  /** When what was set with a time to live is over. */
  const ends = new Map<string, number>()
  const drop = (key: string) => {
    ends.delete(key)
    delete values[key]
  }
  const has = (key: string) => {
    const end = ends.get(key)
    if (end !== undefined && Date.now() >= end) drop(key)
    return Object.hasOwn(values, key)
  }
  const get = (key: string) => (has(key) ? values[key] : null)
  const list = (key: string): unknown[] => {
    const value = get(key)
    if (value === null) return []
    if (Array.isArray(value)) return value
    throw new TypeError(`ctx.memory: ${key} holds no list`)
  }
  const add = (key: string, amount: number) => {
    const value = get(key) ?? 0
    if (typeof value !== 'number') throw new TypeError(`ctx.memory: ${key} holds no number`)
    setOwn(values, key, value + amount)
    return value + amount
  }
  const keys = () => Object.keys(values).filter(has)

  return {
    Get: get,
    Set(key: string, value: unknown, seconds?: number) {
      setOwn(values, key, value)
      if (typeof seconds === 'number' && seconds > 0) ends.set(key, Date.now() + seconds * 1000)
      else ends.delete(key)
    },
    Has: has,
    Del: drop,
    GetDel(key: string) {
      const value = get(key)
      drop(key)
      return value
    },
    Keys: keys,
    Len: () => keys().length,
    Clear() {
      for (const key of Object.keys(values)) drop(key)
    },
    Incr: (key: string, by = 1) => add(key, by),
    Decr: (key: string, by = 1) => add(key, -by),
    ...listMethods(values, list),
  }
}

function listMethods(values: Data, list: (key: string) => unknown[]) {
  return {
    Push(key: string, items: unknown) {
      setOwn(values, key, [...list(key), ...[items].flat()])
      return list(key).length
    },
    Pop(key: string) {
      const items = list(key)
      setOwn(values, key, items.slice(0, -1))
      return items.at(-1) ?? null
    },
    Pull(key: string, count: number) {
      const items = list(key)
      setOwn(values, key, items.slice(count))
      return items.slice(0, count)
    },
    PullAll(key: string) {
      const items = list(key)
      setOwn(values, key, [])
      return items
    },
    AddToSet(key: string, items: unknown) {
      const known = new Map([...list(key), ...[items].flat()].map((item) => [JSON.stringify(item), item]))
      setOwn(values, key, [...known.values()])
    },
    ArrayLen: (key: string) => list(key).length,
    ArrayGet: (key: string, index: number) => list(key).at(index) ?? null,
    ArraySet(key: string, index: number, item: unknown) {
      const items = [...list(key)]
      const place = index < 0 ? items.length + index : index
      if (!(place in items)) throw new RangeError(`ctx.memory: ${key} has no item ${index}`)
      items[place] = item
      setOwn(values, key, items)
    },
    /** Up to `end`, with it, as the engine counts. */
    ArraySlice: (key: string, begin: number, end = -1) =>
      list(key).slice(begin, end === -1 ? undefined : end + 1),
    ArrayPage: (key: string, page: number, size: number) => list(key).slice((page - 1) * size, page * size),
    ArrayAll: (key: string) => [...list(key)],
  }
}
