import { z } from 'zod'

/** Options of a call to an agent or a script, the same for cases, turns, simulators and checks. */
export const optionsSchema = z
  .strictObject({
    connector: z
      .string()
      .optional()
      .describe('The connector to use; for the agent under test, `-c` overrides it'),
    skip: z
      .strictObject({
        history: z.boolean().optional().describe('The history of the conversation'),
        trace: z.boolean().optional().describe('The trace'),
        output: z.boolean().optional().describe('The output to the user'),
        keyword: z.boolean().optional().describe('The extraction of keywords'),
        search: z.boolean().optional().describe('The search'),
        content_parsing: z.boolean().optional().describe('The parsing of attached content'),
      })
      .optional()
      .describe('Steps that the agent should skip'),
    disable_global_prompts: z.boolean().optional().describe("Leave out the app's global prompts"),
    search: z.unknown().optional().describe('Search settings; their format depends on the agent'),
    mode: z.string().optional().describe('The mode of the agent'),
    metadata: z.record(z.string(), z.unknown()).optional().describe('Passed to the agent in its context'),
  })
  .meta({ id: 'options' })

export const optionalOptions = optionsSchema.optional()
