import { z } from 'zod'
import { parseDuration } from './duration.ts'

/** A length of time as users write it, in Go's grammar. */
export const durationSchema = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, {
    error: (issue) =>
      `bad duration ${JSON.stringify(issue.input)}: use Go's form, like "30s", "1m30s" or "250ms"`,
  })
  .meta({ pattern: '^(\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)' })
