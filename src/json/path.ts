import { isRecord } from './json.ts'
import { compileJsonPath } from './rfc-9535.ts'

/** A value found in JSON. It is wrapped in an object, because `null` is a value too. */
export interface Found {
  value: unknown
}

/** Where something is in JSON data: a dotted path, or a JSONPath. */
export interface DataPath {
  source: string
  /** The value at the path: a single match as it is, several as an array. */
  find(data: unknown): Found | undefined
}

/** Throws an error with a message for the author when the path is neither. */
export function compilePath(source: string): DataPath {
  const steps = plainSteps(source)
  if (steps !== undefined) return { source, find: (data) => follow(steps, data) }
  const query = compileJsonPath(withRoot(source))
  return {
    source,
    find(data) {
      const matches = query(data)
      if (matches.length === 0) return undefined
      return { value: matches.length === 1 ? matches[0] : matches }
    },
  }
}

type Step = string | number

// A name without characters that JSONPath uses, then indexes: `items`, `user-id`, `items[0][-1]`.
const plainPart = /^(?!\s)([^[\]()*?'"]*)(?<!\s)((?:\[(?:0|-?[1-9]\d{0,14})\])*)$/

/** `$.items[0].user-id` as steps; undefined if the path has more than names and indexes. */
function plainSteps(source: string): Step[] | undefined {
  if (source === '$') return []
  const body = source.startsWith('$.') ? source.slice(2) : source.replace(/^\$(?=\[)/, '')
  const steps: Step[] = []
  for (const [position, part] of body.split('.').entries()) {
    const [, name, indexes = ''] = plainPart.exec(part) ?? []
    const mayBeNameless = position === 0 && indexes !== '' && !source.startsWith('$.')
    if (name === undefined || (name === '' && !mayBeNameless)) return undefined
    if (name !== '') steps.push(name)
    for (const index of indexes.matchAll(/-?\d+/g)) steps.push(Number(index[0]))
  }
  return steps
}

function follow(steps: readonly Step[], data: unknown): Found | undefined {
  let value = data
  for (const step of steps) {
    const next = isRecord(value)
      ? member(value, step)
      : Array.isArray(value)
        ? element(value, step)
        : undefined
    if (next === undefined) return undefined
    value = next.value
  }
  return value === undefined ? undefined : { value }
}

function member(record: Record<string, unknown>, step: Step): Found | undefined {
  return typeof step === 'string' && Object.hasOwn(record, step) ? { value: record[step] } : undefined
}

// `items.0` means the same as `items[0]`.
function element(array: unknown[], step: Step): Found | undefined {
  const index = typeof step === 'number' ? step : /^(?:0|[1-9]\d*)$/.test(step) ? Number(step) : Number.NaN
  const place = index < 0 ? array.length + index : index
  return place >= 0 && place < array.length ? { value: array[place] } : undefined
}

function withRoot(source: string): string {
  if (source.startsWith('$')) return source
  return /^[.[]/.test(source) ? `$${source}` : `$.${source}`
}
