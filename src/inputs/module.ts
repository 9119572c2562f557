import { messageOf } from '../errors.ts'
import { isRecord, parseJson } from '../json.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import type { CaseFormat } from './case-format.ts'

/** A module that never comes back with its cases. */
const loadTimeoutMs = 60_000

/** A TypeScript or JavaScript module whose default export is cases, or a function that gives them. */
export function moduleFormat(scripts: ScriptHost): CaseFormat {
  return {
    async *documents(path) {
      const value = await casesFrom(path, scripts)
      if (typeof value === 'object' && value !== null && 'code' in value) {
        yield value
        return
      }
      for (const item of value) {
        yield { value: item, line: 1, issues: [], position: () => ({ line: 1, column: 1 }) }
      }
    },
    parse: parseJson,
  }
}

async function casesFrom(path: string, scripts: ScriptHost) {
  let value: unknown
  try {
    value = await scripts.call({ kind: 'cases', file: path }, { signal: AbortSignal.timeout(loadTimeoutMs) })
  } catch (error) {
    return { code: 'module_failed', message: messageOf(error), line: 1, column: 1 }
  }
  if (Array.isArray(value)) return value as unknown[]
  if (isRecord(value) && Array.isArray(value.cases)) {
    return [
      ...(value.defaults === undefined ? [] : [{ defaults: value.defaults }]),
      ...(value.cases as unknown[]),
    ]
  }
  return {
    code: 'wrong_type',
    message: 'the default export must be a list of cases, or a function that gives one',
    line: 1,
    column: 1,
  }
}
