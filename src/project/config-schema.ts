import { z } from 'zod'
import { refineByCompiling } from '../json/validation/compiled-text.ts'
import { durationSchema } from '../json/validation/duration-schema.ts'
import { schemaReference } from '../json/validation/schema-reference.ts'
import { compilePattern } from '../text/pattern.ts'
import { a2aAgentSchema, httpUrl } from './a2a-agent-schema.ts'
import type { ConfigInput } from './config-type.ts'
import { httpAgentSchema } from './http-agent-schema.ts'
import { modelAgentSchema, simulatorToolsSchema } from './model-agent-schema.ts'

const optionalText = z.string().optional()
const optionalTexts = z.array(z.string()).optional()
const oneOrMoreTexts = z.union([z.string(), z.array(z.string())]).optional()
const textsByName = z.record(z.string(), z.string()).optional()
const optionalCount = z.int().min(1).optional()

const pattern = z.string().superRefine(refineByCompiling(compilePattern))

export const limitsSchema = z
  .strictObject({
    concurrency: optionalCount.describe('Maximum number of simultaneous requests'),
    requests_per_minute: optionalCount.describe(
      'Maximum number of requests per minute, evenly spread: 60 is one per second, from the beginning',
    ),
  })
  .meta({ id: 'limits' })

const connectorFields = {
  type: z
    .enum(['openai', 'openai-responses', 'anthropic', 'scripted'])
    .describe('The API that the model speaks; `openai` is the chat completions API, which most servers have'),
  label: optionalText.describe('A readable name'),
  name: optionalText.describe('Another readable name'),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      '`model`, `key`, `host` and settings such as `temperature`; for `scripted`: `rules`, `module` or `embeddings`',
    ),
  limits: limitsSchema
    .optional()
    .describe('Limits on the requests to the model, for all cases of a run together'),
}

const modelSchema = z.strictObject(connectorFields).meta({
  id: 'connector',
  examples: [{ type: 'openai', options: { model: 'gpt-5', key: '$ENV.OPENAI_API_KEY' } }],
})

/** A `*.conn.yao` file, for which the Yao engine knows more keys. */
export const connectorSchema = z.looseObject(connectorFields)

export const serviceSchema = z
  .strictObject({
    command: z.string().describe('The command that starts it, run without a shell'),
    url: httpUrl.describe('The service is ready when a GET of this URL succeeds (status below 400)'),
    timeout: durationSchema.optional().describe('How long the start and each reset may take (default 30s)'),
    reset: z
      .union([
        httpUrl,
        z.strictObject({
          url: httpUrl.describe('The URL'),
          method: z
            .enum(['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
            .optional()
            .describe('The method (default `POST`)'),
        }),
      ])
      .optional()
      .describe('Called before each case: a URL (`POST`) or `{url, method}`. Cases then run one at a time'),
    env: textsByName.describe('Environment variables, in addition to those of viva'),
    cwd: optionalText.describe('Working folder, relative to the folder of the config'),
  })
  .meta({ id: 'service' })

export const networkSchema = z
  .strictObject({
    retries: z
      .int()
      .min(0)
      .max(20)
      .optional()
      .describe(
        'Number of retries after status 408, 409, 429 and 5xx, and after connections that ended too early (default 3)',
      ),
    backoff: durationSchema
      .optional()
      .describe('Wait before the first retry (default 500ms); it doubles with each further retry'),
    proxy: z
      .union([z.string(), z.literal(false)])
      .optional()
      .describe(
        'The proxy for all requests, instead of `HTTP_PROXY` and `HTTPS_PROXY`; `false` means no proxy. `$ENV.NAME` is replaced',
      ),
    no_proxy: oneOrMoreTexts.describe('Hosts that are reached without the proxy, instead of `NO_PROXY`'),
    ca: oneOrMoreTexts.describe(
      'PEM files, relative to the folder of the config, with certificate authorities to trust in addition to those of Node',
    ),
    headers: textsByName.describe(
      'Sent with every request to a connector or an agent, unless the connector or agent has its own header of the same name. `$ENV.NAME` is replaced',
    ),
  })
  .meta({ id: 'network' })

const dollars = z.number().min(0)

const priceSchema = z
  .strictObject({
    input: dollars.describe('Price of a million input tokens'),
    output: dollars.describe('Price of a million output tokens'),
    cached_input: dollars.optional().describe('Price of a million cached input tokens'),
  })
  .meta({ id: 'price' })

export const awaitingSchema = z
  .strictObject({
    tools: z
      .array(z.string().min(1))
      .optional()
      .describe('Names of tools that ask the user for an answer, with or without their server'),
    patterns: z
      .array(pattern)
      .optional()
      .describe('Sentences that ask for an answer, as regular expressions in RE2 syntax'),
    not: z
      .array(pattern)
      .optional()
      .describe('Sentences that do not ask for an answer, although they seem to'),
  })
  .meta({ id: 'awaiting' })

/** Whose failure an HTTP status of an agent is, by status. */
const faultsSchema = z
  .record(z.string(), z.enum(['agent', 'infrastructure']))
  .superRefine((faults, context) => {
    for (const status of Object.keys(faults).filter((key) => !/^[45]\d\d$/.test(key)))
      context.addIssue({ code: 'custom', path: [status], message: 'must be an HTTP status from 400 to 599' })
  })
export type Faults = z.infer<typeof faultsSchema>

/** `helpers` in the config. */
export const helpersSchema = z
  .strictObject({
    connector: optionalText.describe('The connector of the built-in agents, unless a case names one'),
    simulator: simulatorToolsSchema
      .optional()
      .describe('Tools of the users that `viva.simulator` plays, such as their phone'),
  })
  .meta({ id: 'helpers' })

/** `viva.config.{ts,js,mjs,json}`: plain data, because the script host that loads it sends it to this process. */
export const configSchema = z.strictObject({
  $schema: schemaReference,
  agent: optionalText.describe('The agent under test when `-n` is not given'),
  agents: z
    .record(z.string(), z.union([z.string(), httpAgentSchema, a2aAgentSchema, modelAgentSchema]))
    .optional()
    .describe(
      'Named agents: a value as for `-n`, a model with a prompt and MCP servers, or a mapping for HTTP or A2A',
    ),
  inputs: optionalTexts.describe(
    'What `viva test` runs when it is given no input: case files, folders, patterns, script tests and generators. Paths are relative to the folder of the config',
  ),
  fingerprint: z
    .record(z.string(), z.array(z.string().min(1)))
    .optional()
    .describe(
      'For `--changed`: what decides how an agent or a model answers, where viva cannot see it. By the name of an agent or connector, the files, folders and patterns to look at; `[]` if the rest says it all. Paths are relative to the folder of the config',
    ),
  faults: faultsSchema
    .optional()
    .describe(
      'Who is at fault when an agent answers with an HTTP status: `agent` or `infrastructure`, by status. By default, 5xx is the agent’s failure, except 502, 503, 504 and 529',
    ),
  isolate: z
    .literal('case')
    .optional()
    .describe(
      '`case`: each case has its own copy of a module agent, and of modules with tools, in a thread that no other case uses. By default, cases share what is at the top level of the module',
    ),
  connectors: z.record(z.string(), modelSchema).optional().describe('Models, as in `*.conn.yao` files'),
  roles: textsByName.describe(
    'Connectors by role: `use::light` in a package means the connector of the role `light`',
  ),
  services: z
    .array(serviceSchema)
    .optional()
    .describe('Commands that run during the tests; they are started in order and stopped at the end'),
  prices: z
    .record(z.string(), priceSchema)
    .optional()
    .describe('Prices by model, connector or agent, in US dollars per million tokens'),
  helpers: helpersSchema
    .optional()
    .describe('Settings of the built-in helper agents (simulator, validator, judge, generator)'),
  processes: z
    .record(
      z.string(),
      z
        .strictObject({
          result: z.unknown().optional().describe('What the process returns'),
          error: z.string().min(1).optional().describe('The process fails with this message'),
        })
        .refine((stub) => 'result' in stub !== 'error' in stub, 'needs one of `result` and `error`'),
    )
    .optional()
    .describe('What `Process(name, …)` returns to scripts, for processes that viva does not have'),
  awaiting: awaitingSchema
    .optional()
    .describe('How to detect that an agent waits for an answer, in addition to the built-in rules'),
  secrets: optionalTexts.describe(
    'Environment variables whose values are redacted in every report. Scripts can read them, but no other variables that look like secrets',
  ),
  transcripts: z
    .boolean()
    .optional()
    .describe('`false`: do not record what was said, as with `--no-transcripts`'),
  masks: optionalTexts.describe(
    'Fields (`email`, `customer.email`) and `/patterns/` to hide, in addition to those of `--mask`',
  ),
  timeout: durationSchema.optional().describe('Default of `--timeout`'),
  parallel: z
    .union([z.int().min(1), z.literal('auto')])
    .optional()
    .describe('Default of `--parallel`: a number, or `auto`'),
  network: networkSchema.optional().describe('Network settings: retries, proxy, certificates, headers'),
})

export type Config = z.infer<typeof configSchema>
export type ServiceConfig = z.infer<typeof serviceSchema>
export type ConnectorConfig = z.infer<typeof connectorSchema>

/**
 * Gives a `viva.config.ts` its type, so that the editor completes and checks its keys, and shows what each key is for.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { defineConfig } from 'vivavoce'
 *
 * // In a viva.config.ts: export default defineConfig({ … })
 * const config = defineConfig({ agent: './agent.ts', timeout: '30s', parallel: 4 })
 * assert.equal(config.timeout, '30s')
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
