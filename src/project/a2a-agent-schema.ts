import { z } from 'zod'
import { placeholdersIn } from '../json/template.ts'

export const httpUrl = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), {
  error: 'must be an http:// or https:// URL',
})

/** `agents.<name>` in the config as an object with `a2a`: an A2A agent that needs headers. */
export const a2aAgentSchema = z
  .strictObject({
    a2a: httpUrl.describe('The base URL of the agent, or the URL of its agent card (`….json`)'),
    headers: z
      .record(z.string(), z.string())
      .refine((headers) => placeholdersIn(headers).every((name) => /^env\.\w+$/.test(name)), {
        error: 'only {{env.NAME}} can be filled in here',
      })
      .optional()
      .describe('Sent with every request; `{{env.NAME}}` is replaced'),
  })
  .meta({ id: 'a2a-agent' })

export type A2AAgentConfig = z.infer<typeof a2aAgentSchema>
