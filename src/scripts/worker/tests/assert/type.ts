import { isInteger } from '../../../../json/equal/untouched.ts'
import { findNearest } from '../../../../text/nearest.ts'
import { describeKind, kindNames, valueKind } from '../kind.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { failVerdict, held, type TestAssertion } from './definition.ts'

export const type: TestAssertion = {
  takes: ['the value', 'the name of a type'],
  takesPromises: true,
  judge(value, name) {
    if (typeof name !== 'string' || !isKnown(name)) return failVerdict(describeUnknownType(name))
    const kind = valueKind(value)
    if (kind === name) return held
    if (kind === 'promise') return failVerdict('the value is a promise: await it', name, 'promise')
    if (name === 'integer' && isInteger(value)) return held
    // Dates, Maps and errors are objects, too; arrays, in common usage, are not.
    if (name === 'object' && typeof value === 'object' && value !== null && kind !== 'array') return held
    return failVerdict(`expected type ${name}, got ${showWithKind(value)}`, name, kind)
  },
}

function isKnown(name: string): boolean {
  for (let index = 0; index < kindNames.length; index++) if (kindNames[index] === name) return true
  return false
}

function describeUnknownType(name: unknown): string {
  if (typeof name !== 'string') return `Type needs the name of a type, got ${describeKind(name)}`
  const meant = findNearest(name, kindNames)
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return `${showValue(name)} is not a type${hint}; the known ones are ${kindNames.join(', ')}`
}
