/** The key of the value behind the JSON of an input or a reply, for code that runs in the same process. */
export const typed = Symbol('typed')

/**
 * What was really sent or received, beside its JSON. Never written and never sent: the property is not enumerable, so
 * JSON, redaction, copies and logs leave it out.
 */
export interface Typed<Value> {
  readonly [typed]?: Value
}

export function withTyped<Told extends Typed<Value>, Value>(told: Told, value: Value): Told {
  return Object.defineProperty(told, typed, { value })
}
