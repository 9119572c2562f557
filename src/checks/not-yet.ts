import { z } from 'zod'
import { assertionObject } from './definition.ts'

/** A reserved type that is not implemented: its shape is accepted, then it is rejected, never ignored. */
function notYet<const Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  about: string,
  fields: Shape,
) {
  const schema = assertionObject(type, fields, (_fields, problem) => {
    problem('type', `assertion type "${type}" is not supported yet by this version`)
  })
  return { type, about, fields, schema }
}

export const notYetDefinitions = [
  notYet('snapshot', 'The output is the same as when the snapshot was taken.', {
    name: z.string().optional(),
  }),
]
