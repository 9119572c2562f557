import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { ConfigError, messageOf, OutputError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import type { Data } from '../transcript/message.ts'

/** `--dry-run -o cases.jsonl`: generated cases as a file that can be run. Never over another one. */
export function writeCases(named: string, cases: readonly Data[], cwd: string): void {
  const path = resolve(cwd, named)
  if (extname(path) !== '.jsonl') {
    const message = `-o ${named}: generated cases are written as .jsonl`
    throw new ConfigError({ code: 'bad_output', message })
  }
  if (existsSync(path) && statSync(path).size > 0) {
    const message = `-o ${named}: the file is there already, and its cases would be lost`
    throw new ConfigError({ code: 'bad_output', message, hint: 'choose another name, or remove it' })
  }
  const draft = `${path}.${process.pid}.part`
  try {
    makeFolder(dirname(path))
    writeFileSync(draft, cases.map((each) => `${JSON.stringify(each)}\n`).join(''))
    renameSync(draft, path)
  } catch (error) {
    throw new OutputError(`${path} cannot be written: ${messageOf(error)}`)
  }
}
