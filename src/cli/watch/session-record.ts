import type { CaseEntry } from '../../cases/entry.ts'
import { type Redactor, redactKey } from '../../privacy/redact.ts'
import { mainEvents, type Reporter } from '../../reporters/reporter.ts'
import { spentText } from '../../reporters/spent-text.ts'
import { needsAttention } from '../../reporters/terminal-recap.ts'
import type { Key } from '../../results/key.ts'
import type { CaseResult } from '../../results/result.ts'
import { caseText } from '../../results/stability.ts'
import { addUsages, type UsageByRole } from '../../results/usage.ts'

/** What a session has found and spent in all its runs. */
export class SessionRecord {
  /** Whether a case needs attention, by file, id and variant: as it was in its last run. */
  readonly #cases = new Map<string, { run: number; failed: boolean; name: string }>()
  #run = 0
  #spentBefore: UsageByRole = {}
  #spentNow: UsageByRole = {}

  /** Listens to one run. */
  readonly reporter: Reporter = {
    name: 'session',
    events: mainEvents,
    on: (event) => {
      if (event.type === 'run_started') this.#start()
      if (event.type === 'case_finished') this.#add(event.result)
      // With what generators and reports have cost.
      if (event.type === 'run_finished') this.#spentNow = event.summary.usage
    },
  }

  hasFailed(): boolean {
    return [...this.#cases.values()].some(({ failed }) => failed)
  }

  /** Those of the cases that did not pass when they ran last. */
  failedOf(entries: readonly CaseEntry[], redact: Redactor): CaseEntry[] {
    const failed = [...this.#cases.values()].filter((each) => each.failed)
    const names = new Set(failed.map(({ name }) => name))
    return entries.filter(({ file, id }) =>
      names.has(caseName(redactKey({ file, id, variant: '', run: 1, attempt: 1 }, redact))),
    )
  }

  /** `$0.12`, or `1,234 tokens`; undefined while nothing is known to have been spent. */
  spent(): string | undefined {
    return spentText(addUsages(this.#spentBefore, this.#spentNow))
  }

  #start(): void {
    this.#run += 1
    this.#spentBefore = addUsages(this.#spentBefore, this.#spentNow)
    this.#spentNow = {}
  }

  #add(result: CaseResult): void {
    this.#spentNow = addUsages(this.#spentNow, result.usage)
    const { key, status, retrying } = result
    if (retrying || status === 'interrupted' || status === 'not_run') return
    const known = this.#cases.get(caseText(key))
    // One of several runs that fails is enough.
    const failedBefore = known?.run === this.#run && known.failed
    const failed = failedBefore || needsAttention(result)
    this.#cases.set(caseText(key), { run: this.#run, failed, name: caseName(key) })
  }
}

function caseName({ file, id }: Pick<Key, 'file' | 'id'>): string {
  return JSON.stringify([file, id])
}
