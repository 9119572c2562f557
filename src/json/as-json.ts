/** A value as plain JSON: what JSON has no words for is shown in a few of our own. Never throws. */
export function asJson(value: unknown): unknown {
  return plain(value, new Set())
}

const deepest = 200

function plain(value: unknown, around: Set<object>): unknown {
  switch (typeof value) {
    case 'bigint':
      return `${value}n`
    case 'function':
      return '[function]'
    case 'symbol':
      return String(value)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'object':
      return value === null ? null : plainObject(value, around)
    default:
      return value
  }
}

function plainObject(value: object, around: Set<object>): unknown {
  if (around.has(value)) return '[circular]'
  if (around.size >= deepest) return '[too deep]'
  if (value instanceof Error) return { name: value.name, message: value.message }
  around.add(value)
  try {
    const told = ownJson(value)
    if (told !== value) return plain(told, around)
    if (Array.isArray(value)) return value.map((item) => plain(item ?? null, around))
    if (value instanceof Map) return plain([...value], around)
    if (value instanceof Set) return plain([...value], around)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, plain(item, around)]),
    )
  } catch (error) {
    return `[unreadable: ${error instanceof Error ? error.message : String(error)}]`
  } finally {
    around.delete(value)
  }
}

/** Dates and others say themselves what they are in JSON. */
function ownJson(value: object): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? toJSON.call(value) : value
}
