import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { durationSchema } from '../json/validation/duration-schema.ts'
import { compilePattern } from '../text/pattern.ts'
import { a2aAgentSchema } from './a2a-agent-schema.ts'
import { httpAgentSchema } from './http-agent-schema.ts'

const pattern = z.string().superRefine((source, context) => {
  try {
    compilePattern(source)
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error), input: source })
  }
})

export const limitsSchema = z.strictObject({
  concurrency: z.int().min(1).optional().describe('Requests at once'),
  requests_per_minute: z
    .int()
    .min(1)
    .optional()
    .describe('They are spread evenly: 60 is one a second, from the first on'),
})

const connectorFields = {
  type: z.enum(['openai', 'anthropic', 'scripted']),
  label: z.string().optional(),
  name: z.string().optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  limits: limitsSchema.optional().describe('What the model is asked at most, by all cases of a run together'),
}

/** A `*.conn.yao` file, for which the Yao engine knows more keys. */
export const connectorSchema = z.looseObject(connectorFields)

const httpUrl = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), {
  error: 'must be an http:// or https:// URL',
})

export const serviceSchema = z.strictObject({
  command: z.string().describe('What starts it; no shell is involved'),
  url: httpUrl.describe('It is ready when a GET of this URL succeeds (status below 400)'),
  timeout: durationSchema.optional().describe('How long it may take to be ready, and to reset (30s)'),
  reset: z
    .union([
      httpUrl,
      z.strictObject({ url: httpUrl, method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']).optional() }),
    ])
    .optional()
    .describe(
      'Called before each case, as a URL (`POST`) or `{url, method}`; cases are then played one at a time',
    ),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Variables of its environment, besides those of viva'),
  cwd: z.string().optional().describe('Where it is started, from the folder of the config'),
})

export const networkSchema = z.strictObject({
  retries: z.int().min(0).max(20).optional().describe('Tries again after 429, 5xx and cut connections (3)'),
  backoff: durationSchema.optional().describe('Wait before the first retry, doubling (500ms)'),
  proxy: z
    .union([z.string(), z.literal(false)])
    .optional()
    .describe(
      'The proxy of all requests, instead of `HTTP_PROXY` and `HTTPS_PROXY`; `false`: none. `$ENV.NAME` is filled in',
    ),
  no_proxy: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Hosts that are reached without it, instead of `NO_PROXY`'),
  ca: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('PEM files, from the folder of the config: authorities to trust besides those of Node'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Sent with every request to a connector or an agent that has none of the same name; `$ENV.NAME` is filled in',
    ),
})

const dollars = z.number().min(0)

const priceSchema = z.strictObject({
  input: dollars.describe('Of a million tokens of input'),
  output: dollars.describe('Of a million tokens of output'),
  cached_input: dollars
    .optional()
    .describe('Of a million tokens of input that the provider had in its cache'),
})

export const awaitingSchema = z.strictObject({
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe('Tools by which the agent asks its user, with or without their server'),
  patterns: z.array(pattern).optional().describe('Sentences that ask, as regular expressions in RE2 syntax'),
  not: z.array(pattern).optional().describe('Sentences that do not ask, whatever else they look like'),
})

/** Whose failure an HTTP status of an agent is, by status. */
const faultsSchema = z
  .record(z.string(), z.enum(['agent', 'infrastructure']))
  .superRefine((faults, context) => {
    for (const status of Object.keys(faults).filter((key) => !/^[45]\d\d$/.test(key)))
      context.addIssue({ code: 'custom', path: [status], message: 'must be an HTTP status from 400 to 599' })
  })
export type Faults = z.infer<typeof faultsSchema>

/** `viva.config.{ts,js,mjs,json}`: plain data, because the script host that loads it sends it to this process. */
export const configSchema = z.strictObject({
  agent: z.string().optional().describe('The agent under test when `-n` is not given'),
  agents: z
    .record(z.string(), z.union([z.string(), httpAgentSchema, a2aAgentSchema]))
    .optional()
    .describe('Names for agents: what `-n` would take, or how to speak to one over HTTP or A2A'),
  faults: faultsSchema
    .optional()
    .describe(
      'Whose failure an HTTP status of an agent is, by status: `agent` or `infrastructure`. By default 5xx is the agent’s, except 502, 503, 504 and 529',
    ),
  connectors: z
    .record(z.string(), z.strictObject(connectorFields))
    .optional()
    .describe('Models, as in `*.conn.yao` files'),
  roles: z
    .record(z.string(), z.string())
    .optional()
    .describe('Connectors by what they are for: `use::light` of a package is the one of the role `light`'),
  services: z
    .array(serviceSchema)
    .optional()
    .describe('Commands that run during the tests: started in order, stopped at the end'),
  prices: z
    .record(z.string(), priceSchema)
    .optional()
    .describe('What models cost, by model or connector, in US dollars for a million tokens'),
  helpers: z
    .strictObject({
      connector: z.string().optional().describe('Of `viva.simulator`, unless a case names one'),
    })
    .optional()
    .describe('Built-in agents that work for the tests'),
  processes: z
    .record(
      z.string(),
      z
        .strictObject({
          result: z.unknown().optional().describe('What it answers'),
          error: z.string().min(1).optional().describe('It fails with this message'),
        })
        .refine((stub) => 'result' in stub !== 'error' in stub, 'needs one of `result` and `error`'),
    )
    .optional()
    .describe('What `Process(name, …)` gives to scripts, for processes that viva does not have'),
  awaiting: awaitingSchema
    .optional()
    .describe('What tells that an agent waits for an answer, besides the built-in rules'),
  secrets: z
    .array(z.string())
    .optional()
    .describe(
      'Environment variables whose values no report may show; scripts see them, and no others that look like secrets',
    ),
  transcripts: z
    .boolean()
    .optional()
    .describe('`false`: nothing that was said is recorded, as with `--no-transcripts`'),
  masks: z
    .array(z.string())
    .optional()
    .describe('Fields (`email`, `customer.email`) and `/patterns/` to hide, besides those of `--mask`'),
  timeout: durationSchema.optional().describe('Default of `--timeout`'),
  parallel: z.int().min(1).optional().describe('Default of `--parallel`'),
  network: networkSchema.optional().describe('How requests get out: retries, proxy, certificates, headers'),
})

export type Config = z.infer<typeof configSchema>
export type ServiceConfig = z.infer<typeof serviceSchema>
export type ConnectorConfig = z.infer<typeof connectorSchema>

/** Types a `viva.config.ts`. */
export function defineConfig(config: Config): Config {
  return config
}
