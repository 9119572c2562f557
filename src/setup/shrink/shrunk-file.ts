import { existsSync } from 'node:fs'
import { extname, join, relative, resolve } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { Data } from '../../results/transcript/message.ts'
import { replaceFile } from '../../system/replace-file.ts'
import { resolveLinks } from '../../system/resolve-links.ts'
import { checkWritable } from '../outputs/targets.ts'

/** The file with the case that is left. */
export interface ShrunkFile {
  path: string
  /** As it is named in messages and commands. */
  shown: string
}

interface ShrunkFileFor {
  id: string
  cwd: string
  /** The results file, which must stay as it is. */
  results: string
}

/** The file that was asked for, or one in the working folder. A file that is there is not replaced. */
export function findShrunkFile(output: string | undefined, { id, cwd, results }: ShrunkFileFor): ShrunkFile {
  if (output === undefined) return findUntaken(id, cwd)
  const path = resolve(cwd, output)
  const problem = (message: string, hint?: string) =>
    new ConfigError({ code: 'bad_output', message: `-o ${output}: ${message}`, ...(hint && { hint }) })
  if (extname(path) !== '.jsonl') throw problem('a case is written to a .jsonl file')
  if (resolveLinks(path) === resolveLinks(results)) throw problem('results are read from it')
  if (existsSync(path))
    throw problem('the file already exists, and is not replaced', 'choose another name, or remove it')
  return { path, shown: relative(cwd, path) }
}

const mostNameLength = 80

function findUntaken(id: string, cwd: string): ShrunkFile {
  const name =
    id
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+/, '')
      .slice(0, mostNameLength) || 'case'
  for (let number = 1; ; number += 1) {
    const shown = `${name}.shrunk${number === 1 ? '' : `-${number}`}.jsonl`
    const path = join(cwd, shown)
    if (!existsSync(path)) return { path, shown }
  }
}

/** Finds out, before anything is played, whether the file can be written. */
export function checkShrunkFile({ path, shown }: ShrunkFile, written: Data, redact: Redactor): void {
  const text = JSON.stringify(written)
  if (redact(text) !== text)
    throw new ConfigError({ code: 'secret_in_cases', message: `${shown}: the case holds a secret` })
  checkWritable(path)
}

/** The file is always a whole case: the last one that was found. */
export function writeShrunkFile({ path }: ShrunkFile, written: Data): void {
  try {
    replaceFile(path, `${JSON.stringify(written)}\n`)
  } catch (error) {
    throw new OutputError(`${path} cannot be written: ${errorMessage(error)}`)
  }
}
