import { isPromise } from '../../json/equal/untouched.ts'
export type UserFunction = (...args: unknown[]) => unknown

export function isFunction(value: unknown): value is UserFunction {
  return typeof value === 'function'
}

/** Whether `await` would wait for it. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return isPromise(value) || ('then' in value && isFunction(value.then))
}
