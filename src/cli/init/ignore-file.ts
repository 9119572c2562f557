import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const line = '.viva/'

/** The root of the git repository around a folder. No program is started for it. */
export function findRepository(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}

/** The `.gitignore` with a line for viva's own files. Undefined if it has one. */
export function withIgnoredFolder(text: string): string | undefined {
  const isThere = text.split(/\r?\n/).some((each) => /^\/?(?:\*\*\/)?\.viva\/?$/.test(each.trim()))
  if (isThere) return undefined
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const before = text === '' || text.endsWith('\n') ? text : text + newline
  return `${before}${line}${newline}`
}

/** What `.gitignore` of the folder should be. Undefined if it stays, or if there is no repository. */
export function planIgnoreFile(folder: string): string | undefined {
  const path = join(folder, '.gitignore')
  if (!existsSync(path) && findRepository(folder) === undefined) return undefined
  return withIgnoredFolder(existsSync(path) ? readFileSync(path, 'utf8') : '')
}
