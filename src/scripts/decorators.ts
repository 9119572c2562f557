/** What `experimentalDecorators` compiles to. The signatures and order are TypeScript's. */

type Decorator = (target: object, key?: string | symbol, descriptor?: unknown) => unknown

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
  // `null` stands for "look it up": a method or accessor; `undefined` for a field, which has none.
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

/** Puts the helpers where compiled code looks for them. */
export function installDecorators(): void {
  Object.assign(globalThis, { babelHelpers: { decorate, decorateParam } })
}
