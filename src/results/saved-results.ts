import { type FileHandle, open } from 'node:fs/promises'
import { InfrastructureError } from '../errors.ts'
import { AmountColumn } from './columns/amount-column.ts'
import { NumberColumn } from './columns/number-column.ts'
import { type ResultKey, scriptVariant } from './key.ts'
import { resultFromLine } from './line.ts'
import { parseLine } from './parse-line.ts'
import { isResultLine } from './read-results.ts'
import type { CaseResult } from './result.ts'
import { scanResults } from './saved-run.ts'
import type { RunStart } from './summary.ts'
import { startFromLine } from './summary-line.ts'
import { describeUnreadable } from './unreadable-lines.ts'

/** The conversations of a results file, found by their keys. Only their places in the file are in memory. */
export interface SavedResults {
  start: RunStart
  /** Of the conversations, in the order in which they were first seen. */
  variants: readonly string[]
  /** The highest number of a run. */
  runs: number
  /** The number of results of script tests, which are no conversations. */
  scripts: number
  /** Lines that cannot be read. */
  unreadable: readonly string[]
  keys(): Iterable<ResultKey>
  has(key: ResultKey): boolean
  /** The last attempt that counts. */
  find(key: ResultKey): Promise<CaseResult | undefined>
  close(): Promise<void>
}

/** `file` is the name in messages. Throws `ConfigError` for a file that is not a results file. */
export async function openSavedResults(path: string, file: string): Promise<SavedResults> {
  // By the number of the key: the last line with it.
  const [lines, starts, lengths] = [new NumberColumn(), new AmountColumn(), new NumberColumn()]
  const unreadable: string[] = []
  const { start, keys, index } = await scanResults(path, file, {
    onResult({ number, bytes: [from, to] }, { kind }, key) {
      if (kind === 'script') return
      lines.set(key, number)
      starts.set(key, from)
      lengths.set(key, to - from)
    },
    onUnreadable: ({ number, text }) => void unreadable.push(describeUnreadable(number, text)),
  })
  const counts = (key: number) => lines.get(key) > 0 && index(lines.get(key)) === 'counting'
  const variants = new Set<string>()
  let [runs, scripts] = [1, 0]
  for (let number = 0; number < keys.size; number++) {
    const { variant, run } = keys.key(number)
    if (variant === scriptVariant) scripts += 1
    if (!counts(number)) continue
    variants.add(variant)
    runs = Math.max(runs, run)
  }
  const handle = await open(path)
  const find = (key: ResultKey) => {
    const number = keys.find(key)
    return number !== undefined && counts(number) ? number : undefined
  }
  return {
    start: startFromLine(start),
    variants: [...variants],
    runs,
    scripts,
    unreadable,
    *keys() {
      for (let number = 0; number < keys.size; number++) if (counts(number)) yield keys.key(number)
    },
    has: (key) => find(key) !== undefined,
    async find(key) {
      const number = find(key)
      if (number === undefined) return undefined
      return readResult(handle, file, starts.get(number) ?? 0, lengths.get(number))
    },
    close: () => handle.close(),
  }
}

async function readResult(
  handle: FileHandle,
  file: string,
  start: number,
  length: number,
): Promise<CaseResult> {
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, start)
  const line = parseLine(buffer.toString('utf8'))
  if (!isResultLine(line))
    throw new InfrastructureError('input_changed', `${file} was changed while it was read`)
  return resultFromLine(line)
}
