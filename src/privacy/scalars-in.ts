import { isRecord } from '../json/json.ts'

const typesOfSchemas = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** What stands in fields that have no value: to hide these words would hide nothing. */
const noValues = new Set([...typesOfSchemas, 'none', 'true', 'false', 'undefined', 'unknown'])

/** The texts and numbers in the value of a field. */
export function scalarsIn(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'string') return noValues.has(value.toLowerCase()) ? [] : [value]
  if (typeof value !== 'object' || value === null || isSchema(value)) return []
  return Object.values(value).flatMap(scalarsIn)
}

/** A schema says of a field what may be in it. */
function isSchema(value: object): boolean {
  return isRecord(value) && typeof value.type === 'string' && typesOfSchemas.includes(value.type)
}
