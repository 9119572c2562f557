/** Makes properties that may be undefined optional. A property of type `unknown` stays as it is. */
export type Defined<T> = {
  -readonly [Key in keyof T as IsOptional<T[Key]> extends true ? never : Key]: T[Key]
} & {
  -readonly [Key in keyof T as IsOptional<T[Key]> extends true ? Key : never]?: Exclude<T[Key], undefined>
}

type IsOptional<Value> = unknown extends Value ? false : undefined extends Value ? true : false

/** Optional properties may also be undefined, as `JSON.stringify` leaves them out. */
export type Undefinable<T> = {
  [Key in keyof T]: Record<string, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key]
}

/** The object without its undefined properties. It is not copied if there are none. */
export function defined<const T extends object>(object: T): Defined<T> {
  // Called for nearly every object of a run: lists of keys or entries would cost several times as much.
  for (const key in object) if (object[key] === undefined) return copyDefined(object) as Defined<T>
  return object as Defined<T>
}

function copyDefined(object: object): object {
  const found: Record<string, unknown> = {}
  for (const key in object) {
    const value = (object as Record<string, unknown>)[key]
    if (value !== undefined) found[key] = value
  }
  return found
}

/** Undefined instead of an empty list or object. */
export function emptyToUndefined<T extends object>(list: T | undefined): T | undefined {
  return list !== undefined && Object.keys(list).length > 0 ? list : undefined
}

/** The items without those that are undefined, false, or an empty text. */
export function compact<T>(items: readonly (T | undefined | false | '')[]): T[] {
  return items.filter((item): item is T => item !== undefined && item !== false && item !== '')
}
