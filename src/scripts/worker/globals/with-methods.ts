/** Adds methods that are not enumerable: a script that prints or compares the object sees only its fields. */
export function defineMethods(target: object, methods: object): void {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}
