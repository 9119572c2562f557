import { randomBytes } from 'node:crypto'
import { errorMessage } from '../../errors.ts'
import { mainEvents, type Reporter } from '../../reporters/reporter.ts'
import type { RunStart } from '../../results/summary.ts'
import { appendHistory } from './append.ts'
import { type KeptParts, keepFingerprintParts } from './fingerprint-parts.ts'
import { rotateHistory } from './rotate.ts'
import { RunLines } from './run-lines.ts'

export interface Recording {
  /** The path of the history. */
  path: string
  /** Whether cases of that name are in a file: others could not be found again. */
  isFile(file: string): boolean
  /** Asked at the end: whether the run is left out of the history. */
  isDropped?(): boolean
  /**
   * Asked at the end, for what the fingerprints of the results were made of. Undefined where files were changed meanwhile:
   * then the results have none.
   */
  fingerprints?(): Iterable<KeptParts> | undefined
  /** Distinguishes runs that started at the same time. Lines that are written twice with the same one count once. */
  suffix?: string
  /** Called when the history could not be written; the run itself does not fail. */
  warn(text: string): void
}

export interface HistoryRecorder extends Reporter {
  /** Called when the run has ended for any reason. Never throws. */
  write(): void
  /** Whether the run is in the history, where `--last-failed` finds it. */
  isRecorded(): boolean
}

/** Listens to the redacted events of a run and adds it to the history, unless it is not a live run. */
export function createHistoryRecorder({
  path,
  isFile,
  isDropped,
  fingerprints = () => [],
  suffix = randomBytes(3).toString('hex'),
  warn,
}: Recording): HistoryRecorder {
  let results = new RunLines()
  let start: RunStart | undefined
  let recorded = false
  return {
    name: 'history',
    events: mainEvents,
    isRecorded: () => recorded,
    on(event) {
      if (event.type === 'run_started') start = event.start
      if (event.type === 'case_finished' && isFile(event.result.key.file)) results.add(event.result)
    },
    /** Reads the journal where it has more: results from before a run was resumed, and second results of script tests. */
    async finish(all) {
      if (start?.resumed === undefined && !results.hasScripts) return
      const finished = new RunLines()
      // Cases that did not run now are in the history already.
      for await (const result of all({ attempts: true })) if (results.has(result.key)) finished.add(result)
      results = finished
    },
    write() {
      if (start === undefined || start.origin !== undefined || isDropped?.()) return
      if (results.isEmpty()) return
      const parts = fingerprints()
      const lines = results.lines(
        { time: start.timestamp, run_id: createRunId(start, suffix) },
        { withFingerprints: parts !== undefined },
      )
      const attempt = (work: () => void, consequence: string) => {
        try {
          work()
        } catch (error) {
          warn(`${path} could not be written, so ${consequence}: ${errorMessage(error)}`)
        }
      }
      attempt(() => {
        appendHistory(path, lines)
        recorded = true
        if (parts !== undefined) keepFingerprintParts(path, parts)
        // All of it is written: rotating needs the memory.
        results = new RunLines()
        attempt(() => rotateHistory(path), 'it grows beyond its limit')
      }, 'this run is not in the history')
    },
  }
}

function createRunId({ planHash, timestamp }: RunStart, suffix: string): string {
  return [planHash, Date.parse(timestamp).toString(36), suffix].join('-')
}
