export type UserFunction = (...args: unknown[]) => unknown

export function isFunction(value: unknown): value is UserFunction {
  return typeof value === 'function'
}
