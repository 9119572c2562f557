import type { Data } from '../transcript/message.ts'
import { toJson } from './json.ts'

/** What the scripts of one case share, by section: `variables`, and the namespaces of its memory. */
export type SharedState = Record<string, Data>

/** Values that were set, or without a value deleted. */
export type StateChanges = [section: string, key: string, value?: unknown][]

/**
 * One end's view of the state. Scripts read and write their own copy; what changed crosses with the next message, so
 * that nobody waits for a look at a variable.
 */
export class StateView {
  readonly data: SharedState
  /** What the other end knows, as JSON. */
  readonly #known = new Map<string, string>()

  constructor(data: SharedState) {
    this.data = data
    this.#note()
  }

  /** What the other end does not know yet; it is told now. Throws for what is no JSON. */
  changes(): StateChanges | undefined {
    const before = new Map(this.#known)
    const changes: StateChanges = []
    for (const [path, json] of this.#note()) {
      if (before.get(path) !== json) changes.push([...placeOf(path), JSON.parse(json)])
      before.delete(path)
    }
    for (const path of before.keys()) changes.push(placeOf(path))
    return changes.length === 0 ? undefined : changes
  }

  /** Takes over what the other end changed. */
  apply(changes: StateChanges | undefined): void {
    for (const change of changes ?? []) {
      const [section, key, value] = change
      const own = this.data[section]
      if (own === undefined) continue
      if (change.length === 2) delete own[key]
      else own[key] = value
      const path = JSON.stringify([section, key])
      if (change.length === 2) this.#known.delete(path)
      else this.#known.set(path, JSON.stringify(value))
    }
  }

  #note(): ReadonlyMap<string, string> {
    this.#known.clear()
    for (const [section, values] of Object.entries(this.data)) {
      for (const [key, value] of Object.entries(values)) {
        const rules = { whole: `${section}.${key}`, rule: 'scripts share JSON data' }
        const json = toJson(value, rules)
        if (json !== undefined) this.#known.set(JSON.stringify([section, key]), json)
      }
    }
    return this.#known
  }
}

function placeOf(path: string): [section: string, key: string] {
  return JSON.parse(path) as [string, string]
}
