import { statSync } from 'node:fs'
import type { FormatProblem } from './case-format.ts'

/** The problem of a file that is too large to be read at once; JSONL has no such limit. */
export function sizeProblem(path: string, format: string, mostMegabytes: number): FormatProblem | undefined {
  const megabytes = statSync(path).size / 1024 / 1024
  if (megabytes <= mostMegabytes) return undefined
  const message = `the file has ${Math.ceil(megabytes)} MB; a ${format} case file may have at most ${mostMegabytes} MB`
  return { code: 'too_large', message, line: 1, column: 1, hint: 'use JSONL' }
}
