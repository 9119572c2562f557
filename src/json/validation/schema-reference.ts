import { z } from 'zod'

/** The key with which a document names its JSON Schema, for editors. */
export const schemaReference = z.string().optional().describe('The JSON Schema, for editors; ignored')

/** Leaves the `$schema` of a document out. One that is no text stays, to be reported. */
export function withoutSchemaReference(document: Record<string, unknown>): Record<string, unknown> {
  if (typeof document.$schema !== 'string') return document
  const { $schema: _, ...others } = document
  return others
}
