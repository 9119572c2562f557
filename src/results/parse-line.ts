import { isRecord, parseJson } from '../json/json.ts'

/** Parses one line of a journal and translates it to the current `schema_version`. Undefined when it is not JSON. */
export function parseLine(text: string): unknown {
  const line = parseJson(text)
  return isRecord(line) && oldNames.test(text) ? translateNames(line) : line
}

/** A fast test, because most lines have no old names. */
const oldNames = /"world["_]/

/** Version 1 used "world" for what is now called infrastructure. */
const renamedFields = {
  world_failures: 'infrastructure_errors',
  world_skips: 'infrastructure_skips',
} as const

function translateNames(line: Record<string, unknown>): Record<string, unknown> {
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(line))
    renamed[renamedFields[key as keyof typeof renamedFields] ?? key] = value
  if (renamed.fault === 'world') renamed.fault = 'infrastructure'
  const { termination, variants } = renamed
  if (isRecord(termination) && termination.reason === 'world_error')
    renamed.termination = { ...termination, reason: 'infrastructure_error' }
  if (isRecord(variants))
    renamed.variants = Object.fromEntries(
      Object.entries(variants).map(([name, counts]) => [
        name,
        isRecord(counts) ? translateNames(counts) : counts,
      ]),
    )
  return renamed
}
