import { keyText } from '../results/key.ts'
import type { PlannedResults } from '../results/planned-results.ts'
import type { ResultsOptions } from '../results/read-results.ts'
import type { CaseResult } from '../results/result.ts'
import type { ResultStore } from '../results/store.ts'
import { Tally } from '../results/tally.ts'

/** Results in memory: whole ones where reports are made of them, else they are only counted. */
export function memoryStore(plan: PlannedResults, keepsWhole: boolean): ResultStore {
  const whole: CaseResult[] = []
  const tally = new Tally(plan)
  return {
    path: '',
    writeStart() {},
    flush() {},
    writeStability() {},
    writeSummary() {},
    writeResult(result) {
      if (keepsWhole) whole.push(result)
      tally.add(result)
    },
    async *results(planned: PlannedResults, { attempts = false }: ResultsOptions = {}) {
      const last = new Map(whole.map((result) => [keyText(result.key), result]))
      for (const result of whole) {
        if (planned.hash(result.key) === undefined) continue
        if (attempts || last.get(keyText(result.key)) === result) yield result
      }
    },
    tally: async () => tally,
    close() {},
  }
}
