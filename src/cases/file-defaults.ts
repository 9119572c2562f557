import { isRecord } from '../json/json.ts'
import { describeIssues, type Issue } from '../json/validation/issues.ts'
import { readOnce } from '../json/validation/read-once.ts'
import { withoutSchemaReference } from '../json/validation/schema-reference.ts'
import { caseSchema } from './case-schema.ts'

/** The `{"defaults": {…}}` at the start of a file, which apply to all its cases. */
export type FileDefaults = Record<string, unknown>

/** Those of most files. */
export const noDefaults: FileDefaults = {}

/** All fields of a case except its id. */
export const defaultsSchema = caseSchema.omit({ id: true }).partial().meta({ id: 'defaults' })

/** Reads the defaults; undefined if the document is a case. */
export function readFileDefaults(value: unknown): { defaults: FileDefaults; issues: Issue[] } | undefined {
  if (!isRecord(value) || !('defaults' in value) || 'id' in value) return undefined
  const { defaults, ...others } = withoutSchemaReference(value)
  const { error } = defaultsSchema.safeParse(defaults, readOnce)
  const issues = error
    ? describeIssues(error, defaultsSchema, '`defaults`').map((issue) => ({
        ...issue,
        path: ['defaults', ...issue.path],
      }))
    : []
  for (const key of Object.keys(others)) {
    issues.push({ code: 'unknown_key', path: [], key, message: `unknown key "${key}" beside "defaults"` })
  }
  return { defaults: isRecord(defaults) ? withoutSchemaReference(defaults) : {}, issues }
}

/** Whether an issue of a case comes from the defaults of its file. */
export function isInherited(
  { path, key }: Pick<Issue, 'path' | 'key'>,
  written: unknown,
  defaults: FileDefaults,
): boolean {
  const [top, inner] = [...path, ...(key === undefined ? [] : [key])]
  const comesFrom = (own: unknown, part: string | number | undefined, given: unknown) =>
    part !== undefined &&
    isRecord(given) &&
    Object.hasOwn(given, part) &&
    !(isRecord(own) && Object.hasOwn(own, part))
  if (comesFrom(written, top, defaults)) return true
  if (top === undefined || !mergedKeys.includes(String(top)) || !isRecord(written)) return false
  return comesFrom(written[top], inner, defaults[top])
}

const mergedKeys = ['metadata', 'options']

/** Keys of the case override the defaults; `metadata` and `options` are merged key by key. `$schema` is left out. */
export function withFileDefaults(
  document: Record<string, unknown>,
  defaults: FileDefaults,
): Record<string, unknown> {
  const written = withoutSchemaReference(document)
  if (defaults === noDefaults) return written
  const merged = { ...defaults, ...written }
  for (const key of mergedKeys) {
    if (isRecord(defaults[key]) && isRecord(written[key])) merged[key] = { ...defaults[key], ...written[key] }
  }
  return merged
}
