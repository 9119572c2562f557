import type { Key } from '../results/key.ts'
import { type CaseResult, type Fault, isExpectedFailure } from '../results/result.ts'
import type { RunStart } from '../results/summary.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'
import { listenToRun } from './report.ts'
import { mainEvents, type Reporter } from './reporter.ts'
import { runsText } from './runs-text.ts'
import { describeReason } from './shown-result.ts'

export interface RecapOptions {
  pen: Pen
  /** The place of a case, in a form that terminals can open: `tests/a.jsonl:3`. */
  placeOf(key: Key, line: number): string
  /** The command that runs only these. `isRecorded` says that they are in the history. */
  rerunCommand(failed: readonly Key[], isRecorded: boolean): string
}

/** Lists all failures at the end of a run: after hundreds of cases nobody scrolls up to find them. */
export interface Recap extends Reporter {
  /** Empty before the end of the run, and when nothing failed. */
  lines(isRecorded: boolean): Inked[]
}

/** More would push the first of them off the screen; the journal has all of them. */
const mostListed = 50

interface Entry {
  title: string
  place: string
  reason: string
  runs: number[]
}

/** The failures of one kind; each case and reason is listed once. */
interface Section {
  entries: Map<string, Entry>
  /** How many results are not listed. */
  more: number
}

export function createRecap({ pen, placeOf, rerunCommand }: RecapOptions): Recap {
  const { on, run } = listenToRun()
  const failed: Key[] = []
  const sections: Record<Fault, Section> = {
    agent: emptySection(),
    infrastructure: emptySection(),
    viva: emptySection(),
  }
  return {
    name: 'recap',
    events: mainEvents,
    on,
    /** Reads the journal, which also has the results from before a run was resumed. */
    async finish(results) {
      const { start, summary } = run()
      if (summary.failed + summary.infrastructureSkips === 0) return
      for await (const result of results()) {
        if (!needsAttention(result)) continue
        failed.push(result.key)
        addEntry(sections[result.fault ?? 'agent'], result, start, placeOf)
      }
    },
    lines(isRecorded) {
      if (failed.length === 0) return []
      const several = run().start.runs > 1
      return [
        ...sectionLines(sections.agent, several, pen.red('✗'), 'Failed', pen),
        ...sectionLines(sections.infrastructure, several, pen.yellow('⚠'), 'Infrastructure errors', pen),
        ...sectionLines(sections.viva, several, pen.red('✗'), 'Bugs in viva', pen),
        pen.line``,
        pen.line`  Run what failed again:`,
        pen.line`    ${rerunCommand(failed, isRecorded)}`,
      ]
    },
  }
}

function emptySection(): Section {
  return { entries: new Map(), more: 0 }
}

/** Whether a result failed unexpectedly, or was skipped because of an infrastructure error. */
export function needsAttention(result: CaseResult): boolean {
  if (result.status === 'skipped') return result.fault === 'infrastructure'
  return result.status === 'failed' && !isExpectedFailure(result)
}

function addEntry(
  section: Section,
  result: CaseResult,
  { variants }: RunStart,
  placeOf: RecapOptions['placeOf'],
): void {
  const { key, line } = result
  // Further lines are hints and traces, which were printed above.
  const reason = oneLine(describeReason(result).trimStart().split('\n', 1)[0] ?? '', 160)
  const name = JSON.stringify([key.file, key.id, key.variant, reason])
  const known = section.entries.get(name)
  if (known) known.runs.push(key.run)
  else if (section.entries.size >= mostListed) section.more += 1
  else {
    const variant = variants.length > 1 && result.script === undefined ? ` (${oneLine(key.variant)})` : ''
    const title = `[${oneLine(key.id)}]${variant}`
    section.entries.set(name, { title, place: placeOf(key, line), reason, runs: [key.run] })
  }
}

function sectionLines(
  { entries, more }: Section,
  several: boolean,
  mark: Inked,
  heading: string,
  pen: Pen,
): Inked[] {
  if (entries.size === 0) return []
  return [
    pen.line``,
    pen.line`  ${pen.bold(heading)}`,
    ...[...entries.values()].flatMap(({ title, place, reason, runs }) => [
      pen.line`  ${mark} ${title}${several ? ` (${runsText(runs)})` : ''} ${pen.dim(oneLine(place, 300))}`,
      pen.line`      ${reason}`,
    ]),
    ...(more > 0 ? [pen.line`  … and ${more} more`] : []),
  ]
}
