import { z } from 'zod'

/** Options of a call to an agent or a script, the same for cases, turns, simulators and checks. */
export const optionsSchema = z.strictObject({
  connector: z.string().optional().describe('Connector to use; for the agent under test `-c` beats it'),
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
    .describe('What the agent shall leave out'),
  disable_global_prompts: z.boolean().optional().describe("Leave out the app's global prompts"),
  search: z.unknown().optional().describe('Search behaviour, as the agent understands it'),
  mode: z.string().optional().describe('Agent mode'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Reaches the agent in its context'),
})
