type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** An object of the code with the names that files use: `durationMs` becomes `duration_ms`. Its values stay. */
export function snakeKeys<T extends object>(object: T): { [Key in keyof T as SnakeCase<Key>]: T[Key] } {
  return renameKeys(object, toSnake) as ReturnType<typeof snakeKeys<T>>
}

/** The inverse of `snakeKeys`. */
export function camelKeys<T extends object>(object: T): { [Key in keyof T as CamelCase<Key>]: T[Key] } {
  return renameKeys(object, toCamel) as ReturnType<typeof camelKeys<T>>
}

const toSnake = remember((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
const toCamel = remember((key) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))

function renameKeys(object: object, rename: (key: string) => string): object {
  const renamed: Record<string, unknown> = {}
  for (const key of Object.keys(object)) renamed[rename(key)] = (object as Record<string, unknown>)[key]
  return renamed
}

/** There are few names, and every result has them. */
function remember(rename: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>()
  return (key) => {
    const found = known.get(key) ?? rename(key)
    if (known.size < 1000) known.set(key, found)
    return found
  }
}
