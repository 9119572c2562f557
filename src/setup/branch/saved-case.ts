import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { extname, resolve } from 'node:path'
import { isFormatProblem } from '../../cases/formats/case-format.ts'
import { jsonl } from '../../cases/formats/jsonl.ts'
import { utf8Problem } from '../../cases/formats/utf8-problem.ts'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { hasResults } from '../../results/journal.ts'
import { resolveLinks } from '../../system/resolve-links.ts'
import { checkWritable } from '../outputs/targets.ts'

/** A JSONL file to which one case is added. */
export interface CaseTarget {
  path: string
  /** As it was given. */
  shown: string
}

/** Finds out, before anything is played, whether a case can be added to the file. */
export async function checkCaseTarget(
  shown: string,
  cwd: string,
  others: readonly string[],
): Promise<CaseTarget> {
  const path = resolve(cwd, shown)
  const problem = (message: string, hint?: string) =>
    new ConfigError({ code: 'bad_output', message: `--save ${shown}: ${message}`, ...(hint && { hint }) })
  if (extname(path) !== '.jsonl') throw problem('cases are added to a .jsonl file')
  if (others.some((other) => resolveLinks(resolve(cwd, other)) === resolveLinks(path)))
    throw problem('results are read from it, or written to it')
  checkWritable(path)
  checkAppendable(path)
  if (existsSync(path) && hasResults(path)) throw problem('it is a results file, not cases')
  const wrong = await readIds(path, new Set())
  if (wrong !== undefined) throw problem(wrong, 'correct it first')
  return { path, shown }
}

/** A report replaces its file, but a case is added to it: the file itself must be writable. */
function checkAppendable(path: string): void {
  if (!existsSync(path)) return
  try {
    closeSync(openSync(path, 'r+'))
  } catch (error) {
    throw new OutputError(`${path} cannot be written: ${errorMessage(error)}`)
  }
}

/** Adds a case at the end; what is there stays as it is. Returns the id, with a number if it was taken. */
export async function appendCase(
  { path, shown }: CaseTarget,
  written: Readonly<Record<string, unknown>>,
): Promise<string> {
  const taken = new Set<string>()
  const wrong = await readIds(path, taken)
  if (wrong !== undefined) throw new OutputError(`${shown} was changed during the run: ${wrong}`)
  const id = untaken(String(written.id), taken)
  try {
    appendLine(path, JSON.stringify({ ...written, id }))
  } catch (error) {
    throw new OutputError(`${path} cannot be written: ${errorMessage(error)}`)
  }
  return id
}

/** Collects the ids of all cases in the file. Returns why it cannot be read, where it cannot. */
async function readIds(path: string, ids: Set<string>): Promise<string | undefined> {
  if (!existsSync(path)) return undefined
  const unreadable = await utf8Problem(path)
  if (unreadable !== undefined) return `line ${unreadable.line} is ${unreadable.message}`
  for await (const document of jsonl.documents(path)) {
    if (isFormatProblem(document)) return `line ${document.line}: ${document.message}`
    if (isRecord(document.value) && typeof document.value.id === 'string') ids.add(document.value.id)
  }
  return undefined
}

function untaken(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`
  return id
}

/** A line that cannot be written completely is taken back. */
function appendLine(path: string, line: string): void {
  const descriptor = openSync(path, 'a+')
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.from(`${endsLine(descriptor, size) ? '' : '\n'}${line}\n`)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
      fsyncSync(descriptor)
    } catch (error) {
      ftruncateSync(descriptor, size)
      throw error
    }
  } finally {
    closeSync(descriptor)
  }
}

function endsLine(descriptor: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last.toString() === '\n'
}
