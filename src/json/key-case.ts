type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** An object of the code with the names that files use: `durationMs` becomes `duration_ms`. Its values stay. */
export function snakeKeys<T extends object>(object: T): { [Key in keyof T as SnakeCase<Key>]: T[Key] } {
  const toSnake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return renameKeys(object, toSnake) as ReturnType<typeof snakeKeys<T>>
}

/** The inverse of `snakeKeys`. */
export function camelKeys<T extends object>(object: T): { [Key in keyof T as CamelCase<Key>]: T[Key] } {
  const toCamel = (key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return renameKeys(object, toCamel) as ReturnType<typeof camelKeys<T>>
}

function renameKeys(object: object, rename: (key: string) => string): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]))
}
