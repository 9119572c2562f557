import { extractJson } from '../../../json/extract-json.ts'
import { isRecord } from '../../../json/json.ts'
import type { Reply } from '../../../results/transcript/reply.ts'
import type { CheckCandidate, Suggest } from './candidate.ts'
import { isHidden } from './text-checks.ts'

const mostLeaves = 20

/** The values in the JSON of the reply that are others now, or gone. */
export const suggestDataChecks: Suggest = ({ original, damaged }) => {
  const before = readData(original)
  if (before === undefined) return []
  const after = readData(damaged)
  const kept = new Map(
    after === undefined ? [] : listLeaves(after.value).map(({ path, value }) => [path, value]),
  )
  const lost = listLeaves(before.value).filter(({ path, value }) => kept.get(path) !== value)
  const type = Array.isArray(before.value) ? 'array' : 'object'
  const leaves = lost.slice(0, mostLeaves).map(({ path, value }): CheckCandidate => {
    return { assertion: { type: 'json_path', path, value }, cost: 0.9 + path.length / 200, looksAt: 'reply' }
  })
  // What the whole reply is, where it is nothing but data.
  const whole: CheckCandidate[] =
    after === undefined && !hasWords(original)
      ? [{ assertion: { type: 'type', value: type }, cost: 0.8, looksAt: 'reply' }]
      : []
  return [...whole, ...leaves]
}

function readData({ output }: Reply): { value: unknown } | undefined {
  const found = typeof output === 'string' ? extractJson(output) : { value: output }
  return found !== undefined && (isRecord(found.value) || Array.isArray(found.value)) ? found : undefined
}

function hasWords({ output }: Reply): boolean {
  return typeof output === 'string' && !/^\s*[[{]/.test(output)
}

interface Leaf {
  path: string
  value: string | number | boolean | null
}

/** Short values with their paths. */
function listLeaves(value: unknown, path = '$'): Leaf[] {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return [{ path, value }]
  if (typeof value === 'string') return value.length > 60 || isHidden(value) ? [] : [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => listLeaves(item, `${path}[${index}]`))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, part]) => listLeaves(part, path + step(key)))
}

function step(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
