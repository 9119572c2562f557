export type UserFunction = (...args: unknown[]) => unknown

export function isFunction(value: unknown): value is UserFunction {
  return typeof value === 'function'
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null) return false
  return 'then' in value && isFunction(value.then)
}
