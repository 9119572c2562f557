import { existsSync, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { makeFolder } from '../system/make-folder.ts'
import { replaceFile } from '../system/replace-file.ts'

/** Whether generated cases can be written there: told before anybody is asked for them. */
export function checkCasesTarget(outputs: readonly string[], cwd: string): void {
  const target = outputs[0]
  if (target === undefined) return
  if (outputs.length > 1 || extname(target) !== '.jsonl') {
    const message = `-o ${outputs.join(' -o ')}: with --dry-run, generated cases are written to one .jsonl file`
    throw new ConfigError({ code: 'bad_output', message })
  }
  const path = resolve(cwd, target)
  if (!existsSync(path) || statSync(path).size === 0) return
  const message = `-o ${target}: the file already exists, and its cases would be lost`
  throw new ConfigError({ code: 'bad_output', message, hint: 'choose another name, or remove it' })
}

/** `--dry-run -o cases.jsonl`: generated cases as a file that can be run. */
export function writeCases(
  named: string,
  cases: readonly unknown[],
  cwd: string,
  hide: (text: string) => string,
): void {
  const path = resolve(cwd, named)
  const text = withOwnIds(cases)
    .map((each) => `${JSON.stringify(each)}\n`)
    .join('')
  if (hide(text) !== text) {
    const message = `-o ${named}: the generated cases hold a secret, and are not written`
    throw new ConfigError({ code: 'secret_in_cases', message })
  }
  try {
    makeFolder(dirname(path))
    replaceFile(path, text)
  } catch (error) {
    throw new OutputError(`${path} cannot be written: ${errorMessage(error)}`)
  }
}

/** Two generators may have used the same ones. */
function withOwnIds(cases: readonly unknown[]): unknown[] {
  const taken = new Set<string>()
  return cases.map((each) => {
    if (!isRecord(each) || typeof each.id !== 'string') return each
    let id = each.id
    for (let number = 2; taken.has(id); number += 1) id = `${each.id}-${number}`
    taken.add(id)
    return { ...each, id }
  })
}
