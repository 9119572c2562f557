import { shortDuration } from '../duration.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import type { CaseFormat } from './case-format.ts'
import { givenCases } from './given-cases.ts'

/** Where code is run, and how long it may take to give its cases. */
export interface Loading {
  scripts: ScriptHost
  timeoutMs: number
}

/** A TypeScript or JavaScript module whose default export is cases, or a function that gives them. */
export function moduleFormat({ scripts, timeoutMs }: Loading): CaseFormat {
  const wanted = 'the default export must be a list of cases, or a function that gives one'
  return givenCases(wanted, async (path) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await scripts.call({ kind: 'cases', file: path }, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
      const why = 'it loops, or waits for something that does not come'
      throw new Error(`the module gave no cases within ${shortDuration(timeoutMs)} (${why})`)
    }
  })
}
