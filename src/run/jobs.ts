import { createHash } from 'node:crypto'
import { agentOfSuite, type CaseEntry, isScriptTest, type Job } from '../cases/entry.ts'
import { ConfigError } from '../errors.ts'
import { type Redact, redactKey } from '../privacy/redact.ts'
import { type Key, keyText, scriptVariant } from '../results/key.ts'
import type { PlannedResults } from '../results/tally.ts'

/**
 * One job a case, variant and run; the tests of a script file are one together. The hash is of what is played, not
 * of the files it came from.
 */
export function makeJobs(entries: readonly CaseEntry[], variants: Iterable<string>, runs = 1): Job[] {
  const hash = createHash('sha256')
  for (const entry of entries) hash.update(`${JSON.stringify([entry.id, entry.hash])}\n`)
  const planHash = hash.digest('hex').slice(0, 16)
  const all = [...variants]
  const numbers = Array.from({ length: runs }, (_, index) => index + 1)
  return groupsOf(entries).flatMap((group) => {
    const against = ownVariant(group) ?? all
    return against.flatMap((variant) =>
      numbers.map((run) => ({ planHash, entries: group, variant, run, attempt: 1 })),
    )
  })
}

/** Of those that are not played against the agents of the run. */
function ownVariant([first]: readonly CaseEntry[]): string[] | undefined {
  if (first === undefined) return undefined
  const suite = agentOfSuite(first)
  return isScriptTest(first) ? [scriptVariant] : suite === undefined ? undefined : [suite]
}

function groupsOf(entries: readonly CaseEntry[]): CaseEntry[][] {
  const files = new Map<string, CaseEntry[]>()
  const groups: CaseEntry[][] = []
  for (const entry of entries) {
    const own = isScriptTest(entry) ? files.get(entry.file) : undefined
    if (own !== undefined) own.push(entry)
    else {
      const group = [entry]
      groups.push(group)
      if (isScriptTest(entry)) files.set(entry.file, group)
    }
  }
  return groups
}

export function keyOf(entry: CaseEntry, { variant, run, attempt }: Job): Key {
  return { file: entry.file, id: entry.id, variant, run, attempt }
}

/** What the journal must hold in the end. Its keys have no secrets in them. */
export function plannedResults(jobs: readonly Job[], redact: Redact): PlannedResults {
  const plan = new Map<string, string>()
  for (const job of jobs) {
    for (const entry of job.entries) {
      const key = redactKey(keyOf(entry, job), redact)
      if (plan.has(keyText(key))) throw sameName(key)
      plan.set(keyText(key), entry.hash)
    }
  }
  return plan
}

/** Those that an interrupted run has no results for, of the cases as they are now. */
export function openJobs(jobs: readonly Job[], finished: PlannedResults, redact: Redact): Job[] {
  const isOpen = (job: Job) => (entry: CaseEntry) =>
    finished.get(keyText(redactKey(keyOf(entry, job), redact))) !== entry.hash
  return jobs.flatMap((job) => {
    const entries = job.entries.filter(isOpen(job))
    return entries.length === 0 ? [] : { ...job, entries }
  })
}

function sameName({ id, variant }: Key): ConfigError {
  const message = `${id} against ${variant} stands for two results when secrets are taken out of their names`
  return new ConfigError({ code: 'same_name', message, hint: 'keep secrets out of names and commands' })
}
