import { type AuthoredCase, caseSchema } from './case-schema.ts'

/** The cases of a file have few sets of fields. */
const maxKept = 20
const schemas = new Map<string, Pick<typeof caseSchema, 'safeParse'>>()

/** Undefined if the case is not valid. */
export function parseCase(value: Record<string, unknown>): AuthoredCase | undefined {
  return schemaFor(Object.keys(value)).safeParse(value).data
}

/** Nearly all fields are optional and absent: looking only for those that a case has takes a fraction of the time. */
function schemaFor(fields: readonly string[]): Pick<typeof caseSchema, 'safeParse'> {
  const name = fields.join()
  const known = schemas.get(name)
  if (known !== undefined) return known
  const isOther = !fields.every((field) => Object.hasOwn(caseSchema.shape, field))
  if (isOther || schemas.size === maxKept) return caseSchema
  const wanted = Object.fromEntries(['id', ...fields].map((field) => [field, true]))
  const schema = caseSchema.pick(wanted as { id: true }) as unknown as typeof caseSchema
  schemas.set(name, schema)
  return schema
}
