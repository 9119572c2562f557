import { statSync } from 'node:fs'
import type { FormatProblem } from './case-format.ts'

/** Of a file that is read as a whole, which bounds its size; JSONL has no such limit. */
export function sizeProblem(path: string, format: string, mostMegabytes: number): FormatProblem | undefined {
  const megabytes = statSync(path).size / 1024 / 1024
  if (megabytes <= mostMegabytes) return undefined
  const message = `the file has ${Math.ceil(megabytes)} MB, more than ${mostMegabytes} MB of ${format} are not read`
  return { code: 'too_large', message, line: 1, column: 1, hint: 'use JSONL' }
}
