import { parse, stringify } from '../../../json/equal/untouched.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { toJson } from '../../protocol/json.ts'
import { setOwn } from '../../protocol/state.ts'
import { createMemory, type Entries, type Entry } from '../context/memory.ts'
import { watchEntries } from '../context/unrecorded.ts'
import { isFunction } from '../is-function.ts'
import { requestingCall } from '../running-call.ts'
import { defineMethods } from './with-methods.ts'

/** `new Store("cache")`: shared by all scripts of a case, by its name. */
export class Store {
  readonly name: string

  constructor(name: unknown) {
    if (typeof name !== 'string' || name === '')
      throw new TypeError('Store needs the name of a store: new Store("cache")')
    this.name = name
    defineMethods(this, storeMethods(name))
  }
}

/** A missing value is `undefined`, not `null` as in `ctx.memory`. */
export function storeMethods(name: string) {
  const label = `Store ${name}`
  const memory = createMemory(watchEntries(createStoreEntries(name), unrecordedReads, label), label)
  const get = (key: string): unknown => (memory.Has(key) ? memory.Get(key) : undefined)
  return {
    ...memory,
    Get: get,
    GetDel(key: string): unknown {
      const value = get(key)
      memory.Del(key)
      return value
    },
    GetSet(key: string, make: (key: string) => unknown, seconds?: number): unknown {
      if (memory.Has(key)) return memory.Get(key)
      if (!isFunction(make))
        throw new TypeError(`Store ${name}: GetSet needs a function that returns the value`)
      memory.Set(key, make(key), seconds)
      return memory.Get(key)
    },
  }
}

/** Each entry has its own key in the shared state, so that two scripts can set different entries at once. */
function createStoreEntries(store: string): Entries {
  const stateKey = (key: string) => stringify([store, String(key)])
  return {
    keys: () =>
      Object.keys(sharedStores(store))
        .map((each) => parse(each) as [string, string])
        .filter(([name]) => name === store)
        .map(([, key]) => key),
    read(key) {
      const shared = sharedStores(store)
      if (!Object.hasOwn(shared, stateKey(key))) return undefined
      // A copy: changes to it are not in the store until it is set again.
      return parse(stringify(shared[stateKey(key)])) as Entry
    },
    write(key, { value, end }) {
      const rules = { whole: `Store ${store}: ${key}`, rule: 'a store holds JSON data' }
      const entry = { value: parse(toJson(value, rules) ?? 'null'), ...(end !== undefined && { end }) }
      setOwn(sharedStores(store), stateKey(key), entry)
    },
    drop(key) {
      delete sharedStores(store)[stateKey(key)]
    },
  }
}

function unrecordedReads(): Data | undefined {
  return requestingCall().state?.data.unrecorded
}

/** Looked up at every use: a script may keep a store for longer than a case lasts. */
function sharedStores(store: string): Data {
  const shared = requestingCall().state?.data.stores
  if (shared === undefined) throw new Error(`Store ${store}: no case is running whose scripts could share it`)
  return shared
}
