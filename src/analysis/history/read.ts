import { join } from 'node:path'
import { ConfigError, errorMessage } from '../../errors.ts'
import { caseText } from '../../results/stability.ts'
import { readFileLines } from '../../system/read-lines.ts'
import { type HistoryLine, parseHistoryLine } from './line.ts'

/** The runs of one case with one variant. */
export interface CaseHistory extends Pick<HistoryLine, 'file' | 'id' | 'variant'> {
  /** Oldest first, at least one. */
  lines: HistoryLine[]
  newest: HistoryLine
  /** A line after its newest one cannot be read: it may have been about this case. */
  isDoubtful: boolean
}

export interface History {
  /** By `caseText`, in the order of their first run. */
  cases: ReadonlyMap<string, CaseHistory>
  /** The number of lines that are incomplete or not written by viva. */
  unreadable: number
}

export function historyPath(root: string): string {
  return join(root, '.viva', 'history.jsonl')
}

/** Undefined when there is no history. */
export async function readHistory(path: string): Promise<History | undefined> {
  const lines: HistoryLine[] = []
  let unreadable = 0
  let doubtful = 0
  try {
    for await (const { text } of readFileLines(path)) {
      if (text.trim() === '') continue
      const line = parseHistoryLine(text)
      if (line !== undefined) lines.push(line)
      else {
        unreadable += 1
        doubtful = lines.length
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError({ code: 'bad_history', message: `${path} cannot be read: ${errorMessage(error)}` })
  }
  return gatherHistory(lines, { unreadable, doubtful })
}

/** `doubtful`: so many lines come before the last one that cannot be read. */
export function gatherHistory(
  lines: Iterable<HistoryLine>,
  { unreadable, doubtful } = { unreadable: 0, doubtful: 0 },
): History {
  const cases = new Map<string, CaseHistory>()
  const seen = new Set<string>()
  let count = 0
  for (const line of lines) {
    count += 1
    if (isNew(line, seen)) add(line, cases, count <= doubtful)
  }
  return { cases, unreadable }
}

/** A line may be duplicated when the file was replaced while it was being written. */
function isNew(line: HistoryLine, seen: Set<string>): boolean {
  const text = JSON.stringify([line.run_id, caseText(line)])
  if (seen.has(text)) return false
  seen.add(text)
  return true
}

function add(line: HistoryLine, cases: Map<string, CaseHistory>, isDoubtful: boolean): void {
  const known = cases.get(caseText(line))
  if (known !== undefined) {
    known.lines.push(line)
    known.newest = line
    known.isDoubtful = isDoubtful
    return
  }
  const { file, id, variant } = line
  cases.set(caseText(line), { file, id, variant, lines: [line], newest: line, isDoubtful })
}
