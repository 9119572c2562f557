import type { Data } from '../../../results/transcript/message.ts'
import { setOwn } from '../../protocol/state.ts'
import type { Entries } from './memory.ts'

/** Asked of any object that is awaited or serialized, so that it says nothing about what the script wants to know. */
const askedByItself = new Set<string | symbol>(['then', 'toJSON'])

/**
 * The variables of a script. Of a recorded conversation, notes those that are read and that nobody has set since: their
 * values are not in its results.
 */
export function watchVariables(variables: Data, unrecorded: Data | undefined): Data {
  if (unrecorded === undefined) return variables
  const note = (key: string | symbol) => {
    if (typeof key === 'string' && !(key in variables) && !askedByItself.has(key))
      setOwn(unrecorded, `ctx.variables.${key}`, true)
  }
  return new Proxy(variables, {
    get(target, key) {
      note(key)
      return Reflect.get(target, key)
    },
    // Without this, it would look at the old value first.
    set: (target, key, value) => Reflect.set(target, key, value),
    has(target, key) {
      note(key)
      return Reflect.has(target, key)
    },
    getOwnPropertyDescriptor(target, key) {
      note(key)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
    ownKeys(target) {
      setOwn(unrecorded, 'ctx.variables', true)
      return Reflect.ownKeys(target)
    },
  })
}

/** The same for a namespace of `ctx.memory`, or a `Store`, which may be kept for longer than a case lasts. */
export function watchEntries(entries: Entries, unrecorded: () => Data | undefined, label: string): Entries {
  const note = (name: string) => {
    const found = unrecorded()
    if (found !== undefined) setOwn(found, name, true)
  }
  return {
    ...entries,
    keys() {
      note(label)
      return entries.keys()
    },
    read(key) {
      const entry = entries.read(key)
      if (entry === undefined) note(`${label}: ${String(key)}`)
      return entry
    },
  }
}
