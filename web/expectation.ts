import { isRecord } from '../src/json/json.ts'
import type { CheckLine } from '../src/results/line-schema.ts'
import { compareValues, type Difference } from './difference.ts'

/** What is expected of the output, and its negation if that is not `not …`. */
const relations = new Map<string, [relation: string, negated?: string]>(
  Object.entries({
    contains: ['to contain'],
    icontains: ['to contain, in upper or lower case'],
    contains_any: ['to contain any of'],
    contains_all: ['to contain all of'],
    starts_with: ['to start with'],
    ends_with: ['to end with'],
    regex: ['to match'],
    similar: ['to be similar to'],
    json_schema: ['to satisfy the schema'],
    type: ['to be of type'],
    length: ['to have a length of'],
    tool_called: ['to be called'],
    tool_order: ['these calls', 'other calls than'],
    latency: ['at most', 'more than'],
    cost: ['at most', 'more than'],
  }),
)

/** Checks that are the negation of another one. */
const opposites = new Map([
  ['not_contains', 'contains'],
  ['tool_not_called', 'tool_called'],
])

function isNegated({ type, negate }: CheckLine): boolean {
  return opposites.has(type) !== (negate === true)
}

/** The words between "Expected" and the value: `not to contain`. Empty if the value itself is expected. */
export function describeRelation(check: CheckLine): string {
  const known = relations.get(opposites.get(check.type) ?? check.type)
  const [relation = '', negated = known ? `not ${relation}` : 'anything but'] = known ?? []
  return isNegated(check) ? negated : relation
}

/** Checks that compare two values. For the others a difference would not explain the failure. */
const comparing = new Set([
  'equals',
  'json_path',
  'state',
  'similar',
  'snapshot',
  'tool_called',
  'script',
  'Equal',
  'JSONPath',
])

/** How the actual value differs from the expected one; undefined if they are easier to read separately. */
export function checkDifference(check: CheckLine): Difference | undefined {
  const { type, expected, actual } = check
  if (!comparing.has(type) || isNegated(check)) return undefined
  // Additional arguments of a call are not a difference.
  return compareValues(expected, type === 'tool_called' ? pickExpectedKeys(expected, actual) : actual)
}

function pickExpectedKeys(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((member, index) =>
      index < expected.length ? pickExpectedKeys(expected[index], member) : member,
    )
  if (!isRecord(expected) || !isRecord(actual)) return actual
  const keys = Object.keys(actual).filter((key) => Object.hasOwn(expected, key))
  return Object.fromEntries(keys.map((key) => [key, pickExpectedKeys(expected[key], actual[key])]))
}
