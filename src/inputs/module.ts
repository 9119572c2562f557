import { shortDuration } from '../duration.ts'
import { messageOf } from '../errors.ts'
import { isRecord, parseJson } from '../json.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import type { CaseFormat } from './case-format.ts'

/** Where code is run, and how long it may take to give its cases. */
export interface Loading {
  scripts: ScriptHost
  timeoutMs: number
}

/** A TypeScript or JavaScript module whose default export is cases, or a function that gives them. */
export function moduleFormat(loading: Loading): CaseFormat {
  return {
    async *documents(path) {
      const value = await casesFrom(path, loading)
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

async function casesFrom(path: string, { scripts, timeoutMs }: Loading) {
  let value: unknown
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    value = await scripts.call({ kind: 'cases', file: path }, { signal })
  } catch (error) {
    const late = `the module gave no cases within ${shortDuration(timeoutMs)}`
    return {
      code: 'module_failed',
      message: signal.aborted ? late : messageOf(error),
      line: 1,
      column: 1,
      ...(signal.aborted ? { hint: 'it loops, or waits for something that does not come' } : {}),
    }
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
