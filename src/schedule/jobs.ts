import { createHash } from 'node:crypto'
import type { CaseEntry, Job } from '../cases/entry.ts'
import { type Key, keyText } from '../results/key.ts'
import type { PlannedResults } from '../results/tally.ts'

/** One job a case and variant. The hash is of what is played, not of the files it came from. */
export function makeJobs(entries: readonly CaseEntry[], variants: Iterable<string>): Job[] {
  const hash = createHash('sha256')
  for (const entry of entries) hash.update(`${JSON.stringify([entry.id, entry.hash])}\n`)
  const planHash = hash.digest('hex').slice(0, 16)
  const all = [...variants]
  return entries.flatMap((entry) =>
    all.map((variant) => ({ planHash, entries: [entry], variant, run: 1, attempt: 1 })),
  )
}

export function keyOf(entry: CaseEntry, { variant, run, attempt }: Job): Key {
  return { file: entry.file, id: entry.id, variant, run, attempt }
}

/** What the journal must hold in the end. */
export function plannedResults(jobs: readonly Job[]): PlannedResults {
  return new Map(jobs.flatMap((job) => job.entries.map((entry) => [keyText(keyOf(entry, job)), entry.hash])))
}
