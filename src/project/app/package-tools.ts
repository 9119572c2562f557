import { z } from 'zod'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { describeIssues } from '../../json/validation/issues.ts'
import { readOnce } from '../../json/validation/read-once.ts'
import { findMisspeltKeys } from './misspelt.ts'

/** `mcp` of a package: the tools it may use, and how often. */
export interface PackageTools {
  servers: ServerChoice[]
  /** The files of modules whose exports are tools. */
  modules: readonly string[]
  /** Whether the package has a key `mcp`. */
  declared: boolean
  /** The maximum number of rounds of tool calls per answer. */
  maxTurn: number
  /** The key that sets it. */
  maxTurnKey: string
  /** If false, there is one round, and its results are the answer. */
  loop: boolean
  /** The most tools that the model is offered. */
  most: number
}

/** A server and its chosen tools: all of them if none are named. */
export interface ServerChoice {
  id: string
  tools?: string[]
}

/** The Yao engine does not offer more tools to a model. */
const maxTools = 20

/** The default of the Yao engine. */
const defaultMaxTurn = 5

const namesSchema = z.array(z.string())
/** Resources are only for hooks: the model does not see them. */
const choiceSchema = z.strictObject({ tools: namesSchema.optional(), resources: namesSchema.optional() })

const serverSchema = z.union([
  z.string().transform((id) => ({ id })),
  choiceSchema
    .extend({ server_id: z.string() })
    .transform(({ server_id, tools }) => withTools(server_id, tools)),
  z
    .record(z.string(), z.union([namesSchema.transform((tools) => ({ tools })), choiceSchema]))
    .refine((record) => Object.keys(record).length === 1)
    .transform((record) => {
      const [[id, { tools }] = ['', {}]] = Object.entries(record)
      return withTools(id, tools)
    }),
])

/** The Yao engine ignores any other key, too. */
const optionsSchema = z.looseObject({
  max_turn: z.int().min(1).optional(),
  tool_loop: z.boolean().optional(),
})

const mcpSchema = z.strictObject({
  servers: z.array(z.unknown()).optional(),
  options: optionsSchema.optional(),
})

const packageSchema = z.object({ mcp: mcpSchema.nullish() })

/** Throws all mistakes in a `package.yao`. */
export function parsePackageData<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const parsed = schema.safeParse(value, readOnce)
  if (parsed.success) return parsed.data
  const issues = describeIssues(parsed.error, schema, 'the file')
  throw new ConfigError(
    issues.map(({ message, hint }) => ({ code: 'bad_package', message, file, ...defined({ hint }) })),
  )
}

/** Reads the four ways to name a server: `"id"`, `{server_id, tools}`, `{"id": [tools]}`, `{"id": {tools}}`. */
export function readPackageTools(mcp: unknown, file: string): PackageTools {
  const written = parsePackageData(packageSchema, { mcp }, file).mcp
  const { servers = [], options = {} } = written ?? {}
  const known = { read: Object.keys(optionsSchema.shape), engine: [] }
  const misspelt = findMisspeltKeys(options, known, ' in mcp.options')
  if (misspelt.length > 0)
    throw new ConfigError(misspelt.map((problem) => ({ code: 'bad_package', file, ...problem })))
  return {
    servers: servers.map((server, index) => {
      const choice = readServerChoice(server)
      if ('id' in choice) return choice
      const message = `mcp.servers[${index}]: ${choice.fault}`
      throw new ConfigError({ code: 'bad_package', message, file })
    }),
    modules: [],
    declared: written !== undefined && written !== null,
    maxTurn: options.max_turn ?? defaultMaxTurn,
    maxTurnKey: 'mcp.options.max_turn',
    loop: options.tool_loop ?? true,
    most: maxTools,
  }
}

/** Reads one server as packages and hooks name it. */
export function readServerChoice(server: unknown): ServerChoice | { fault: string } {
  const read = serverSchema.safeParse(server)
  if (read.success) return read.data
  return {
    fault: 'must be "id", {"server_id": "id", "tools": […]}, {"id": ["tool"]} or {"id": {"tools": […]}}',
  }
}

/** In the Yao engine an empty list means all tools. */
function withTools(id: string, tools: string[] | undefined): ServerChoice {
  return { id, ...defined({ tools: tools?.length === 0 ? undefined : tools }) }
}
