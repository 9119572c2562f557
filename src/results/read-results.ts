import { isRecord } from '../json/json.ts'
import { readFileLines, readLineBatches } from '../system/read-lines.ts'
import { keyText } from './key.ts'
import { resultFromLine } from './line.ts'
import type { ResultLine } from './line-schema.ts'
import { parseLine } from './parse-line.ts'
import type { CaseResult } from './result.ts'
import type { StartLine } from './run-line-schema.ts'
import type { PlannedResults } from './tally.ts'

/** The numbers of the journal lines with results that count, and of earlier attempts. */
export interface ResultIndex {
  counting: ReadonlySet<number>
  earlier: ReadonlySet<number>
}

/** The last line of each key counts. With a plan, only results of its cases in their current form count. */
export async function indexResults(path: string, plan?: PlannedResults): Promise<ResultIndex> {
  const index = new ResultIndexing()
  for await (const { number, result } of resultLines(path))
    if (plan === undefined || plan.get(keyText(result)) === result.case_hash) index.add(number, result)
  return index.end()
}

/** Builds the index from one result line after the other. */
export class ResultIndexing {
  readonly #last = new Map<string, IndexedLine>()
  /** By key, and then by attempt. Most results have one attempt, and are not in it. */
  readonly #earlier = new Map<string, Map<number, IndexedLine>>()

  add(number: number, line: ResultLine): void {
    const { attempt, case_hash: hash } = line
    const key = keyText(line)
    const before = this.#last.get(key)
    if (before !== undefined && before.attempt !== attempt) {
      const earlier = this.#earlier.get(key) ?? new Map<number, IndexedLine>()
      this.#earlier.set(key, earlier.set(before.attempt, before))
    }
    this.#last.set(key, { number, hash, attempt })
  }

  remove(key: string): void {
    this.#last.delete(key)
    this.#earlier.delete(key)
  }

  end(): ResultIndex {
    const counting = new Set<number>()
    const earlier = new Set<number>()
    for (const [key, last] of this.#last) {
      counting.add(last.number)
      for (const { number, attempt, hash } of this.#earlier.get(key)?.values() ?? [])
        if (attempt < last.attempt && hash === last.hash) earlier.add(number)
    }
    return { counting, earlier }
  }
}

interface IndexedLine {
  number: number
  hash: string
  attempt: number
}

export interface ResultsOptions {
  /** Whether failed attempts that were retried are included; they are marked as `retrying`. */
  attempts?: boolean
}

/**
 * Reads a results file: the last result of each case. Lines that are incomplete or of another kind are ignored, and
 * their cases count as not run.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite, readResults } from 'vivavoce'
 *
 * const agent = { execute: (text: string) => text.toUpperCase() }
 * const cases = [{ id: 'loud', input: 'hello', expectedOutput: 'HELLO' }]
 * await createEvalSuite({ agent }).run(cases, { output: 'results.jsonl' })
 *
 * const read: string[] = []
 * for await (const { key, status } of readResults('results.jsonl')) read.push(`${key.id} ${status}`)
 * assert.deepEqual(read, ['loud passed'])
 */
export async function* readResults(path: string, plan?: PlannedResults): AsyncGenerator<CaseResult> {
  yield* readIndexed(path, await indexResults(path, plan))
}

/** `all`: every line counts. */
export async function* readIndexed(
  path: string,
  index: ResultIndex | 'all',
  { attempts = false }: ResultsOptions = {},
): AsyncGenerator<CaseResult> {
  if (index === 'all') {
    for await (const { result } of resultLines(path)) yield withoutRetry(result)
    return
  }
  const { counting, earlier } = index
  const wanted = attempts ? new Set([...counting, ...earlier]) : counting
  for await (const { number, result } of resultLines(path, wanted)) {
    const read = withoutRetry(result)
    yield counting.has(number) ? read : { ...read, retrying: true }
  }
}

/** An interrupted run may end before the retry: then the last attempt counts after all. */
function withoutRetry(line: ResultLine): CaseResult {
  const result = resultFromLine(line)
  delete result.retrying
  return result
}

/** The beginning of every journal. */
export const startOfJournal = '{"type":"start"'

/** The first start line that can be read: a resumed run writes another one. */
export async function readStart(path: string): Promise<StartLine | undefined> {
  // Only reading needs the schemas: a run that only writes results does not build them.
  const { startLineSchema } = await import('./run-line-schema.ts')
  for await (const { text } of readFileLines(path)) {
    const parsed = startLineSchema.safeParse(parseLine(text))
    if (parsed.success) return parsed.data
  }
  return undefined
}

/** As viva writes it, or another program that has rewritten the JSON. */
const resultStart = /^\s*\{\s*"type"\s*:\s*"result"/

/** Every line with a result, or those with the given numbers. */
export async function* resultLines(
  path: string,
  wanted?: ReadonlySet<number>,
): AsyncGenerator<{ number: number; result: ResultLine }> {
  for await (const lines of readLineBatches(path)) {
    for (const { text, number } of lines) {
      if (!resultStart.test(text) || wanted?.has(number) === false) continue
      const result = parseLine(text)
      if (isResultLine(result)) yield { number, result }
    }
  }
}

/** Checks only what the readers rely on, because a newer version may have written more. */
export function isResultLine(value: unknown): value is ResultLine {
  return (
    isRecord(value) &&
    ['file', 'id', 'variant', 'status', 'case_hash', 'mode', 'session_id'].every(
      (key) => typeof value[key] === 'string',
    ) &&
    ['run', 'attempt', 'duration_ms'].every((key) => typeof value[key] === 'number') &&
    isRecord(value.termination) &&
    ['turns', 'assertions', 'final_assertions', 'checkpoints', 'history', 'logs', 'tags'].every(
      (key) => value[key] === undefined || Array.isArray(value[key]),
    )
  )
}
