import { z } from 'zod'

/** A required `value` of any type. */
export function requiredValue(type: string, description: string) {
  return z
    .unknown()
    .refine((value): boolean => value !== undefined, `${type} needs a "value"`)
    .describe(description)
}

/** A value to search for; an empty text would be found in every text. */
export const searchValue = z.unknown().refine((value) => value !== '', 'every text contains the empty text')

/** A required `value` to search for. */
export function requiredSearchValue(type: string, description: string) {
  return searchValue
    .refine((value): boolean => value !== undefined, `${type} needs a "value"`)
    .describe(description)
}

/** A required `value` that is a non-empty text. */
export function requiredText(type: string, description: string) {
  return z
    .string({ error: () => `${type} needs a "value" that is text` })
    .min(1, `${type} needs a "value" that is not empty`)
    .describe(description)
}

/** A required `value` that is a list of values to search for. */
export function requiredList(type: string, description: string) {
  const message = `${type} needs a "value" that is a list`
  return z
    .array(searchValue, { error: () => message })
    .min(1, message)
    .describe(description)
}
