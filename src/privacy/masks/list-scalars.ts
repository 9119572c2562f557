import { isRecord } from '../../json/json.ts'

const schemaTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** Words in fields that have no value: redacting them everywhere would protect nothing. */
const placeholders = new Set([...schemaTypes, 'none', 'true', 'false', 'undefined', 'unknown'])

/** The texts and numbers in the value of a field, at any depth. */
export function listScalars(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'string') return placeholders.has(value.toLowerCase()) ? [] : [value]
  if (typeof value !== 'object' || value === null || isSchema(value)) return []
  return Object.values(value).flatMap(listScalars)
}

/** A schema describes a field and has no value of it. */
function isSchema(value: object): boolean {
  return isRecord(value) && typeof value.type === 'string' && schemaTypes.includes(value.type)
}
