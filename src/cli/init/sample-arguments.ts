import { isRecord } from '../../json/json.ts'

export interface SampleArguments {
  value: Record<string, unknown>
  /** A value is made up, so the tool may not know it. */
  isMadeUp: boolean
}

const formats: Record<string, string> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** Arguments that fit a JSON Schema: what is required, and nothing else. */
export function sampleArguments(schema: Record<string, unknown>): SampleArguments {
  let isMadeUp = false
  const sample = (part: unknown): unknown => {
    const {
      enum: choices,
      const: only,
      default: standard,
      examples,
      type,
      ...more
    } = isRecord(part) ? part : {}
    const given = [only, standard, ...list(examples), ...list(choices)].find((value) => value !== undefined)
    if (given !== undefined) return given
    const [kind] = list(type).length > 0 ? list(type) : [type]
    if (kind === 'object' || isRecord(more.properties)) return sampleObject(more)
    if (kind === 'boolean') return false
    if (kind === 'null') return null
    if (kind === 'array')
      return typeof more.minItems === 'number' && more.minItems > 0 ? [sample(more.items)] : []
    isMadeUp = true
    if (kind === 'number' || kind === 'integer') return typeof more.minimum === 'number' ? more.minimum : 1
    return formats[String(more.format)] ?? 'example'
  }
  const sampleObject = ({ properties, required }: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      list(required).map((name) => [
        String(name),
        sample(isRecord(properties) ? properties[String(name)] : undefined),
      ]),
    )
  const value = sampleObject(schema)
  return { value, isMadeUp }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
