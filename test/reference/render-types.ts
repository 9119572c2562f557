import { spawnSync } from 'node:child_process'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { repository } from '../support/command.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** A TypeScript file with the input types of schemas. */
export interface TypeFile {
  /** Relative to the repository. */
  path: string
  /** The schemas, by the names of their types. */
  types: Record<string, z.ZodType>
  /** The file that declares some of the named schemas already. */
  builtOn?: TypeFile
}

/** The types that zod derives have no doc comments, so they are written out, with the descriptions of the schema. */
export function renderTypes({ path, types, builtOn }: TypeFile): string {
  const known = builtOn === undefined ? new Map() : listTypes(builtOn.types)
  const declarations = [...listTypes(types)]
    .filter(([name]) => !known.has(name))
    .map(([name, schema]) => declare(name, schema))
  const imported = [...known.keys()]
    .filter((name) => declarations.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
    .sort()
  const from = builtOn && relative(dirname(path), builtOn.path)
  const imports = from === undefined ? [] : [`import type { ${imported.join(', ')} } from '${from}'`]
  const note = '// Generated from the schema by `npm run generate`. Do not edit.'
  return format(path, [note, ...imports, ...declarations].join('\n\n'))
}

function listTypes(types: TypeFile['types']): Map<string, Schema> {
  const found = new Map<string, Schema>()
  for (const [name, schema] of Object.entries(types)) {
    const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    for (const [id, definition] of Object.entries($defs)) found.set(typeName(id), definition)
    // A schema that refers to itself is one of the definitions.
    if (root.$ref === undefined) found.set(name, root)
  }
  return found
}

/** `tool-called-assertion` → `ToolCalledAssertionInput` */
function typeName(id: string): string {
  const words = id.split('-').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Input`
}

function declare(name: string, schema: Schema): string {
  const isInterface = schema.properties !== undefined && schema.oneOf === undefined
  const body = isInterface ? `interface ${name} ${objectType(schema)}` : `type ${name} = ${typeText(schema)}`
  return `${comment(schema.description)}export ${body}`
}

function typeText(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === 'boolean') return 'unknown'
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1) ?? '')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return variants.map(typeText).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map(simpleType).join(' | ')
  if (schema.type === 'array') return `Array<${typeText((schema.items as Schema) ?? {})}>`
  if (schema.properties !== undefined) return objectType(schema)
  if (schema.type === 'object') return `Record<string, ${typeText(schema.additionalProperties ?? {})}>`
  return simpleType(schema.type)
}

function simpleType(type: string | undefined): string {
  return type === undefined ? 'unknown' : type === 'integer' ? 'number' : type
}

function objectType({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([key, field]) => {
    const schema = field as Schema
    const type = typeText(schema)
    const isOptional = !required.includes(key)
    const suffix = isOptional && type !== 'unknown' ? ' | undefined' : ''
    const examples = schema.type === 'string' ? (schema.examples as unknown[] | undefined) : undefined
    return `${comment(schema.description, examples)}${key}${isOptional ? '?' : ''}: ${type}${suffix}`
  })
  return `{\n${fields.join('\n')}\n}`
}

/** A doc comment of lines that are not too long at any depth. */
function comment(text = '', examples: readonly unknown[] = []): string {
  const shown = examples.map((example) => `\`${String(example)}\``).join(', ')
  const lines = wrap([text, ...(shown === '' ? [] : [`For example: ${shown}`])].join('. '), 100)
  if (text === '') return ''
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.replaceAll('*/', '*\\/').split(/\s+/)) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function format(path: string, source: string): string {
  const biome = join(repository, 'node_modules/.bin/biome')
  const { status, stdout, stderr } = spawnSync(biome, ['format', `--stdin-file-path=${path}`], {
    cwd: repository,
    input: source,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${path}: ${stderr}\n${source}`)
  return stdout
}
