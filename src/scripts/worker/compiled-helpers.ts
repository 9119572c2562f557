/** The functions that compiled code calls as `babelHelpers`, so that users need no package for them. */

type Decorator = (target: object, key?: string | symbol, descriptor?: unknown) => unknown

/** `experimentalDecorators`, in TypeScript's order and with its signatures. */
function decorate(
  decorators: Decorator[],
  target: object,
  ...member: [] | [key: string | symbol, descriptor: PropertyDescriptor | null | undefined]
): unknown {
  const [key] = member
  if (key === undefined) {
    return decorators.reduceRight<object>(
      (result, decorator) => (decorator(result) as object) ?? result,
      target,
    )
  }
  // `null` means "look it up" (a method or accessor); `undefined` means a field, which has no descriptor.
  const own = member[1] === null ? Object.getOwnPropertyDescriptor(target, key) : member[1]
  const last = decorators.reduceRight<unknown>(
    (result, decorator) => decorator(target, key, result) ?? result,
    own,
  )
  if (last !== undefined) Object.defineProperty(target, key, last as PropertyDescriptor)
  return last
}

function decorateParam(index: number, decorator: (target: object, key: unknown, index: number) => void) {
  return (target: object, key?: string | symbol) => decorator(target, key, index)
}

/** `using` and `await using` for versions of Node without them: values are disposed of in reverse order. */
function usingCtx() {
  const nothing = {}
  const disposals: { dispose(): unknown; isAsync: boolean }[] = []

  function add<T>(value: T, isAsync: boolean): T {
    if (value === null || value === undefined) return value
    const { [Symbol.dispose]: sync, [Symbol.asyncDispose]: async } = value as Partial<
      Disposable & AsyncDisposable
    >
    const dispose = (isAsync ? async : undefined) ?? sync
    if (typeof dispose !== 'function') throw new TypeError('Object is not disposable')
    disposals.push({ dispose: () => dispose.call(value), isAsync })
    return value
  }

  return {
    e: nothing as unknown,
    u: <T>(value: T) => add(value, false),
    a: <T>(value: T) => add(value, true),
    /** Returns a promise only if something has to be awaited. */
    d(): unknown {
      const remember = (error: unknown) => {
        this.e = this.e === nothing ? error : suppress(error, this.e)
      }
      const disposeRest = (): unknown => {
        for (let last = disposals.pop(); last !== undefined; last = disposals.pop()) {
          try {
            const result = last.dispose()
            if (last.isAsync) return Promise.resolve(result).catch(remember).then(disposeRest)
          } catch (error) {
            remember(error)
          }
        }
        if (this.e !== nothing) throw this.e
      }
      return disposeRest()
    },
  }
}

function suppress(error: unknown, suppressed: unknown): Error {
  const message = 'An error was suppressed during disposal'
  return Object.assign(new Error(message), { name: 'SuppressedError', error, suppressed })
}

export function installHelpers(): void {
  Object.assign(globalThis, { babelHelpers: { decorate, decorateParam, usingCtx } })
}
