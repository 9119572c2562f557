import { keyText } from '../results/key.ts'
import { toLine } from '../results/line.ts'
import type { ResultLine } from '../results/line-schema.ts'
import type { ResultsOptions } from '../results/read-results.ts'
import type { CaseResult } from '../results/result.ts'
import type { ResultStore } from '../results/store.ts'
import { type PlannedResults, Tally } from '../results/tally.ts'

/** Results in memory: whole ones where reports are made of them, else only what is counted. */
export function memoryStore(keepsWhole: boolean): ResultStore {
  const whole: CaseResult[] = []
  const counted: ResultLine[] = []
  return {
    path: '',
    writeStart() {},
    writeSummary() {},
    writeResult(result) {
      if (keepsWhole) whole.push(result)
      const { turns } = result.view
      const small = { ...result, view: { history: [], turns: [] }, finals: [], logs: [], checkpoints: [] }
      counted.push({ ...toLine(small), total_turns: turns.length })
    },
    async *results(plan: PlannedResults, { attempts = false }: ResultsOptions = {}) {
      const last = new Map(whole.map((result) => [keyText(result.key), result]))
      for (const result of whole) {
        if (!plan.has(keyText(result.key))) continue
        if (attempts || last.get(keyText(result.key)) === result) yield result
      }
    },
    async tally(plan) {
      const tally = new Tally(plan)
      for (const line of counted) tally.add(line)
      return tally
    },
    close() {},
  }
}
