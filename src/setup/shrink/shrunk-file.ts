import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join, relative, resolve } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import type { Redactor } from '../../privacy/redact.ts'
import type { Data } from '../../results/transcript/message.ts'
import { replaceFile } from '../../system/replace-file.ts'
import { resolveLinks } from '../../system/resolve-links.ts'
import { checkWritable } from '../outputs/targets.ts'

interface ShrunkFileFor {
  id: string
  cwd: string
  /** Where it is written if no other place is given. */
  folder: string
  /** The results file, which must stay as it is. */
  results: string
}

/**
 * The file with the case that is left: the one that was asked for, or one in the folder. A file that is there is not
 * replaced, even if another process has written it in the meantime.
 */
export class ShrunkFile {
  readonly #given: string | undefined
  readonly #cwd: string
  readonly #folder: string
  readonly #name: string
  #number = 1
  #isOwn = false

  constructor(output: string | undefined, { id, cwd, folder, results }: ShrunkFileFor) {
    this.#given = output
    this.#cwd = cwd
    this.#folder = folder
    this.#name = fileName(id)
    if (output === undefined) while (existsSync(this.path)) this.#number += 1
    else checkOutput(output, this.path, results)
  }

  /** As it is named in messages and commands. */
  get shown(): string {
    return relative(this.#cwd, this.path)
  }

  get path(): string {
    if (this.#given !== undefined) return resolve(this.#cwd, this.#given)
    return join(this.#folder, `${this.#name}.shrunk${this.#number === 1 ? '' : `-${this.#number}`}.jsonl`)
  }

  /** Finds out, before anything is played, whether the file can be written. */
  check(written: Data, redact: Redactor): void {
    const text = JSON.stringify(written)
    if (redact(text) !== text)
      throw new ConfigError({ code: 'secret_in_cases', message: `${this.shown}: the case holds a secret` })
    checkWritable(this.path)
  }

  /** The file is always a whole case: the last one that was found. */
  write(written: Data): void {
    const text = `${JSON.stringify(written)}\n`
    try {
      if (this.#isOwn) replaceFile(this.path, text)
      else this.#create(text)
    } catch (error) {
      if (error instanceof ConfigError) throw error
      throw new OutputError(`${this.path} cannot be written: ${errorMessage(error)}`)
    }
  }

  /** Another process may have chosen the same name. */
  #create(text: string): void {
    for (;;) {
      try {
        createFile(this.path, text)
        this.#isOwn = true
        return
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        if (this.#given !== undefined) throw takenError(this.#given)
        this.#number += 1
      }
    }
  }

  /** Nothing of what was written holds. */
  remove(): void {
    if (this.#isOwn) rmSync(this.path, { force: true })
    this.#isOwn = false
  }
}

/** Either the whole text is in a new file, or there is none. */
function createFile(path: string, text: string): void {
  const descriptor = openSync(path, 'wx')
  try {
    writeFileSync(descriptor, text)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

const mostNameLength = 80

function fileName(id: string): string {
  const name = id.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
  return name.slice(0, mostNameLength) || 'case'
}

function checkOutput(output: string, path: string, results: string): void {
  if (extname(path) !== '.jsonl') throw outputError(output, 'a case is written to a .jsonl file')
  if (resolveLinks(path) === resolveLinks(results)) throw outputError(output, 'results are read from it')
  if (existsSync(path)) throw takenError(output)
}

function takenError(output: string): ConfigError {
  return outputError(
    output,
    'the file already exists, and is not replaced',
    'choose another name, or remove it',
  )
}

function outputError(output: string, problem: string, hint?: string): ConfigError {
  return new ConfigError({ code: 'bad_output', message: `-o ${output}: ${problem}`, ...(hint && { hint }) })
}
