import { sortedJson } from '../json.ts'
import {
  type DataPlace,
  descend,
  type Evaluation,
  fault,
  type Keyword,
  type KeywordContext,
  type Subschema,
} from './keyword.ts'
import { isCount } from './value-keywords.ts'

function tuple(operand: unknown[], context: KeywordContext): Subschema[] {
  return operand.map((schema, index) => context.subschema(schema, index))
}

function descendTuple(
  into: Evaluation,
  members: Subschema[],
  data: unknown[],
  place: DataPlace | undefined,
): void {
  for (const [key, member] of members.slice(0, data.length).entries()) {
    descend(into, member, data[key], { parent: place, key })
  }
}

function descendRest(
  into: Evaluation,
  from: number,
  rest: Subschema,
  data: unknown[],
  place: DataPlace | undefined,
): void {
  for (let key = from; key < data.length; key++) descend(into, rest, data[key], { parent: place, key })
}

const prefixItems: Keyword = (operand, context) => {
  if (!Array.isArray(operand)) return context.problem('must be a list of schemas')
  const members = tuple(operand, context)
  return (data, place, into) => {
    if (Array.isArray(data)) descendTuple(into, members, data, place)
  }
}

// In draft-07, a list means `prefixItems`.
const items: Keyword = (operand, context) => {
  if (Array.isArray(operand)) return prefixItems(operand, context)
  const { prefixItems: before } = context.schema
  const from = Array.isArray(before) ? before.length : 0
  const rest = context.subschema(operand)
  return (data, place, into) => {
    if (!Array.isArray(data)) return
    if (operand === false && data.length > from) fault(into, place, tooMany(from, data.length))
    else descendRest(into, from, rest, data, place)
  }
}

const additionalItems: Keyword = (operand, context) => {
  const { items: before } = context.schema
  const rest = context.subschema(operand)
  if (!Array.isArray(before)) return undefined
  return (data, place, into) => {
    if (!Array.isArray(data)) return
    if (operand === false && data.length > before.length)
      fault(into, place, tooMany(before.length, data.length))
    else descendRest(into, before.length, rest, data, place)
  }
}

function tooMany(most: number, length: number): string {
  return `must have at most ${most} items, has ${length}`
}

const unevaluatedItems: Keyword = (operand, context) => {
  const rest = context.subschema(operand)
  return (data, place, into) => {
    if (!Array.isArray(data)) return
    for (const [key, member] of data.entries()) {
      if (into.items.has(key)) continue
      if (operand === false) fault(into, place, `has an item at ${key}, which is not allowed`)
      else descend(into, rest, member, { parent: place, key })
    }
  }
}

const contains: Keyword = (operand, context) => {
  const member = context.subschema(operand)
  const { minContains, maxContains } = context.schema
  const least = isCount(minContains) ? minContains : 1
  const most = isCount(maxContains) ? maxContains : Number.POSITIVE_INFINITY
  return (data, place, into) => {
    if (!Array.isArray(data)) return
    const matches = data.flatMap((item, index) =>
      member.evaluate(item, undefined).faults.length === 0 ? [index] : [],
    )
    for (const index of matches) into.items.add(index)
    if (matches.length < least)
      fault(into, place, `must contain at least ${least} items that match "contains", has ${matches.length}`)
    if (matches.length > most)
      fault(into, place, `must contain at most ${most} items that match "contains", has ${matches.length}`)
  }
}

/** These are read by `contains`. */
const containsLimit: Keyword = (operand, { problem }) =>
  isCount(operand) ? undefined : problem('must be a whole number, 0 or more')

const uniqueItems: Keyword = (operand, { problem }) => {
  if (typeof operand !== 'boolean') return problem('must be true or false')
  if (!operand) return undefined
  return (data, place, into) => {
    if (!Array.isArray(data)) return
    const seen = new Map<string, number>()
    for (const [index, item] of data.entries()) {
      const json = sortedJson(item)
      const earlier = seen.get(json)
      if (earlier === undefined) seen.set(json, index)
      else return fault(into, place, `must have no item twice, but ${earlier} and ${index} are the same`)
    }
  }
}

function size(words: string, holds: (count: number, limit: number) => boolean): Keyword {
  return (operand, { problem }) => {
    if (!isCount(operand)) return problem('must be a whole number, 0 or more')
    return (data, place, into) => {
      if (!Array.isArray(data) || holds(data.length, operand)) return
      fault(into, place, `must have ${words} ${operand} items, has ${data.length}`)
    }
  }
}

export const arrayKeywords: Record<string, Keyword> = {
  prefixItems,
  items,
  additionalItems,
  contains,
  minContains: containsLimit,
  maxContains: containsLimit,
  uniqueItems,
  minItems: size('at least', (count, least) => count >= least),
  maxItems: size('at most', (count, most) => count <= most),
}

/** These apply to what no other keyword has evaluated, so they come last. */
export const unevaluatedArrayKeywords: Record<string, Keyword> = { unevaluatedItems }
