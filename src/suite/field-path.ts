/** Dotted paths into a value: `booking.status`. Of a value whose type is not known, any text. */
export type FieldPath<Value> = PathWithin<Value, Depth>

/** So deep are paths known to the compiler; below that, any will do: types may hold themselves. */
type Depth = [1, 1, 1, 1, 1, 1]

type PathWithin<Value, Left extends unknown[]> = unknown extends Value
  ? string
  : Left extends [unknown, ...infer Rest]
    ? Value extends readonly (infer Item)[]
      ? `${number}` | Nested<`${number}`, NonNullable<Item>, Rest>
      : Value extends Leaf
        ? never
        : Value extends object
          ? IsOpen<Value> extends true
            ? string
            : {
                [Key in keyof Value & string]: Key | Nested<Key, NonNullable<Value[Key]>, Rest>
              }[keyof Value & string]
          : never
    : string

type Leaf =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | ((...args: never[]) => unknown)

type Nested<Key extends string, Value, Left extends unknown[]> = [PathWithin<Value, Left>] extends [never]
  ? never
  : `${Key}.${PathWithin<Value, Left>}`

/** An object of which no field is known, or any may be there. */
type IsOpen<Value> = [keyof Value & string] extends [never] ? true : string extends keyof Value ? true : false

/** What stands there. */
export type FieldValue<Value, Path extends string> = unknown extends Value
  ? unknown
  : Path extends `${infer Key}.${infer Rest}`
    ? FieldValue<FieldOf<Value, Key>, Rest>
    : FieldOf<Value, Path>

/** Of a union, those members that have the field. */
type FieldOf<Value, Key extends string> = Value extends readonly (infer Item)[]
  ? Item
  : Value extends object
    ? Key extends keyof Value
      ? NonNullable<Value[Key]> | Extract<Value[Key], null>
      : IsOpen<Value> extends true
        ? unknown
        : never
    : never

export function fieldAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && isField(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      value,
    )
}

/** Its own, or a getter of its class; what every object has is no field of any. */
function isField(value: object, name: string): boolean {
  return Object.hasOwn(value, name) || (name in value && !(name in Object.prototype))
}
