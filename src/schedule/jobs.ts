import { createHash } from 'node:crypto'
import type { CaseEntry, Job } from '../cases/entry.ts'
import { type Key, keyText } from '../results/key.ts'

/** One job a case. The hash is of what is played, not of the files it came from. */
export function makeJobs(entries: readonly CaseEntry[], variant: string): Job[] {
  const hash = createHash('sha256')
  for (const entry of entries) hash.update(`${JSON.stringify([entry.id, entry.hash])}\n`)
  const planHash = hash.digest('hex').slice(0, 16)
  return entries.map((entry) => ({ planHash, entries: [entry], variant, run: 1, attempt: 1 }))
}

export function keyOf(entry: CaseEntry, { variant, run, attempt }: Job): Key {
  return { file: entry.file, id: entry.id, variant, run, attempt }
}

/** Every key that must have a result, with the hash of its case. */
export function expectedResults(jobs: readonly Job[]): Map<string, string> {
  return new Map(jobs.flatMap((job) => job.entries.map((entry) => [keyText(keyOf(entry, job)), entry.hash])))
}
