import { isRecord } from '../json/json.ts'
import { readFileLines, readLineBatches } from '../system/read-lines.ts'
import { HashColumn } from './columns/hash-column.ts'
import { KeyNumbers } from './columns/key-numbers.ts'
import { NumberColumn } from './columns/number-column.ts'
import type { ResultKey } from './key.ts'
import { resultFromLine } from './line.ts'
import type { ResultLine } from './line-schema.ts'
import { parseLine } from './parse-line.ts'
import type { PlannedResults } from './planned-results.ts'
import type { CaseResult } from './result.ts'
import type { StartLine } from './run-line-schema.ts'

/** What a line of the journal is: a result that counts, or an earlier attempt of one. */
export type ResultIndex = (lineNumber: number) => 'counting' | 'earlier' | undefined

/** The last line of each key counts. With a plan, only results of its cases in their current form count. */
export async function indexResults(path: string, plan?: PlannedResults): Promise<ResultIndex> {
  const index = new ResultIndexing()
  for await (const { number, result } of resultLines(path))
    if (plan === undefined || plan.find(result, result.case_hash) !== undefined) index.add(number, result)
  return index.end()
}

/** Builds the index from one result line after the other. */
export class ResultIndexing {
  readonly #keys: KeyNumbers
  /** The last line of each key, by the number of the key: its number, or 0 if there is none, its attempt and hash. */
  readonly #lines = new NumberColumn()
  readonly #attempts = new NumberColumn()
  readonly #hashes = new HashColumn()
  /** By the number of the key, and then by attempt. Most results have one attempt, and are not in it. */
  readonly #earlier = new Map<number, Map<number, EarlierLine>>()

  constructor(keys = new KeyNumbers()) {
    this.#keys = keys
  }

  add(number: number, line: ResultLine): void {
    const key = this.#keys.add(line)
    const before = this.#attempts.get(key)
    if (this.#lines.get(key) !== 0 && before !== line.attempt) {
      const earlier = this.#earlier.get(key) ?? new Map<number, EarlierLine>()
      const replaced = { number: this.#lines.get(key), hash: this.#hashes.get(key) }
      this.#earlier.set(key, earlier.set(before, replaced))
    }
    this.#lines.set(key, number)
    this.#attempts.set(key, line.attempt)
    this.#hashes.set(key, line.case_hash)
  }

  remove(key: ResultKey): void {
    const number = this.#keys.find(key)
    if (number === undefined) return
    this.#lines.set(number, 0)
    this.#earlier.delete(number)
  }

  end(): ResultIndex {
    const counting = new NumberColumn()
    const earlier = new Set<number>()
    for (let key = 0; key < this.#keys.size; key++) {
      if (this.#lines.get(key) === 0) continue
      counting.set(this.#lines.get(key), 1)
      for (const [attempt, { number, hash }] of this.#earlier.get(key) ?? [])
        if (attempt < this.#attempts.get(key) && hash === this.#hashes.get(key)) earlier.add(number)
    }
    return (number) => {
      if (counting.get(number) === 1) return 'counting'
      return earlier.has(number) ? 'earlier' : undefined
    }
  }
}

interface EarlierLine {
  number: number
  hash: string | undefined
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
  const kindOf: ResultIndex = index === 'all' ? () => 'counting' : index
  const isWanted = (number: number) =>
    kindOf(number) === 'counting' || (attempts && kindOf(number) === 'earlier')
  for await (const { number, result } of resultLines(path, isWanted)) {
    const read = withoutRetry(result)
    yield kindOf(number) === 'counting' ? read : { ...read, retrying: true }
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

/** Every line with a result, or those with the wanted numbers. */
export async function* resultLines(
  path: string,
  isWanted: (number: number) => boolean = () => true,
): AsyncGenerator<{ number: number; result: ResultLine }> {
  for await (const lines of readLineBatches(path)) {
    for (const { text, number } of lines) {
      if (!resultStart.test(text) || !isWanted(number)) continue
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
    hasLists(value)
  )
}

/** Fields that hold lists of objects, in a result, its turns and their messages. */
const listNames = [
  'turns',
  'assertions',
  'final_assertions',
  'checkpoints',
  'history',
  'messages',
  'tool_calls',
  'last_user_tool_calls',
]
const textListNames = ['logs', 'tags', 'assertions_not_evaluated', 'final_assertions_not_evaluated']

function hasLists(value: Record<string, unknown>): boolean {
  for (const name of listNames) if (!isListOfParts(value[name], name)) return false
  for (const name of textListNames) if (value[name] !== undefined && !Array.isArray(value[name])) return false
  return true
}

function isListOfParts(list: unknown, name: string): boolean {
  if (list === undefined || (list === 'hidden' && name === 'tool_calls')) return true
  if (!Array.isArray(list)) return false
  // The items of checks and calls may hold anything.
  const hasParts = name === 'turns' || name === 'messages' || name === 'history'
  return list.every((item) => isRecord(item) && (!hasParts || hasLists(item)))
}
