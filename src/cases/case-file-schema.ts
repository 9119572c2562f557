import { z } from 'zod'
import { schemaReference } from '../json/validation/schema-reference.ts'
import { caseSchema } from './case-schema.ts'
import { defaultsSchema } from './file-defaults.ts'

/**
 * Files with several cases, for `schemas/cases.schema.json` and the reference in the docs. viva itself reads such files
 * document by document, so that it can report all their problems at once.
 */

const listedCase = caseSchema.meta({ id: 'case' })

/** The first item of a list or line of a file. */
const defaultsItem = z.strictObject({
  $schema: schemaReference,
  defaults: defaultsSchema.describe('Fields for all cases of the file; a case overrides them'),
})

/** Placeholders can be anywhere in a template, so any value is accepted. */
const templateSchema = z
  .strictObject(
    Object.fromEntries(
      Object.entries(caseSchema.shape).map(([key, field]) => [
        key,
        z.union([field, z.unknown()]).describe(field.description ?? ''),
      ]),
    ),
  )
  .meta({ id: 'template' })

/** A YAML file that is an object. Case modules may export `cases` and `defaults`, too. */
export const caseFileSchema = z.strictObject({
  $schema: schemaReference,
  defaults: defaultsSchema.optional().describe('Fields for all cases of the file; a case overrides them'),
  cases: z.array(listedCase).optional().describe('The cases'),
  template: templateSchema
    .optional()
    .describe('A case with `{{column}}` in it, which is filled in for each of the `rows`'),
  rows: z
    .union([z.array(z.record(z.string(), z.unknown())), z.string()])
    .optional()
    .describe('The values for the `template`: a list of objects, or the name of a CSV file'),
})

/** A `.json` or `.yaml` file. */
export const casesSchema = z.union([
  z.tuple([z.union([listedCase, defaultsItem])], listedCase),
  caseFileSchema,
])
