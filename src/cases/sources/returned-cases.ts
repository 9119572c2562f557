import { ConfigError, errorMessage, InfrastructureError, InterruptedError } from '../../errors.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import type { CaseFormat } from '../formats/case-format.ts'

const rethrownErrors = [ConfigError, InfrastructureError, InterruptedError]

/** Cases that user code returns: a list, or an object with `cases` and optional `defaults`. */
export function createReturnedCases(wanted: string, give: (path: string) => Promise<unknown>): CaseFormat {
  const problem = (code: string, message: string) => ({ code, message, line: 1, column: 1 })
  return {
    async *documents(path) {
      let value: unknown
      try {
        value = await give(path)
      } catch (error) {
        if (rethrownErrors.some((kind) => error instanceof kind)) throw error
        yield problem('module_failed', errorMessage(error))
        return
      }
      const cases = readCaseList(value)
      if (cases === undefined) yield problem('wrong_type', wanted)
      for (const item of cases ?? [])
        yield { value: item, line: 1, issues: [], position: () => ({ line: 1, column: 1 }) }
    },
    parse: parseJson,
  }
}

export function readCaseList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isRecord(value) || !Array.isArray(value.cases)) return undefined
  return [...(value.defaults === undefined ? [] : [{ defaults: value.defaults }]), ...value.cases]
}
