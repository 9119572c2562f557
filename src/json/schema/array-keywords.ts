import { sortedJson } from '../json.ts'
import { descend, type Evaluate, fault, type Keyword, type KeywordContext } from './keyword.ts'
import { countLimits, isCount } from './value-keywords.ts'

const prefixItems: Keyword = (operand, context) => {
  if (!Array.isArray(operand)) return context.problem('must be a list of schemas')
  const members = operand.map((schema, index) => context.subschema(schema, index))
  return (data, place, into) => {
    if (!Array.isArray(data)) return
    for (const [key, member] of members.slice(0, data.length).entries())
      descend(into, member, data[key], { parent: place, key })
  }
}

// In draft-07, a list means `prefixItems`.
const items: Keyword = (operand, context) => {
  if (Array.isArray(operand)) return prefixItems(operand, context)
  return itemsAfter(context.schema.prefixItems, operand, context)
}

const additionalItems: Keyword = (operand, context) => {
  const evaluate = itemsAfter(context.schema.items, operand, context)
  return Array.isArray(context.schema.items) ? evaluate : undefined
}

/** The schema of the items for which a list of schemas has none. */
function itemsAfter(before: unknown, operand: unknown, context: KeywordContext): Evaluate {
  const from = Array.isArray(before) ? before.length : 0
  const rest = context.subschema(operand)
  return (data, place, into) => {
    if (!Array.isArray(data)) return
    if (operand === false && data.length > from)
      fault(into, place, `must have at most ${from} items, has ${data.length}`)
    else for (let key = from; key < data.length; key++) descend(into, rest, data[key], { parent: place, key })
  }
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

const itemCount = countLimits('items', (data) => (Array.isArray(data) ? data.length : undefined))

export const arrayKeywords: Record<string, Keyword> = {
  prefixItems,
  items,
  additionalItems,
  contains,
  minContains: containsLimit,
  maxContains: containsLimit,
  uniqueItems,
  minItems: itemCount.least,
  maxItems: itemCount.most,
}

/** These apply to what no other keyword has evaluated, so they come last. */
export const unevaluatedArrayKeywords: Record<string, Keyword> = { unevaluatedItems }
