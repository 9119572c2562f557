import { createHash } from 'node:crypto'
import { type CaseEntry, isScriptTest, type Job, suiteAgent } from '../cases/entry.ts'
import { ConfigError } from '../errors.ts'
import { type Redactor, redactKey } from '../privacy/redact.ts'
import { type Key, scriptVariant } from '../results/key.ts'
import { type PlannedResults, ResultPlan } from '../results/planned-results.ts'

/**
 * Makes one job per case, variant and run; the tests of a script file are one job. The hash covers the cases, not the
 * files they came from.
 */
export function makeJobs(entries: readonly CaseEntry[], variants: Iterable<string>, runs = 1): Job[] {
  const hash = createHash('sha256')
  for (const entry of entries) hash.update(`${JSON.stringify([entry.id, entry.hash])}\n`)
  const planHash = hash.digest('hex').slice(0, 16)
  const all = [...variants]
  const numbers = Array.from({ length: runs }, (_, index) => index + 1)
  return groupEntries(entries).flatMap((group) => {
    const against = ownVariant(group) ?? all
    return against.flatMap((variant) =>
      numbers.map((run) => ({ planHash, entries: group, variant, run, attempt: 1 })),
    )
  })
}

/** The variant of cases that do not use the agents of the run. */
function ownVariant([first]: readonly CaseEntry[]): string[] | undefined {
  if (first === undefined) return undefined
  const suite = suiteAgent(first)
  return isScriptTest(first) ? [scriptVariant] : suite === undefined ? undefined : [suite]
}

function groupEntries(entries: readonly CaseEntry[]): CaseEntry[][] {
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

export function resultKey(entry: CaseEntry, { variant, run, attempt }: Job): Key {
  return { file: entry.file, id: entry.id, variant, run, attempt }
}

/** The results that the journal must have in the end, by redacted keys. */
export function planResults(jobs: readonly Job[], redact: Redactor): ResultPlan {
  const plan = new ResultPlan()
  for (const job of jobs) {
    for (const entry of job.entries) {
      const key = redactKey(resultKey(entry, job), redact)
      if (plan.has(key)) throw duplicateNameError(key)
      plan.set(key, entry.hash)
    }
  }
  return plan
}

/** The jobs for which a resumed run has no results, or results of an earlier form of the case. */
export function findOpenJobs(
  jobs: readonly Job[],
  finished: PlannedResults,
  redact: Redactor,
): readonly Job[] {
  if (finished.size === 0) return jobs
  const isOpen = (job: Job) => (entry: CaseEntry) =>
    finished.find(redactKey(resultKey(entry, job), redact), entry.hash) === undefined
  return jobs.flatMap((job) => {
    const entries = job.entries.filter(isOpen(job))
    return entries.length === 0 ? [] : { ...job, entries }
  })
}

function duplicateNameError({ id, variant }: Key): ConfigError {
  const message = `${id} with ${variant} is the name of two results after secrets are redacted`
  return new ConfigError({ code: 'same_name', message, hint: 'keep secrets out of names and commands' })
}
