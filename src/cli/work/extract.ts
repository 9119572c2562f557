import { lstatSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import { caseSection, isCaseSection } from '../../reporters/markdown-report.ts'
import { resultToLine } from '../../results/line.ts'
import type { CaseResult } from '../../results/result.ts'
import type { RunStart } from '../../results/summary.ts'
import { transcriptMode } from '../../results/transcript-mode.ts'
import { openSavedRun, type PrivacyFlags } from '../../setup/saved/saved-run.ts'
import { beginsWith } from '../../system/begins-with.ts'
import { makeFolder } from '../../system/make-folder.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { printWarning } from '../print-error.ts'

export interface ExtractFlags extends PrivacyFlags {
  output?: string
  format?: string
}

interface Format {
  extension: string
  write(result: CaseResult, start: RunStart): string
  /** Whether a file is one of these, which may be written again. */
  isOurs(path: string): boolean
}

const jsonHead = '{\n  "type": "result",\n'

const formats: Record<string, Format> = {
  markdown: { extension: 'md', write: caseSection, isOurs: isCaseSection },
  json: {
    extension: 'json',
    write: (result) => `${JSON.stringify(resultToLine(result), null, 2)}\n`,
    isOurs: (path) => beginsWith(path, jsonHead),
  },
}

/** `viva extract results.jsonl -o folder`: a file for each result. */
export async function extractCommand(
  file: string,
  { output = 'extracted', format: formatName = 'markdown', ...privacy }: ExtractFlags,
  shell: Shell,
): Promise<number> {
  const format = Object.hasOwn(formats, formatName) ? formats[formatName] : undefined
  if (format === undefined)
    throw new ConfigError({ code: 'bad_flag', message: `--format ${formatName}: must be markdown or json` })
  const { start, results } = await openSavedRun(file, privacy, {
    shell,
    warn: (text) => printWarning(shell, text),
  })
  const folder = resolve(shell.cwd, output)
  if (lstatSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new ConfigError({
      code: 'bad_output',
      message: `-o ${output} is a file; extract writes into a folder`,
    })
  const names: string[] = []
  const taken = new Set<string>()
  for await (const { key } of results()) names.push(fileName(key, start, format, taken))
  for (const name of names) checkFree(join(folder, name), format)
  let written = 0
  try {
    makeFolder(folder)
    for await (const result of results()) {
      writeFileSync(join(folder, names[written] ?? ''), format.write(result, start), {
        mode: transcriptMode,
      })
      written += 1
    }
  } catch (error) {
    throw new OutputError(`${folder} cannot be written: ${errorMessage(error)}`)
  }
  shell.stdout.write(`${pluralize(written, 'file')} in ${output}\n`)
  return 0
}

/** Nothing is written over but what was extracted before, and no link is followed. */
function checkFree(path: string, { isOurs }: Format): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || (found.isFile() && (found.size === 0 || isOurs(path)))) return
  const message = `${path} already exists, and was not extracted by viva`
  throw new ConfigError({ code: 'bad_output', message, hint: 'choose another folder with -o' })
}

/** An id may be anything; a name of a file may not. */
function fileName(
  { id, variant, run }: CaseResult['key'],
  { variants }: RunStart,
  { extension }: Format,
  taken: Set<string>,
): string {
  const parts = [id, ...(variants.length > 1 ? [variant] : []), ...(run > 1 ? [`run${run}`] : [])]
  const safe = parts.map((part) => part.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80)).join('-')
  const base = safe.replace(/^[.-]+/, '_') || 'case'
  for (let number = 1; ; number += 1) {
    const name = `${base}${number === 1 ? '' : `-${number}`}.${extension}`
    // Some file systems take `A` for `a`.
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}
