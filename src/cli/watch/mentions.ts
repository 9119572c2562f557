import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readFolder } from './folder-listing.ts'

/** With more, or larger ones, the answer is "perhaps". */
const mostFiles = 2_000
const mostBytes = 50 * 1024 * 1024

/**
 * Whether one of the files, or a file below one of the folders, contains a name as something to look up: after a quote,
 * a dot, a colon, a dash, an `@` or a `/`. Files in the folder `except` are not asked. In doubt they do.
 */
export function mentionsText(paths: readonly string[], name: string, except?: string): boolean {
  const literal = name.replace(/[^\w-]/g, '\\$&')
  const mention = new RegExp(`(?:["'\`.:@/]|[:-]\\s+)${literal}(?![\\w-])`)
  let left = { files: mostFiles, bytes: mostBytes }
  const search = (path: string): boolean => {
    if (path === except) return false
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return false
    if (found.isDirectory()) return [...readFolder(path).keys()].some((entry) => search(join(path, entry)))
    left = { files: left.files - 1, bytes: left.bytes - found.size }
    if (left.files < 0 || left.bytes < 0) return true
    return mention.test(readFileSync(path, 'utf8'))
  }
  return paths.some(search)
}
