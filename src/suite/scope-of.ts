import { createPlainScope } from '../scope/plain-scope.ts'
import type { Scope } from '../scope/scope.ts'

/** The scope of what user code is handed: calls it makes on the way are counted where they belong. */
const scopes = new WeakMap<object, Scope>()

export function withScope<T extends object>(context: T, scope: Scope): T {
  scopes.set(context, scope)
  return context
}

/** Outside of a run there is one that counts nothing. */
export function findScope(context: object): Scope {
  return scopes.get(context) ?? createPlainScope()
}
