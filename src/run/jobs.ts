import { createHash } from 'node:crypto'
import type { CaseList } from '../cases/case-list.ts'
import { type CaseEntry, isScriptTest, type Job } from '../cases/entry.ts'
import { ConfigError } from '../errors.ts'
import { type ItemList, itemAt, LazyList } from '../json/lazy-list.ts'
import { type Redactor, redactKey } from '../privacy/redact.ts'
import { NumberColumn } from '../results/columns/number-column.ts'
import { type Key, scriptVariant } from '../results/key.ts'
import { type PlannedResults, ResultPlan } from '../results/planned-results.ts'

/** The jobs of a run. They may be made each time they are asked for, so they have no identity. */
export type JobList = ItemList<Job>

/** Whether a case is played with a variant. Tests of one script file are wanted together. */
export type IsWanted = (entry: CaseEntry, variant: string) => boolean

/**
 * Makes one job per case, variant and run; the tests of a script file are one job. The hash covers the cases, not the
 * files they came from.
 */
export function makeJobs(
  entries: CaseList,
  variants: Iterable<string>,
  runs = 1,
  isWanted?: IsWanted,
): JobList {
  const { planHash, groups } = groupEntries(entries)
  const all = [...variants]
  const variantNumbers = new Map<string, number>()
  // By the number of the job.
  const [groupOf, variantOf, runOf] = [new NumberColumn(), new NumberColumn(), new NumberColumn()]
  let length = 0
  for (let group = 0; group < groups.length; group++) {
    for (const variant of groups.ownVariant(group) ?? all) {
      if (isWanted?.(itemAt(entries, groups.places(group)[0] ?? 0), variant) === false) continue
      if (!variantNumbers.has(variant)) variantNumbers.set(variant, variantNumbers.size)
      for (let run = 1; run <= runs; run++) {
        groupOf.set(length, group)
        variantOf.set(length, variantNumbers.get(variant) ?? 0)
        runOf.set(length, run)
        length += 1
      }
    }
  }
  const names = [...variantNumbers.keys()]
  return new LazyList(length, (index) => ({
    planHash,
    entries: groups.places(groupOf.get(index)).map((place) => itemAt(entries, place)),
    variant: names[variantOf.get(index)] ?? '',
    run: runOf.get(index),
    attempt: 1,
  }))
}

/** The variants that a case is played with: those of the run, unless it does not use its agents. */
export function entryVariants(entry: CaseEntry, variants: readonly string[]): readonly string[] {
  if (isScriptTest(entry)) return [scriptVariant]
  return 'suite' in entry.at ? (entry.at.against ?? [entry.at.suite]) : variants
}

function groupEntries(entries: CaseList): { planHash: string; groups: CaseGroups } {
  const hash = createHash('sha256')
  const groups = new CaseGroups()
  for (const entry of entries) {
    hash.update(`${JSON.stringify([entry.id, entry.hash])}\n`)
    groups.add(entry)
  }
  return { planHash: hash.digest('hex').slice(0, 16), groups }
}

/** Cases that are played together, by their places in a list. Mostly a group is one case. */
class CaseGroups {
  length = 0
  #count = 0
  /** The place of the first case of each group. */
  readonly #first = new NumberColumn()
  /** The other tests of a script file, by the number of their group. */
  readonly #others = new Map<number, number[]>()
  readonly #groupOfFile = new Map<string, number>()
  readonly #ownVariants = new Map<number, readonly string[]>()

  /** Adds the next case of the list. */
  add(entry: CaseEntry): void {
    const place = this.#count
    this.#count += 1
    const known = isScriptTest(entry) ? this.#groupOfFile.get(entry.file) : undefined
    if (known !== undefined) {
      const others = this.#others.get(known) ?? []
      others.push(place)
      this.#others.set(known, others)
      return
    }
    const group = this.length
    this.length += 1
    this.#first.set(group, place)
    if (isScriptTest(entry)) this.#groupOfFile.set(entry.file, group)
    const own = entryVariants(entry, noVariants)
    if (own !== noVariants) this.#ownVariants.set(group, own)
  }

  places(group: number): number[] {
    return [this.#first.get(group), ...(this.#others.get(group) ?? [])]
  }

  /** Undefined for cases that are played with the agents of the run. */
  ownVariant(group: number): readonly string[] | undefined {
    return this.#ownVariants.get(group)
  }
}

const noVariants: readonly string[] = []

export function resultKey(entry: CaseEntry, { variant, run, attempt }: Job): Key {
  return { file: entry.file, id: entry.id, variant, run, attempt }
}

/** The results that the journal must have in the end, by redacted keys. */
export function planResults(jobs: Iterable<Job>, redact: Redactor): ResultPlan {
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
export function findOpenJobs(jobs: JobList, finished: PlannedResults, redact: Redactor): JobList {
  if (finished.size === 0) return jobs
  const openEntries = (job: Job) =>
    job.entries.filter(
      (entry) => finished.find(redactKey(resultKey(entry, job), redact), entry.hash) === undefined,
    )
  const open = jobs.filter((job) => openEntries(job).length > 0)
  return new LazyList(open.length, (index) => {
    const job = itemAt(open, index)
    return { ...job, entries: openEntries(job) }
  })
}

function duplicateNameError({ id, variant }: Key): ConfigError {
  const message = `${id} with ${variant} is the name of two results after secrets are redacted`
  return new ConfigError({ code: 'same_name', message, hint: 'keep secrets out of names and commands' })
}
