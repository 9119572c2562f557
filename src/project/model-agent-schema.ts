import { z } from 'zod'
import { durationSchema } from '../json/validation/duration-schema.ts'
import { httpUrl } from './a2a-agent-schema.ts'

const textsByName = z.record(z.string(), z.string()).optional()

/** Of every MCP server. */
const serverFields = {
  tools: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('The tools that the model may call (default: all, except the one that resets the server)'),
  timeout: durationSchema.optional().describe('Time limit for one call of a tool'),
  reset: z
    .string()
    .min(1)
    .optional()
    .describe('A tool of the server that puts it into its initial state. It is called before each case'),
}

export const mcpCommandSchema = z
  .strictObject({
    command: z.string().min(1).describe('The program to start, without a shell'),
    args: z.array(z.string()).optional().describe('Its arguments. `$ENV.NAME` is replaced'),
    env: textsByName.describe('Environment variables, in addition to those of viva. `$ENV.NAME` is replaced'),
    shared: z
      .boolean()
      .optional()
      .describe('`true`: all cases use one process. By default, each case has a process of its own'),
    ...serverFields,
  })
  .meta({ id: 'mcp-command' })

export const mcpUrlSchema = z
  .strictObject({
    url: httpUrl.describe('The address of a server that is already running'),
    transport: z.enum(['http', 'sse']).optional().describe('How to talk to it (default `http`)'),
    headers: textsByName.describe('Sent with every request. `$ENV.NAME` is replaced'),
    ...serverFields,
  })
  .meta({ id: 'mcp-url' })

const modulePath = z
  .string()
  .regex(/^\S.*\.[cm]?[jt]s$/, 'must be the path of a .ts or .js file, such as "./tools.ts"')

/** The tools that viva calls for a model. */
const toolFields = {
  mcp: z
    .record(
      z.string().regex(/^[\w-]+$/, 'must be a name of letters, digits, - and _'),
      z.union([mcpCommandSchema, mcpUrlSchema]),
    )
    .optional()
    .describe('MCP servers by name. The model may call their tools'),
  tools: z
    .union([modulePath, z.array(modulePath).min(1)])
    .optional()
    .describe('A module whose exports are tools that the model may call, or several'),
}

const maxToolRounds = z.int().min(1).max(100).optional()

/** `agents.<name>` in the config as an object with `connector`: a model with a prompt and tools. */
export const modelAgentSchema = z
  .strictObject({
    connector: z
      .string()
      .min(1)
      .describe(
        'The model that answers: a connector of the project, `openai:URL#model` or `openai-responses:URL#model`',
      ),
    prompt: z
      .string()
      .min(1)
      .optional()
      .describe('The system prompt: its text, or the path of a file, such as `./desk.md`'),
    ...toolFields,
    settings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Settings of the model, such as `temperature`, in addition to those of the connector'),
    max_tool_rounds: maxToolRounds.describe('How many rounds of tool calls one reply may take (default 10)'),
  })
  .meta({ id: 'model-agent' })

/** `helpers.simulator` in the config: what the user has in their hands. */
export const simulatorToolsSchema = z
  .strictObject({
    ...toolFields,
    max_tool_rounds: maxToolRounds.describe(
      'How many rounds of tool calls one message may take (default 10)',
    ),
  })
  .meta({ id: 'simulator-tools' })

export type SimulatorToolsConfig = z.infer<typeof simulatorToolsSchema>
export type ModelAgentConfig = z.infer<typeof modelAgentSchema>
export type McpServerConfig = NonNullable<ModelAgentConfig['mcp']>[string]
