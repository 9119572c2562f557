/** What it can do is not data: a script that prints or compares it sees its fields only. */
export function withMethods(target: object, methods: object): void {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
}
