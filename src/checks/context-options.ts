import { z } from 'zod'

/** Options of a call to an agent or a script, the same for cases, turns, simulators and checks. */
export const optionsSchema = z.strictObject({
  connector: z
    .string()
    .optional()
    .describe('The connector to use; for the agent under test, `-c` overrides it'),
  skip: z
    .strictObject({
      history: z.boolean().optional(),
      trace: z.boolean().optional(),
      output: z.boolean().optional(),
      keyword: z.boolean().optional(),
      search: z.boolean().optional(),
      content_parsing: z.boolean().optional(),
    })
    .optional()
    .describe('What the agent should leave out'),
  disable_global_prompts: z.boolean().optional().describe("Leave out the app's global prompts"),
  search: z.unknown().optional().describe('Search settings, as the agent defines them'),
  mode: z.string().optional().describe('Agent mode'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Passed to the agent in its context'),
})

export const optionalOptions = optionsSchema.optional()
