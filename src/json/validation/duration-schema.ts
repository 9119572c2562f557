import { z } from 'zod'
import { durationRangeProblem, parseDuration } from '../../text/duration.ts'

/** A duration in Go's grammar, as users write it. */
export const durationSchema = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, {
    error: ({ input }) => {
      const form = 'use Go\'s form, like "30s", "1m30s" or "250ms"'
      return `bad duration ${JSON.stringify(input)}: ${durationRangeProblem(String(input)) ?? form}`
    },
  })
  .meta({ pattern: '^(\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)', examples: ['30s', '1m30s', '250ms'] })
