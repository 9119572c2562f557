import { parse, stringify } from '../../json/equal/untouched.ts'
import type { Data } from '../../results/transcript/message.ts'
import { toJson } from './json.ts'

/** What the scripts of one case share, by section: `variables`, and the namespaces of its memory. */
export type SharedState = Record<string, Data>

/** Values that were set; entries without a value were deleted. */
export type StateChanges = [section: string, key: string, value?: unknown][]

/**
 * One side's view of the state. Scripts read and write their own copy; changes are sent with the next message, so that
 * nobody waits to read a variable.
 */
export class StateView {
  readonly data: SharedState
  /** What the other side knows, as JSON. */
  #known: Map<string, string>

  constructor(data: SharedState) {
    this.data = data
    this.#known = serializeState(data)
  }

  /** Returns what the other side does not know yet, and assumes it is told now. Throws for values that are not JSON. */
  changes(): StateChanges | undefined {
    const known = this.#known
    // Serialized completely first: a value that is not JSON must not hide other changes.
    const now = serializeState(this.data)
    const changes: StateChanges = []
    for (const [path, json] of now)
      if (known.get(path) !== json) changes.push([...parseStatePath(path), parse(json)])
    for (const path of known.keys()) if (!now.has(path)) changes.push(parseStatePath(path))
    this.#known = now
    return changes.length === 0 ? undefined : changes
  }

  /** Applies the changes of the other side. */
  apply(changes: StateChanges | undefined): void {
    for (const change of changes ?? []) {
      const [section, key, value] = change
      const own = Object.hasOwn(this.data, section) ? this.data[section] : undefined
      if (own === undefined) continue
      const path = stringify([section, key])
      if (change.length === 2) {
        delete own[key]
        this.#known.delete(path)
      } else {
        setOwn(own, key, value)
        this.#known.set(path, stringify(value))
      }
    }
  }
}

/** Treats a key named `__proto__` as plain data. */
export function setOwn(values: Data, key: string, value: unknown): void {
  Object.defineProperty(values, key, { value, writable: true, enumerable: true, configurable: true })
}

/** All values as JSON, by their path. */
function serializeState(data: SharedState): Map<string, string> {
  const noted = new Map<string, string>()
  for (const [section, values] of Object.entries(data)) {
    for (const [key, value] of Object.entries(values)) {
      const rules = { whole: `${section}.${key}`, rule: 'scripts can share only JSON data' }
      const json = toJson(value, rules)
      if (json !== undefined) noted.set(stringify([section, key]), json)
    }
  }
  return noted
}

function parseStatePath(path: string): [section: string, key: string] {
  return parse(path) as [string, string]
}
