import { z } from 'zod'
import { type AssertionDefinition, commonFields } from './definition.ts'

/** The Markdown reference: a table of the types, the common fields, then each type with its fields and an example. */
export function renderReference(definitions: readonly AssertionDefinition[]): string {
  return [
    '| type | passes when |',
    '| --- | --- |',
    ...definitions.map(({ type, about }) => formatRow([`[\`${type}\`](#${type})`, about])),
    '',
    'Every assertion accepts these fields:',
    '',
    ...fieldTable(commonFields),
    '',
    ...definitions.flatMap(renderSection),
  ].join('\n')
}

function renderSection({ type, about, fields, example }: AssertionDefinition): string[] {
  return [
    `## ${type}`,
    '',
    about,
    '',
    ...fieldTable(fields),
    '',
    '```json',
    JSON.stringify(example),
    '```',
    '',
  ]
}

function fieldTable(fields: z.ZodRawShape): string[] {
  const { properties = {}, required = [], $defs = {} } = z.toJSONSchema(z.object(fields), { io: 'input' })
  const rows = Object.entries(properties).map(([name, property]) => {
    const schema = dereference(property, $defs)
    return formatRow([
      `\`${name}\`${required.includes(name) ? '' : '?'}`,
      typeName(schema),
      readDescription(property) || readDescription(schema),
    ])
  })
  return ['| field | type | meaning |', '| --- | --- | --- |', ...rows]
}

type JsonSchema = z.core.JSONSchema._JSONSchema

// Recursive schemas, such as a list of assertions, are in `$defs`.
function dereference(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const name = typeof schema === 'boolean' ? undefined : schema.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : definitions[name]) ?? schema
}

function typeName(schema: JsonSchema): string {
  if (typeof schema === 'boolean') return 'any'
  if (schema.enum !== undefined) return schema.enum.map((member) => `\`${String(member)}\``).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeName))].join(' or ')
  return String(schema.type ?? 'any')
}

function readDescription(schema: JsonSchema): string {
  return typeof schema === 'boolean' ? '' : (schema.description ?? '')
}

function formatRow(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
