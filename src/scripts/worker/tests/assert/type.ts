import { isInteger } from '../../../../json/equal/untouched.ts'
import { nearest } from '../../../../text/nearest.ts'
import { kindWords, valueKind } from '../kind.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { broken, type Definition, held } from './definition.ts'

const known = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
  'undefined',
  'function',
  'bigint',
  'symbol',
  'date',
  'map',
  'set',
  'promise',
  'error',
  'regexp',
]

export const type: Definition = {
  takes: ['the value', 'the name of a type'],
  takesPromises: true,
  judge(value, name) {
    if (typeof name !== 'string' || !isKnown(name)) return broken(unknownType(name))
    const kind = valueKind(value)
    if (kind === name) return held
    if (kind === 'promise') return broken('the value is a promise: await it', name, 'promise')
    if (name === 'integer' && isInteger(value)) return held
    // Dates, Maps and errors are objects, too; arrays, in common usage, are not.
    if (name === 'object' && typeof value === 'object' && value !== null && kind !== 'array') return held
    return broken(`expected type ${name}, got ${showWithKind(value)}`, name, kind)
  },
}

function isKnown(name: string): boolean {
  for (let index = 0; index < known.length; index++) if (known[index] === name) return true
  return false
}

function unknownType(name: unknown): string {
  if (typeof name !== 'string') return `Type needs the name of a type, got ${kindWords(name)}`
  const meant = nearest(name, known)
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return `${showValue(name)} is not a type${hint}; the known ones are ${known.join(', ')}`
}
