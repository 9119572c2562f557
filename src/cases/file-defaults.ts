import { type Issue, issuesOf } from '../issues.ts'
import { isRecord } from '../json.ts'
import { caseSchema } from './case-schema.ts'

/** What every case of a file has unless it says otherwise: a first `{"defaults": {…}}`. */
export type FileDefaults = Record<string, unknown>

/** All but what makes a case that case. */
const defaultsSchema = caseSchema.omit({ id: true }).partial()

/** Undefined for a document that is a case. */
export function fileDefaultsOf(value: unknown): { defaults: FileDefaults; issues: Issue[] } | undefined {
  if (!isRecord(value) || !('defaults' in value) || 'id' in value) return undefined
  const { defaults, ...others } = value
  const { error } = defaultsSchema.safeParse(defaults, { reportInput: true })
  const issues = error
    ? issuesOf(error, defaultsSchema, '`defaults`').map((issue) => ({
        ...issue,
        path: ['defaults', ...issue.path],
      }))
    : []
  for (const key of Object.keys(others)) {
    issues.push({ code: 'unknown_key', path: [], key, message: `unknown key "${key}" beside "defaults"` })
  }
  return { defaults: isRecord(defaults) ? defaults : {}, issues }
}

/** The case's own keys win; `metadata` and `options` are merged key by key. */
export function withFileDefaults(
  written: Record<string, unknown>,
  defaults: FileDefaults,
): Record<string, unknown> {
  const merged = { ...defaults, ...written }
  for (const key of ['metadata', 'options']) {
    if (isRecord(defaults[key]) && isRecord(written[key])) merged[key] = { ...defaults[key], ...written[key] }
  }
  return merged
}
