/**
 * Guards the built-ins that viva's own code in the worker uses. A script that replaces one of them and does not restore it
 * would change whatever runs there next.
 */

const { defineProperty, get: getProperty, getOwnPropertyDescriptor, ownKeys, deleteProperty } = Reflect

const objects = { JSON, Object, Reflect, Array, Promise, Number, String, Symbol }
const classes = { Object, Array, Map, Set, WeakMap, Promise, String, RegExp, Function, Error, Number }
const holders: [name: string, holder: object][] = [
  ['', globalThis],
  ...Object.entries(objects),
  ...Object.entries(classes).map(([name, { prototype }]): [string, object] => [
    `${name}.prototype`,
    prototype,
  ]),
]

/** Only the globals used here: a faked clock or `fetch` may be meant to stay. */
const globals =
  /^(?:JSON|Object|Reflect|Array|Map|Set|WeakMap|Promise|String|RegExp|Function|Error|TypeError|Number|Symbol|structuredClone|AbortController|AbortSignal|Buffer)$/

/** The globals that viva itself provides, as they were before any script ran. */
const installed: SavedProperty[] = []
const installedHolders: typeof holders = []
const installedNames: Record<string, true> = Object.create(null)

type SavedProperty = [name: string, holder: object, key: PropertyKey, descriptor: PropertyDescriptor]

/** Provides a global for scripts. A script may replace it, or parts of it, for itself only. */
export function install(name: string, value: object): void {
  defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
  installedNames[name] = true
  const { prototype } = value as { prototype?: object }
  const parts: [string, object][] = [[name, value]]
  if (prototype !== undefined) parts.push([`${name}.prototype`, prototype])
  installedHolders.push(...parts)
  saveOne('', globalThis, name, installed)
  for (const part of parts) saveAllKeys(part, installed)
}

/** Restores viva's globals after a call, including changes made while its code was loaded. Returns their names. */
export function restoreInstalled(): string[] {
  const changed: string[] = []
  for (let index = 0; index < installed.length; index++) putBack(installed[index], changed)
  return changed
}

/** Restores built-ins that the work replaced when it has ended, and prints their names. */
export async function preserveBuiltins<T>(work: () => T, print: (line: string) => void): Promise<Awaited<T>> {
  const putBack = guardBuiltins()
  try {
    return await work()
  } finally {
    const changed = putBack()
    if (changed.length > 0) print(`it changed ${changed.join(', ')}, which was restored`)
  }
}

/** Saves the built-ins; the returned function restores those that changed, and returns their names. */
function guardBuiltins(): () => string[] {
  const kept = [...saveAll(holders), ...saveAll(installedHolders)]
  return () => {
    const changed: string[] = []
    for (let index = 0; index < kept.length; index++) putBack(kept[index], changed)
    // JSON looks for it on every object.
    for (const holder of [Object.prototype, Array.prototype]) {
      if (getOwnPropertyDescriptor(holder, 'toJSON') === undefined) continue
      deleteProperty(holder, 'toJSON')
      changed[changed.length] = 'toJSON'
    }
    return changed
  }
}

/** Saves the built-ins; the returned function says whether one has changed. */
export function watchBuiltins({ withInstalled }: { withInstalled: boolean }): () => boolean {
  const all = saveAll(holders)
  const kept = withInstalled
    ? [...all, ...saveAll(installedHolders)]
    : all.filter(([name, , key]) => name !== '' || !isInstalled(key))
  return () => {
    for (let index = 0; index < kept.length; index++) if (hasChanged(kept[index])) return true
    return false
  }
}

function saveAll(from: typeof holders): SavedProperty[] {
  const kept: SavedProperty[] = []
  for (let index = 0; index < from.length; index++) saveAllKeys(from[index], kept)
  return kept
}

function saveAllKeys(entry: [string, object] | undefined, kept: SavedProperty[]): void {
  if (entry === undefined) return
  const [name, holder] = entry
  const keys = ownKeys(holder)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]
    if (key === undefined || (name === '' && !isGuardedGlobal(key))) continue
    saveOne(name, holder, key, kept)
  }
}

function isGuardedGlobal(key: PropertyKey): boolean {
  return isInstalled(key) || (typeof key === 'string' && globals.test(key))
}

function isInstalled(key: PropertyKey): boolean {
  return typeof key === 'string' && installedNames[key] === true
}

function saveOne(name: string, holder: object, key: PropertyKey, kept: SavedProperty[]): void {
  // Node defines some globals (`AbortSignal`) at their first use, which would look like a change.
  if (holder === globalThis) getProperty(holder, key)
  const descriptor = getOwnPropertyDescriptor(holder, key)
  if (descriptor?.configurable) kept[kept.length] = [name, holder, key, descriptor]
}

function putBack(entry: SavedProperty | undefined, changed: string[]): void {
  if (entry === undefined || !hasChanged(entry)) return
  const [name, holder, key, before] = entry
  defineProperty(holder, key, before)
  changed[changed.length] = `${name}${name === '' ? '' : '.'}${String(key)}`
}

function hasChanged(entry: SavedProperty | undefined): boolean {
  if (entry === undefined) return false
  const [, holder, key, before] = entry
  const now = getOwnPropertyDescriptor(holder, key)
  return now === undefined || now.value !== before.value || now.get !== before.get
}
