import { isRecord } from '../json.ts'
import {
  descend,
  type Evaluate,
  type Evaluation,
  fault,
  include,
  type Keyword,
  type KeywordContext,
  type Subschema,
} from './keyword.ts'
import { countLimits, tryPattern } from './value-keywords.ts'

/** JSON does not write a key with the value `undefined`. */
function listKeys(data: Record<string, unknown>): string[] {
  return Object.keys(data).filter((key) => data[key] !== undefined)
}

function hasKey(data: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(data, key) && data[key] !== undefined
}

function subschemas(operand: unknown, context: KeywordContext): [string, Subschema][] | undefined {
  if (!isRecord(operand)) return context.problem('must be an object of schemas')
  return Object.entries(operand).map(([key, schema]) => [key, context.subschema(schema, key)])
}

const properties: Keyword = (operand, context) => {
  const members = subschemas(operand, context)
  if (members === undefined) return undefined
  return (data, place, into) => {
    if (!isRecord(data)) return
    for (const [key, member] of members) {
      if (hasKey(data, key)) descend(into, member, data[key], { parent: place, key })
    }
  }
}

const patternProperties: Keyword = (operand, context) => {
  const members = subschemas(operand, context)?.flatMap(([source, member]) => {
    const pattern = tryPattern(source, context.problem)
    return pattern === undefined ? [] : [{ pattern, member }]
  })
  if (members === undefined) return undefined
  return (data, place, into) => {
    if (!isRecord(data)) return
    for (const key of listKeys(data)) {
      for (const { pattern, member } of members) {
        if (pattern.test(key)) descend(into, member, data[key], { parent: place, key })
      }
    }
  }
}

const additionalProperties: Keyword = (operand, context) => {
  const { properties: named, patternProperties: patterned } = context.schema
  const names = new Set(isRecord(named) ? Object.keys(named) : [])
  // Bad patterns were already reported by `patternProperties`.
  const patterns = (isRecord(patterned) ? Object.keys(patterned) : []).flatMap(
    (source) => tryPattern(source, () => undefined) ?? [],
  )
  return otherKeys(operand, context, (key) => names.has(key) || patterns.some((pattern) => pattern.test(key)))
}

const unevaluatedProperties: Keyword = (operand, context) =>
  otherKeys(operand, context, (key, into) => into.keys.has(key))

/** The schema of the keys for which no other keyword has one. */
function otherKeys(
  operand: unknown,
  context: KeywordContext,
  isNamed: (key: string, into: Evaluation) => boolean,
): Evaluate {
  const rest = context.subschema(operand)
  return (data, place, into) => {
    if (!isRecord(data)) return
    for (const key of listKeys(data)) {
      if (isNamed(key, into)) continue
      if (operand === false) fault(into, place, `has ${JSON.stringify(key)}, which is not allowed`)
      else descend(into, rest, data[key], { parent: place, key })
    }
  }
}

const propertyNames: Keyword = (operand, context) => {
  const names = context.subschema(operand)
  return (data, place, into) => {
    if (!isRecord(data)) return
    for (const key of listKeys(data)) {
      const [first] = names.evaluate(key, undefined).faults
      if (first !== undefined)
        fault(into, place, `has the key ${JSON.stringify(key)}, which ${first.message}`)
    }
  }
}

const required: Keyword = (operand, { problem }) => {
  if (!isNameList(operand)) return problem('must be a list of keys')
  return (data, place, into) => {
    if (!isRecord(data)) return
    for (const key of operand) {
      if (!hasKey(data, key)) fault(into, place, `has no ${JSON.stringify(key)}`)
    }
  }
}

function isNameList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

const keyCount = countLimits('keys', (data) => (isRecord(data) ? listKeys(data).length : undefined))

/** `dependentRequired`, `dependentSchemas`, and draft-07's `dependencies`, which is either. */
function dependent(takes: 'names' | 'schemas' | 'both'): Keyword {
  return (operand, context) => {
    if (!isRecord(operand)) return context.problem('must be an object')
    const rules = Object.entries(operand).map(([key, rule]) => {
      if (takes === 'names' && !isNameList(rule)) context.problem(`must have a list of keys for "${key}"`)
      const isNames = takes !== 'schemas' && isNameList(rule)
      return { key, names: isNames ? rule : [], schema: isNames ? undefined : context.subschema(rule, key) }
    })
    return (data, place, into) => {
      if (!isRecord(data)) return
      for (const { key, names, schema } of rules.filter((rule) => hasKey(data, rule.key))) {
        for (const name of names.filter((each) => !hasKey(data, each))) {
          fault(into, place, `has ${JSON.stringify(key)} but no ${JSON.stringify(name)}`)
        }
        if (schema !== undefined) include(into, schema.evaluate(data, place))
      }
    }
  }
}

export const objectKeywords: Record<string, Keyword> = {
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  required,
  minProperties: keyCount.least,
  maxProperties: keyCount.most,
  dependentRequired: dependent('names'),
  dependentSchemas: dependent('schemas'),
  dependencies: dependent('both'),
}

/** These apply to what no other keyword has evaluated, so they come last. */
export const unevaluatedObjectKeywords: Record<string, Keyword> = { unevaluatedProperties }
