import { createRequire } from 'node:module'
import { isRecord } from '../../../json/json.ts'
import type { Data } from '../../../results/transcript/message.ts'
import { isFunction } from '../is-function.ts'

/** Schemas of tool arguments, recognized by their shape: the libraries are the user's. */

/** https://standardschema.dev: zod, valibot, arktype and others. */
interface StandardSchema {
  validate(value: unknown): unknown
  jsonSchema?: { input(options: { target: string }): unknown }
}

/** Returns the JSON Schema of a schema. Throws an error whose message continues “the schema …”. */
export async function toJsonSchema(written: unknown, file: string): Promise<Data> {
  const schema = resolveLazy(written)
  const standard = standardSchema(schema)
  const found =
    standard === undefined
      ? await readPlain(schema)
      : (standard.jsonSchema?.input({ target: 'draft-2020-12' }) ?? (await convertByProject(schema, file)))
  if (isRecord(found) && !Array.isArray(found)) return found
  throw new Error('is not a JSON Schema, a zod schema or one made by jsonSchema()')
}

/** Returns the arguments as the schema reads them, with its defaults and transformations. */
export async function validateInput(written: unknown, args: unknown, tool: string): Promise<unknown> {
  const schema = resolveLazy(written)
  const standard = standardSchema(schema)
  if (standard !== undefined) {
    const result = await standard.validate(args)
    if (!isRecord(result) || !Array.isArray(result.issues)) return isRecord(result) ? result.value : args
    throw new Error(`wrong arguments for ${tool}: ${result.issues.map(describeIssue).join('; ')}`)
  }
  if (!isRecord(schema) || !isFunction(schema.validate)) return args
  const result = await schema.validate(args)
  if (!isRecord(result) || result.success === true) return isRecord(result) ? result.value : args
  const { error } = result
  throw new Error(`wrong arguments for ${tool}: ${error instanceof Error ? error.message : String(error)}`)
}

/** The AI SDK makes some schemas only when they are needed. */
function resolveLazy(schema: unknown): unknown {
  return isFunction(schema) && !('~standard' in schema) ? schema() : schema
}

/** Schemas of some libraries are functions. */
function standardSchema(schema: unknown): StandardSchema | undefined {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return undefined
  const standard = '~standard' in schema ? schema['~standard'] : undefined
  return isRecord(standard) && isFunction(standard.validate)
    ? (standard as unknown as StandardSchema)
    : undefined
}

/** `jsonSchema()` of the AI SDK wraps the schema under a key that JSON Schema does not have. */
function readPlain(schema: unknown): unknown {
  return isRecord(schema) && 'jsonSchema' in schema ? schema.jsonSchema : schema
}

/** Older libraries cannot describe their schemas themselves. zod and the AI SDK can, if the project has them. */
async function convertByProject(schema: unknown, file: string): Promise<unknown> {
  const zod = requireFrom('zod', file)
  if (isRecord(schema) && '_zod' in schema && isFunction(zod?.toJSONSchema))
    return zod.toJSONSchema(schema, { io: 'input' })
  const sdk = requireFrom('ai', file)
  const converted = isFunction(sdk?.asSchema) ? sdk.asSchema(schema) : undefined
  if (isRecord(converted)) return converted.jsonSchema
  throw new Error('cannot be converted to JSON Schema: use zod 4, or jsonSchema() of the AI SDK')
}

function requireFrom(name: string, file: string): Data | undefined {
  try {
    const found: unknown = createRequire(file)(name)
    return isRecord(found) ? found : undefined
  } catch {
    return undefined
  }
}

function describeIssue(issue: unknown): string {
  const { path, message } = isRecord(issue) ? issue : {}
  const keys = (Array.isArray(path) ? path : []).map((key: unknown) =>
    String(isRecord(key) && 'key' in key ? key.key : key),
  )
  return `${keys.join('.')} ${String(message)}`.trim()
}
