import type { z } from 'zod'

/** The schemas that a value at that path may have, for all forms of the values around it. */
export function findSchemas(schema: z.ZodType, path: (string | number)[]): z.ZodType[] {
  let schemas = expandForms(schema)
  for (const part of path) schemas = schemas.flatMap((inner) => step(inner, part)).flatMap(expandForms)
  return schemas
}

/** The steps from a schema to the schemas directly below it. `[]` is any item of a list, `*` any key of an open object. */
export function stepsBelow(schema: z.ZodType): [part: string, below: z.ZodType][] {
  const { element, valueType } = readDefinition(schema)
  return [
    ...Object.entries(readShape(schema)),
    ...(element === undefined ? [] : [['[]', element] as [string, z.ZodType]]),
    ...(valueType === undefined ? [] : [['*', valueType] as [string, z.ZodType]]),
  ]
}

/** The fields of an object; empty for anything else. */
export function readShape(schema: z.ZodType): Record<string, z.ZodType> {
  return readDefinition(schema).shape ?? {}
}

/** The values of a literal or enum; empty for anything else. */
export function readLiterals(schema: z.ZodType): unknown[] {
  return readDefinition(schema).values ?? []
}

/** The forms that a value may have. */
export function expandForms(schema: z.ZodType): z.ZodType[] {
  const { innerType, options, in: inner, out, getter } = readDefinition(schema)
  if (innerType) return expandForms(innerType)
  if (getter) return expandForms(getter())
  // What is read before it is checked may be anything.
  if (inner) return expandForms(out && readDefinition(inner).type === 'transform' ? out : inner)
  if (options) return options.flatMap(expandForms)
  return [schema]
}

interface SchemaDefinition {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
  /** For a literal. */
  values?: unknown[]
  /** For a lazy schema: the schema it stands for. */
  getter?: () => z.ZodType
}

function readDefinition(schema: z.ZodType): SchemaDefinition {
  return schema.def as unknown as SchemaDefinition
}

function step(schema: z.ZodType, part: string | number): z.ZodType[] {
  const { element, valueType } = readDefinition(schema)
  const shape = readShape(schema)
  const next = typeof part === 'number' ? element : Object.hasOwn(shape, part) ? shape[part] : valueType
  return next ? [next] : []
}
